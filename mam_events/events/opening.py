"""Events about the whole encounter: opened, rules changed, joined, ordered, closed."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from mam_events.dice import Die
from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Combatant, Encounter, PinnedRules, RolledInitiative
from mam_events.values import CombatantRef, ContinuedFrom, SaidTextField


class EncounterOpened(Event, frozen=True):
    """The fight begins: its rules are pinned from here on, and its dice are committed to (SHA-256 of the seed).

    It may continue another fight, as that one stood at the ruling with that seal (`continues`).
    """

    title: SaidTextField
    ruleset: PinnedRules
    commitment: str
    continues: ContinuedFrom | None = None

    def apply(self, state: Encounter) -> Encounter:
        return replace(
            state, status="open", title=self.title, ruleset=self.ruleset, commitment=self.commitment, combatants={}
        )


class RulesChanged(Event, frozen=True):
    """These rules are in force from here on; `house_rules` are the requested readings, `reason` says why."""

    totals = ("ruleset", "reason")
    ruleset: PinnedRules
    house_rules: dict[str, str]
    reason: SaidTextField

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, ruleset=self.ruleset)


class CombatantJoined(Event, frozen=True):
    """A combatant joined the fight, with its pools at the start (MAM-POOL-01).

    `order` is the turn order afterwards, empty while initiative is not settled.
    """

    combatant: Combatant
    order: tuple[CombatantRef, ...] = ()

    def apply(self, state: Encounter) -> Encounter:
        newcomer = self.combatant
        return replace(state, combatants=state.combatants | {newcomer.id: newcomer}, order=self.order)


class TieBroken(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The tie breaker between two combatants with the same total: the factor, and the value that each has in it."""

    ahead: CombatantRef
    behind: CombatantRef
    factor: str
    has: str = ""
    against: str = ""


class InitiativeEstablished(Event, frozen=True):
    """The first combatant and the order of the others (MAM-ORDER-02 to 05); `why` is the reason for the first.

    If initiative is rolled every round (RD6-INIT-04), `rolled` are the totals, and `ties` are the broken ties between
    two neighbours (RD6-TIE-01).
    """

    totals = ("why", "rule", "ties")
    order: Annotated[tuple[CombatantRef, ...], Meta(min_length=1)]
    why: WhyArgument
    rule: str
    dice: tuple[Die, ...] = ()
    rolled: RolledInitiative = RolledInitiative()
    ties: tuple[TieBroken, ...] = ()

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, order=self.order, initiative=self.rolled, this_round=(), avoided=False)


class EncounterClosed(Event, frozen=True):
    """The fight is over and the seed is revealed (hex), so that anyone can check every drawn die."""

    totals = ("reason",)
    seed: str
    reason: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, status="closed", turn=None, exchange=None)
