"""The decider: one command against one state under one ruleset gives events, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from mam_events.commands import Command, name_of
from mam_events.decider.engine import Decision
from mam_events.decider.offers import Blocked, Template
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import Term

if TYPE_CHECKING:
    from mam_events.decider.engine import CommandRule, Ruleset
    from mam_events.dice import Dice
    from mam_events.state import Encounter


def decide(state: Encounter, command: Command, ruleset: Ruleset, dice: Dice) -> Decision:
    """Judge a command and return the decision: its events and the state after them.

    Raises Refused. Reads nothing but its arguments.
    """
    return prepare(state, command, ruleset)(dice)


def prepare(state: Encounter, command: Command, ruleset: Ruleset) -> Callable[[Dice], Decision]:
    """Check a command without dice, and return a function that judges it with the dice that it is given.

    Both this function and the returned one raise Refused.
    """
    try:
        mechanic = mechanic_of(type(command), ruleset)
        command = mechanic.completes(state, command) if mechanic.completes else command
        checked = mechanic.check(state, ruleset, command)
    except Refused as no:
        no.order = name_of(command)
        raise

    def judged(dice: Dice) -> Decision:
        judging = Decision(state, ruleset, dice)
        judging.command = command
        try:
            mechanic.judge(judging, command, checked)
            judging.settle()
        except Refused as no:
            no.order = name_of(command)
            raise
        return judging

    return judged


def mechanic_of(kind: type[Command], ruleset: Ruleset) -> CommandRule:
    """Return the mechanic that judges such commands under those rules, or raise Refused with `not_in_edition`."""
    mechanic = ruleset.edition.mechanics.get(kind)
    if mechanic is None:
        uses_actions = ruleset.edition.counts_actions
        raise Refused(
            "not_in_edition/order_counted" if uses_actions else "not_in_edition/order",
            order=Term(name_of(kind)),
            preset=Term(ruleset.pinned.preset),
            fields=("do",),
            hints=(CommandHint("declare"), CommandHint("perform")) if uses_actions else (),
        )
    return mechanic


def legal_commands(
    state: Encounter,
    ruleset: Ruleset,
    known: Encounter | None = None,
    redact: Callable[[Template], Template | None] | None = None,
    only: Collection[str] = (),
    words: Callable[[Refused], str] = attrgetter("sentence"),
) -> Iterator[Template | Blocked]:
    """Yield the commands open now and to whom, with their ranges and choices; and the blocked ones, with the reason.

    This asks the same `check` that `decide` asks. Every command that would be accepted lies in a template. If only part
    of the fight is `known`, that holds for every command that names nothing unknown. `redact` redacts a template,
    allowed or not, or returns None to leave it out. `words` returns the text to show for a refusal. If `only` names
    commands, only those are asked about.
    """
    for kind, mechanic in ruleset.edition.mechanics.items():
        if only and name_of(kind) not in only:
            continue
        for offer in mechanic.offers(known or state, ruleset):
            template = redact(offer.template) if redact else offer.template
            if template is None:
                continue
            try:
                mechanic.check(state, ruleset, offer.least)
            except Refused as no:
                yield Blocked(template.do, template.combatant, no.code, words(no), no.rule)
            else:
                yield template
