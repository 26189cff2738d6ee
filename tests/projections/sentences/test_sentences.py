"""The sentences of events and the clauses of commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from string import Formatter
from typing import Literal, get_origin

import pytest
from msgspec import Struct

from mam_events.commands import (
    COMMANDS,
    Adjust,
    Attack,
    BeginTurn,
    DeclaredOutcome,
    Hold,
    Initiative,
    Join,
    Manipulate,
    Open,
    Parry,
    PoolMove,
    Resolve,
    Tackle,
)
from mam_events.events import (
    TYPES,
    CollisionComputed,
    CounterattackResolved,
    Event,
    Head,
    InterferenceResolved,
    RulingMended,
    RulingRejudged,
    SurpriseEstablished,
)
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.refusals.arguments import Message, text_fragment
from mam_events.state import Weapon
from projections.rulings.audit import audit_trail
from projections.rulings.index import RulingContext, RulingIndex
from projections.rulings.log_lines import log_lines
from projections.sentences import CLAUSES, PARTS, ROLLS, SENTENCES, event_sentence
from projections.sentences.types import phrase_for
from tests.effort import seeds
from tests.projections.evenings import NAMES, evening


def test_every_event_has_a_sentence_and_every_command_a_clause() -> None:
    rows_of_rulings = Head | RulingMended | RulingRejudged
    assert set(SENTENCES) == {kind for kind in TYPES.values() if not issubclass(kind, rows_of_rulings)}
    assert set(CLAUSES) == set(COMMANDS.values())
    assert set(PARTS) | set(ROLLS) <= set(SENTENCES)


def test_sentence_templates_use_only_existing_fields_in_valid_formats(log: CombatLog) -> None:
    evening(log, "fight", 0)
    played_rulings = list(rulings(log.timeline("fight")))
    scene = RulingContext(RulingIndex(played_rulings, "gm"), played_rulings[-1])
    for table in (SENTENCES, CLAUSES, PARTS):
        for kind, text in table.items():
            if isinstance(text, str):
                for field, way in _asked(text):
                    *path, name = field.split(".")
                    of: type[Struct] = kind
                    for part in path:
                        of = field_specs(of)[part].kind
                    assert _way_fits(field_specs(of)[name], way), text
                    assert way not in ("thing", "hold", "held") or field_specs(kind)["combatant"].is_person, text
                phrase = phrase_for(table, _filled(kind), scene)
                assert not re.search(r"[{}_]|\bana\b", phrase), phrase
                assert (phrase == text) == (not _asked(text)), phrase


def _asked(text: str) -> list[tuple[str, str]]:
    """Return the fields that a text asks for, each with its format."""
    return [(field, way or "") for _, field, way, _ in Formatter().parse(text) if field]


def _way_fits(shape: FieldSpec, way: str) -> bool:
    """Return True if a field of that kind can have that format (`tables`)."""
    a_text = shape.kind is str or get_origin(shape.kind) is Literal
    if way == "thing":
        return shape.names == ("thing",)
    if way == "why":
        return isinstance(shape.kind, list) and Message in shape.kind
    if way in ("hold", "held"):
        return shape.names == ("grapple",)
    if way in ("s", "words", "because"):
        return a_text and not shape.is_person and shape.names != ("thing",)
    return shape.kind is int if way else shape.is_person or shape.kind in (int, Decimal)


def _filled(kind: type[Struct]) -> Struct:
    """Return a struct of that kind with a value in every field."""
    return kind(**{name: _sample(shape) for name, shape in field_specs(kind).items()})


def _sample(shape: FieldSpec) -> object:
    if shape.is_list:
        return (_sample(shape.inner),)
    if shape.choices or shape.is_person:
        return shape.choices[0] if shape.choices else "ana"
    if isinstance(shape.kind, type) and issubclass(shape.kind, Struct):
        return _filled(shape.kind)
    if isinstance(shape.kind, list):
        return text_fragment("came_of_it/tie")
    return {str: "rope", int: 2, Decimal: Decimal("1.50")}.get(shape.kind)


NUMBERED = r"\b(Interference|Counterattack) \d|(interferes with|·) action \d"
"""An action by its number instead of its combatant, also for an undone one."""


@pytest.mark.parametrize("seed", seeds(12))
def test_sentences_use_names_and_never_ids(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    played_rulings = list(rulings(log.timeline("fight")))
    sentences = [text for entry in audit_trail(played_rulings) for text in (entry.sentence, *entry.follows)]
    sentences += [line.text for line in log_lines(played_rulings)]
    assert any(name in text for text in sentences for name in NAMES.values())
    for text in sentences:
        assert not re.search(rf"\b({'|'.join(NAMES)})\b", text), text
        assert text[0].isupper(), text
        assert not text.endswith(("..", ":.", ": ")), text
        assert not re.search(NUMBERED, text), text


@dataclass
class Case:
    word: Adjust
    sentence: str


WORDS = (
    Case(
        Adjust("so be it", move=(PoolMove("modre", "defense", "stun", 2), PoolMove("clone", "ready", "damage", 1))),
        "The game master moves 2 points from defense to stun for Modre. "
        "The game master moves 1 point from ready to damage for Clone: so be it.",
    ),
    Case(
        Adjust("enough", condition={"clone": "out", "modre": "incapacitated"}),
        "The game master says that Clone is out of the fight. The game master says that Modre is down: enough.",
    ),
    Case(
        Adjust("a good grip", hold=(Hold("modre", "arm-lock", 2, 1),)),
        "The game master gives Modre the hold arm-lock: 2 points, +1: a good grip.",
    ),
    Case(Adjust("he slipped", turn="clone"), "The game master says that it is Clone's turn: he slipped."),
    Case(Adjust("a pause", turn="-"), "The game master says that it is nobody's turn: a pause."),
    Case(Adjust("only words"), "The game master's word: only words."),
    Case(
        Adjust("it grazed", outcome=DeclaredOutcome(6, "half", stun=1)),
        "The game master says that Modre's attack on Clone half-hits. "
        "Clone takes 1 stun: 1 point from ready: it grazed.",
    ),
)


@pytest.mark.parametrize("case", WORDS, ids=lambda case: case.word.reason)
def test_an_adjustment_has_a_sentence_with_its_reason(printed_fight: CombatLog, case: Case) -> None:
    printed_fight.undo("fight", 7, rewind=True)
    printed_fight.execute("fight", case.word)
    assert audit_trail(rulings(printed_fight.timeline("fight")))[-1].sentence == case.sentence


def test_a_join_has_a_sentence_with_the_side_and_the_pools(log: CombatLog) -> None:
    log.execute("fight", Open(house_rules={"half_success": "never"}))
    log.execute("fight", Join("ana", name="Ana", hp=5, pools={"ready": 2, "stun": 3}))
    log.execute("fight", Join("bo", name="Bo", side="foes", hp=4, encumbrance=1))
    assert [entry.sentence for entry in audit_trail(rulings(log.timeline("fight")))] == [
        "The fight opens under mam_pools.",
        "Ana joins with 5 hit points: 2 ready, 3 stun.",
        "Bo joins for foes with 4 hit points: 3 ready, 1 other used.",
    ]


def test_sentences_of_tackles_and_throws_name_the_intended_result(log: CombatLog) -> None:
    for command in (
        Open(),
        *(Join(name.lower(), name=name, hp=9, size=size) for name, size in (("Ana", 0), ("Bo", 2), ("Cid", 0))),
        Initiative(first="ana", reason="quick"),
        BeginTurn("ana"),
        Manipulate("ana", "bo", points=4, follow_up="throw", surface="the wall", into="cid"),
        Tackle("cid", 7, 7, points=2, modifier=1, follow_up="hold"),
        Resolve(7, 6, 1, interference_die={"8": 1}),
    ):
        log.execute("fight", command)
    declaration, tackled, resolution = audit_trail(rulings(log.timeline("fight")))[-3:]
    assert declaration.sentence == "Ana manipulates Bo with the body to throw into the wall and Cid: 4 on manipulating."
    assert tackled.sentence == "Cid tackles Ana with the body, to hold: 2 on manipulating and 1 on the modifier."
    assert "Cid's tackle of Ana fails: not higher." in resolution.sentence
    assert "Bo is thrown into Cid with power 2: 6 against 2." in resolution.sentence


def test_a_tackle_instead_of_a_defense_is_named_as_one(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", 6, rewind=True)
    printed_fight.execute("fight", Attack("modre", "clone", power=2))
    attack = printed_fight.timeline("fight").number
    printed_fight.execute_all("fight", [Tackle("clone", attack, attack, points=2), Resolve(attack, 1, 6)])
    entry = audit_trail(rulings(printed_fight.timeline("fight")))[-1]
    assert "Clone's tackle succeeds: the tackle is higher." in entry.sentence


def test_a_parry_for_another_combatant_names_the_attacker(log: CombatLog) -> None:
    for command in (
        Open(),
        *(Join(name.lower(), name=name, hp=9, weapon=(Weapon("club"),)) for name in ("Ana", "Bo", "Cid")),
        Initiative(first="ana", reason="quick"),
        BeginTurn("ana"),
        Attack("ana", "bo", "club", power=2),
        Parry("cid", 7, "club"),
        Resolve(7, 6, 1, interference_die={"8": 1}),
    ):
        log.execute("fight", command)
    played_rulings = list(rulings(log.timeline("fight")))
    *_, parry, resolution = audit_trail(played_rulings)
    assert parry.sentence == "Cid parries Ana's attack with the club."
    assert "Cid's parry of Ana fails: not higher." in resolution.sentence
    (*_, line) = log_lines(played_rulings)
    assert "Cid: failure" in line.text


@pytest.mark.parametrize(("to_the_ram", "ending"), [(3, "adds 3."), (5, "adds 3 to this and 5 to the ram.")])
def test_a_collision_shows_both_bonuses_from_speed_if_they_differ(
    printed_fight: CombatLog, to_the_ram: int, ending: str
) -> None:
    (*_, ruling) = played_rulings = list(rulings(printed_fight.timeline("fight")))
    event = CollisionComputed(6, "modre", "clone", "head_on", Decimal("3.0"), Decimal(to_the_ram), "front", 9, 0)
    sentence = event_sentence(event, RulingContext(RulingIndex(played_rulings, "gm"), ruling))
    assert sentence == f"Clone rams back into the front of Modre with power 9; the speed of both {ending}"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (InterferenceResolved(6, 99, 98, "half", "a tie."), "Interference 99 half-succeeds: a tie."),
        (CounterattackResolved(6, 99, "fail", 0, 0, "lower."), "Counterattack 99 misses: lower."),
    ],
)
def test_an_unknown_action_is_named_by_its_number(printed_fight: CombatLog, event: Event, sentence: str) -> None:
    """The action is hidden from the view, or in rulings that were not requested."""
    (*_, ruling) = played_rulings = list(rulings(printed_fight.timeline("fight")))
    assert event_sentence(event, RulingContext(RulingIndex(played_rulings, "gm"), ruling)) == sentence


@pytest.mark.parametrize(
    ("surprisers", "have"), [(("modre",), "Modre has"), (("modre", "clone"), "Modre and Clone have")]
)
def test_has_and_have_agree_with_the_number_of_surprisers(
    printed_fight: CombatLog, surprisers: tuple[str, ...], have: str
) -> None:
    played_rulings = list(rulings(printed_fight.timeline("fight")))
    event = SurpriseEstablished(surprisers, ("clone",), "a surprise attack")
    assert (
        event_sentence(event, RulingContext(RulingIndex(played_rulings, "gm"), played_rulings[-1]))
        == f"{have} surprised Clone."
    )


def test_a_manipulation_below_the_size_of_its_target_has_no_effect(log: CombatLog) -> None:
    for command in (
        Open(),
        *(Join(name.lower(), name=name, hp=9, size=size) for name, size in (("Ana", 0), ("Bo", 9))),
        Initiative(first="ana", reason="quick"),
        BeginTurn("ana"),
        Manipulate("ana", "bo", points=1),
        Resolve(6, 6, 1),
    ):
        log.execute("fight", command)
    played_rulings = rulings(log.timeline("fight"))
    assert (
        "Ana rolled well, but does not move Bo: the manipulation comes to 1, which is not more than Bo's size of 9."
        in audit_trail(played_rulings)[-1].sentence
    )
    assert log_lines(rulings(log.timeline("fight")))[-1].text.endswith(
        " · rolled well, but 1 is not more than Bo's size of 9"
    )
