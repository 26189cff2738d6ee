"""Events about the encounter as a whole: opened, its rules changed, joined, ordered, closed."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from mam_events.dice import Die
from mam_events.events.base import Event
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Combatant, Encounter, PinnedRules, RolledInitiative
from mam_events.values import CombatantRef, ContinuedFrom, SaidTextField


class EncounterOpened(Event, frozen=True):
    """The fight exists; from here on these rules are pinned and the dice are committed to (SHA-256 of the seed).

    It may go on from another fight, as that one stood at the ruling of that seal (`continues`).
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
    """From here on these rules are in force; `house_rules` are the readings that were asked for, `reason` says why."""

    totals = ("ruleset", "reason")
    ruleset: PinnedRules
    house_rules: dict[str, str]
    reason: SaidTextField

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, ruleset=self.ruleset)


class CombatantJoined(Event, frozen=True):
    """A combatant came into the fight, with its pools as they stand at the start (MAM-POOL-01).

    `order` is the turn order afterwards, empty while initiative is not settled.
    """

    combatant: Combatant
    order: tuple[CombatantRef, ...] = ()

    def apply(self, state: Encounter) -> Encounter:
        joined = self.combatant
        return replace(state, combatants=state.combatants | {joined.id: joined}, order=self.order)


class TieBroken(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The tie breaker that put one combatant before another of the same total: the factor, and what each of them has
    in it.
    """

    ahead: CombatantRef
    behind: CombatantRef
    factor: str
    has: str = ""
    against: str = ""


class InitiativeEstablished(Event, frozen=True):
    """The one who begins and in which order everybody follows (MAM-ORDER-02 to 05); `why` is the reason for the first.

    Where initiative is rolled anew every round (RD6-INIT-04), `rolled` are the totals it goes by, and `ties` tells what
    broke each tie between two who follow one another (RD6-TIE-01).
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
    """The fight is over and the seed is shown (hex), so that anyone can check every drawn die."""

    totals = ("reason",)
    seed: str
    reason: SaidTextField = ""

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, status="closed", turn=None, exchange=None)
