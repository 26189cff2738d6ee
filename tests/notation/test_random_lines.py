"""Random lines: orders in the long form, shortened ones, and nonsense."""

from __future__ import annotations

import re
import string
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events.commands import (
    COMMANDS,
    Attack,
    Close,
    Command,
    Counterattack,
    Incapacitate,
    Open,
    Parry,
    Ready,
    Result,
    Roll,
    actor_of,
    name_of,
)
from mam_events.errors import MamError
from mam_events.events import Play
from mam_events.notation.context import LineContext, TurnStart
from mam_events.notation.grammar.long_form import long_form
from mam_events.notation.grammar.vocabulary import SYNONYMS
from mam_events.notation.lexer.lexer import orders_in
from mam_events.notation.line_result import LineOptions
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.resolver import resolve_order
from mam_events.notation.orders.short_form import expand_short_form
from mam_events.notation.submit import give_line
from mam_events.rules.ron_d6.consequences import with_followed_action, with_interruption
from mam_events.state import BODY, Encounter, is_same_state
from tests.effort import FUZZ
from tests.fights.tables import BY, ERRORS
from tests.fights.tables import Table as RandomTable
from tests.notation.tables import CLONE, MODRE, WOLF, Table


class Typist(RandomTable):
    """A random fight in which every order is typed as its long line."""

    typed = 0

    def order(self, command: Command, **options: Any) -> None:
        if options or isinstance(command, Open):
            super().order(command, **options)
            return
        by = self.random.choice(BY)
        state = self.log.at(self.encounter)
        line = long_form(command, state.open_exchange)
        try:
            line_answer = give_line(self.log, self.encounter, line, LineOptions(by=by, sure=True))
        except ERRORS:
            return
        self.typed += 1
        assert line_answer.said == (line,)
        (answer,) = line_answer.answers
        assert isinstance(answer.head, Play)
        expected = replace(filled_in(command, state), **seed_of(answer.head.command))
        assert (answer.head.command, answer.head.by) == (expected, by)


def filled_in(command: Command, state: Encounter) -> Command:
    """Return the command with the action or interruption that it refers to, which is not typed."""
    if isinstance(command, Incapacitate):
        return with_followed_action(state, command)
    if isinstance(command, Roll):
        return with_followed_action(state, command)
    return with_interruption(state, command) if isinstance(command, Result) else command


def seed_of(command: Command) -> dict[str, str]:
    """Return the seed of a closing, which is not typed."""
    return {"seed": command.seed} if isinstance(command, Close) else {}


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_every_order_of_a_random_fight_can_be_typed_in_the_long_form(seed: int) -> None:
    plain, author = RandomTable(Random(seed), secrets=False), Typist(Random(seed), secrets=False)
    for _ in range(40):
        plain.step()
        author.step()
    assert is_same_state(author.log.at("fight"), plain.log.at("fight"))


class Abbreviator(RandomTable):
    """A random fight in which orders are typed in few letters."""

    typed = understood = 0

    def is_more_in_short(self, command: Command) -> bool:
        """Return True if a short line would add something to the command.

        It adds the points to a `Ready` without points, and the related skill that waits to an action without one.
        """
        if command == Ready(actor_of(command)):
            return True
        alone = getattr(command, "related", None) == ()
        return alone and bool(self.log.at(self.encounter).combatants[actor_of(command)].actions.related)

    def order(self, command: Command, **options: Any) -> None:
        if not options and not isinstance(command, Open) and not self.is_more_in_short(command):
            self.abbreviate(command)
        super().order(command, **options)

    def abbreviate(self, command: Command) -> None:
        """Read a short line of that order, and check that it is that order or a question."""
        state = self.log.at(self.encounter)
        fight = LineContext(state, self.log.rules.in_force(state.ruleset))  # type: ignore[arg-type]  # it is open
        if isinstance(command, Attack | Parry | Counterattack) and self.random.random() < 0.3:
            command = replace(command, weapon="")
        line = shorten_line(long_form(command, state.open_exchange), self.random)
        do = name_of(type(command))
        if any(fight.verbs.get(word, (do,))[0] != do for word in line.split()):
            return  # Cut to a whole word of another order: "throw-die" to the "throw" of a wrestler.
        written_order = orders_in(line)[0]
        self.typed += 1
        try:
            resolved_order = resolve_order(fight, written_order)
            assert not isinstance(resolved_order, TurnStart)
            order, left = expand_short_form(fight, resolved_order)
            read_command = resolve_open_references(order.command, order.left_out, state)
        except ERRORS:
            return
        assert not left, line
        self.understood += 1
        assert read_command == replace(command, **omitted_weapon(command, state)), line


def omitted_weapon(command: Command, state: Encounter) -> dict[str, str]:
    """Return the weapon that an order leaves out: the only thing in hand, or the body."""
    if not isinstance(command, Attack | Parry | Counterattack) or command.weapon:
        return {}
    held = [one.id for one in state.combatants[actor_of(command)].in_hand if one.id != BODY]
    assert len(held) < 2, "two weapons were a question"
    return {"weapon": held[0] if held else BODY}


def shorten_line(line: str, random: Random) -> str:
    """Shorten a long line: drop its colon, its dashes and the ends of some words.

    The words of a join stay whole, and so do those of a line with quotes.
    """
    name, colon, rest = line.partition(": ")
    words = (f"{name} {rest}" if colon else line).split(" ")
    is_unchanged = '"' in line or line.startswith("join ")
    return " ".join(
        word[: random.randint(2, len(word))]
        if re.fullmatch("[a-z-]{3,}", word) and random.random() < 0.3 and not is_unchanged
        else word
        for word in words
        if word != "-"
    )


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_a_shortened_order_is_never_read_as_another_order(seed: int) -> None:
    type_shortened_fight(seed)


def type_shortened_fight(seed: int) -> Abbreviator:
    """Type a whole fight in abbreviated lines, and return it.

    It checks that no line is understood as another order.
    """
    table = Abbreviator(Random(seed), secrets=False)
    for _ in range(40):
        table.step()
    return table


@pytest.mark.slow
def test_seven_of_eight_shortened_orders_are_understood() -> None:
    tables = [type_shortened_fight(seed) for seed in range(20)]
    assert sum(table.understood for table in tables) > 7 / 8 * sum(table.typed for table in tables) > 500


WORDS = [
    *SYNONYMS, *COMMANDS, "n", "u", "u 3", "redo", "gm", "modre", "clone", "wolf", "ice", "p4", "m2", "3", "12", ".",
    ";", "[2 1]", "power=", "=", '"', "(", ")", "{", "}", "#3", "after 3", "amend 6", "-", "9" * 30, "\\", "ready", "!",
    "@", "weapon=(", "by=", "id=x", "expect=3", "1.1 modre:", "a:", "\x00", "é", "💥", "x=1", "2d", "5m", "seen=gm",
    "exp=",
]  # fmt: skip


@settings(max_examples=5_000 if FUZZ else 200)
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(string.printable, max_size=5)), max_size=8).map(" ".join))
def test_any_line_is_either_accepted_or_refused(line: str) -> None:
    table = Table(MODRE, CLONE, WOLF)
    table("initiative first=modre reason=so")
    before = table.log.application.recorder.last_version("fight")
    try:
        answer = table(line)
    except MamError as error:
        text = error.sentence
        assert table.log.application.recorder.last_version("fight") == before
        assert text
        assert "\n" not in text
    else:
        assert len(answer.said) == len(answer.answers) or answer.asks
