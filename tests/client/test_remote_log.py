"""The log of a service, used from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

import pytest

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Attack, BeginTurn, Command, Defend, EndTurn, Initiative, Join, Move, Open, Resolve
from mam_events.errors import BadInput, MamError, NoFace, NotFound, Refused, VersionConflict
from mam_events.events import Amend, Branch, EncounterOpened, Strike
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer, Preview
from mam_events.log.writable_log import WritableLog
from mam_events.notation.author import GM_AUTHOR, LineAuthor
from mam_events.notation.line_log import LineLog, LocalLog
from mam_events.notation.line_result import LineGiven, LineOptions
from mam_events.store import build_events
from tests.service.conftest import Client, Service
from web.client.remote_log import RemoteLog

Name = Callable[[], str]
PARTY: tuple[Command, ...] = (
    Join("ana", name="Ana", hp=9, side="heroes"),
    Join("bo", name="Bo", hp=9, side="thugs"),
    Initiative(first="ana", reason="she kicked the door in"),
    BeginTurn("ana"),
)


@pytest.fixture
def remote(shared_service: Service) -> Iterator[RemoteLog]:
    with RemoteLog.at_address(f"http://127.0.0.1:{shared_service.port}/") as log:
        yield log


@pytest.fixture
def duel(remote: RemoteLog, encounter: Name) -> str:
    name = encounter()
    remote.execute(name, Open())
    remote.execute_all(name, PARTY)
    return name


def test_writable_logs_share_the_writes_that_take_a_command_id() -> None:
    public = {
        name: method for name, method in vars(WritableLog).items() if callable(method) and not name.startswith("_")
    }
    names = {name for name, method in public.items() if "command_id" in signature(method).parameters}
    assert len(names) == 8
    for log in (CombatLog, RemoteLog):
        assert names.isdisjoint(vars(log))
        assert WritableLog.__abstractmethods__ <= vars(log).keys()


def test_at_store_returns_a_local_log_and_is_refused_by_a_remote_one(remote: RemoteLog) -> None:
    with LocalLog.open("sqlite://") as log:
        assert log.at_store("serve") is log
    with pytest.raises(Refused, match=r"A service cannot do `serve`\. Do it on the computer"):
        remote.at_store("serve")


def test_a_method_that_a_service_lacks_is_refused_and_an_unknown_one_missing(remote: RemoteLog) -> None:
    with pytest.raises(Refused, match=r"A service cannot do `grouped`\. Do it on the computer"):
        remote.grouped("duel")  # type: ignore[attr-defined]  # the test is about that
    with pytest.raises(AttributeError):
        remote.no_such_thing  # type: ignore[attr-defined]  # noqa: B018 - reads the attribute


def played(log: LineLog, name: str) -> Iterator[tuple[str, list[Answer] | LineGiven]]:
    """Play a fight with every kind of write and yield the answers."""
    yield "open", [log.execute(name, Open(title="The cellar"), by="Kim")]
    yield "together", log.execute_all(name, PARTY, by="Kim", command_id="party", expected=1)
    yield "again", log.execute_all(name, PARTY, by="Kim", command_id="party", expected=1)
    yield "hidden", [log.execute(name, Attack("ana", "bo", power=2), visibility="gm")]
    yield "line", log.give_line(name, 'note "now"; d 1; 6 1.', LineOptions(by="Ben", command_id="line"))
    yield "line again", log.give_line(name, 'note "now"; d 1; 6 1.', LineOptions(by="Ben", command_id="line"))
    yield "stopped", log.give_line(name, "n")
    yield "stopped", log.give_line(name, "a ana p1 3 1")
    yield "asked", log.give_line(name, "amend 6 p1")
    yield "looked at", log.give_line(name, "u", LineOptions(looks=True))
    yield "looked at an insert", log.give_line(name, "after 5 m 1", LineOptions(looks=True))
    yield "insert", [log.execute(name, Move("ana", points=1), after=5)]
    yield "insert again", log.give_line(name, "after 5 m 1", LineOptions(sure=True))
    yield "undo", [log.undo(name, 14, reason="no")]
    yield "redo", [log.redo(name)]
    steps = [Amend(6, {"power": 1})]
    yield "correct", [log.correct(name, steps, by="Ana", reason="misread", expect=log.preview(name, steps).expect)]
    yield "comment", [log.note(name, "so it was", about=6, by="Ana")]
    claim = log.note(name, "it was a six", kind="dispute", about=8, rule="MAM-ATK-01", visibility="side:thugs")
    yield "dispute", [claim]
    yield "answer", [log.note(name, "it was none", kind="answer", about=claim.number)]
    yield "decision", [log.note(name, "it was none", kind="decision", about=claim.number)]
    wish = log.note(name, "please", kind="proposal", order=EndTurn("bo"), by="Ben")
    yield "proposal", [wish]
    yield "accept", log.accept(name, wish.number, instead=Defend("ana", 12, 1), reason="that", by="Kim")
    # Undo the end of Ana's turn: later rulings still count with bookkeeping, but not under the strict turn policy.
    end = next(n for n, entry in log.timeline(name).entries.items() if isinstance(entry.head.command, EndTurn))
    preview = log.preview(name, [Strike(end)])
    assert any(entry.bookkeeping for entry in preview.rejudged)
    yield "foreseen as played", LineGiven((), asks=preview)
    answer = log.correct(name, [Strike(end)], expect=preview.expect)
    yield "as played", [answer]
    yield "undone strictly", [log.undo(name, answer.number, turns="strict")]
    yield "strict", [log.correct(name, [Strike(end)], turns="strict", by="Kim")]
    yield "redone", [log.redo(name, turns="strict")]
    yield "strict insert", [log.execute(name, Move("ana", points=1), after=5, turns="strict")]
    yield "strict line", log.give_line(name, "u strict !")
    yield "a turn inserted", log.give_line(name, f"after {end} bo. !", LineOptions(command_id="turn"))
    yield "a turn inserted again", log.give_line(name, f"after {end} bo. !", LineOptions(command_id="turn"))
    yield "branch", [log.branch(name, f"{name}-again", 10, by="Kim")]


def verdicts(answer: Answer | Preview) -> list[Any]:
    """Return what became of each rejudged ruling, and the combatants after it."""
    return [
        (
            *(entry.ruling, entry.verdict, entry.why, entry.events, entry.because, entry.undrawn),
            *(entry.bookkeeping, entry.kept_otherwise, entry.state.combatants),
        )
        for entry in answer.rejudged
    ]


def comparable(answer: list[Answer] | LineGiven, name: str) -> Any:
    """Return an answer without the parts that differ between the two logs: their seeds, seals and times."""
    if isinstance(answer, LineGiven):
        asks = answer.asks
        # `expect` differs, because it includes the salt of hidden rulings.
        alike = asks and (asks.first, verdicts(asks), asks.struck, asks.restored, asks.unused, asks.touches_more)
        return answer.said, answer.stopped, alike, comparable(list(answer.answers), name)
    return [
        (
            one.encounter.replace(name, "fight"),
            one.number,
            type(one.head),
            one.head.by,
            one.head.visibility,
            getattr(one.head, "text", ""),
            getattr(one.head, "turns", ""),
            [event for event in one.events if not isinstance(event, EncounterOpened)],
            one.state.combatants,
            one.state.exchange,
            one.state.turn,
            verdicts(one),
            one.repeated,
            one.corrected_by,
        )
        for one in answer
    ]


def test_a_remote_log_answers_every_write_like_a_local_log(remote: RemoteLog, encounter: Name) -> None:
    name = encounter()
    with LocalLog.open("sqlite://") as local_log:
        for one, other in zip(played(local_log, name), played(remote, name), strict=True):
            assert comparable(one[1], name) == comparable(other[1], name), one[0]
        assert remote.timeline(name).number == local_log.timeline(name).number
        assert remote.at(name).combatants == local_log.at(name).combatants


def test_of_several_orders_all_are_written_or_none(remote: RemoteLog, duel: str) -> None:
    with pytest.raises(Refused, match=r"^order 2 of 2: ") as error:
        remote.execute_all(duel, [Move("ana", points=1), EndTurn("bo")])
    assert error.value.code == "out_of_turn"
    assert remote.timeline(duel).number == 5
    with pytest.raises(BadInput, match="is sent alone, not in a list"):
        remote.execute_all(duel, [Open(), EndTurn("ana")])
    with pytest.raises(VersionConflict):
        remote.execute_all(duel, [EndTurn("ana")], expected=4)


@pytest.mark.parametrize("way", ["one", "several", "line"])
def test_dice_are_drawn_by_the_service_from_its_own_seed(
    shared_service: Service, remote: RemoteLog, encounter: Name, way: str
) -> None:
    name = encounter()
    with CombatLog.open("sqlite://") as local_log:
        local_log.execute(name, Open())
        local_log.execute_all(name, [*PARTY, Attack("ana", "bo", power=2)])
        import_ndjson(remote, export_ndjson(local_log, name))
    if way == "one":
        answers: Any = [remote.execute(name, Resolve(6))]
    elif way == "several":
        answers = remote.execute_all(name, [Defend("bo", 6, 1), Resolve(6)])
    else:
        answers = remote.give_line(name, "d 1; r.").answers
    assert [one.number for one in answers] == {"one": [8], "several": [7, 9], "line": [7, 9, 10]}[way]
    lead = [head for head in remote.timeline(name).heads if isinstance(head, Branch)]
    assert [head.ruling for head in lead] == [7 if way == "one" else 8]
    with CombatLog.open(shared_service.store) as log:
        assert log.application.seeds.get(name) is not None
    assert remote.application.seeds.get(name) is None


def test_imported_rows_are_appended_and_read_as_from_any_store(
    shared_service: Service, remote: RemoteLog, encounter: Name
) -> None:
    name = encounter()
    with CombatLog.open("sqlite://") as log:
        for commands in ([Open()], PARTY, [Move("ana", points=1)]):
            log.execute_all(name, commands)
            with RemoteLog.at_address(f"http://127.0.0.1:{shared_service.port}/") as another:
                import_ndjson(another, export_ndjson(log, name))
                assert another.application.has_written()
        rows = log.application.rows(name)
    assert remote.application.rows(name) == rows
    assert remote.application.recorder.select_rows(name, gt=2, lte=5, desc=True, limit=2) == [rows[4], rows[3]]
    with pytest.raises(VersionConflict, match=r"meanwhile \(version 2\)"):
        remote.application.save(*build_events(name, rows[1:]))
    with pytest.raises(VersionConflict, match=f"no version {len(rows) + 1} yet"):
        remote.application.save(*build_events(name, [(len(rows) + 2, *rows[-1][1:])]))
    assert remote.application.rows(name) == rows


def test_has_written_returns_whether_an_order_was_written(remote: RemoteLog, encounter: Name) -> None:
    name = encounter()
    with pytest.raises(NotFound):
        remote.execute(name, EndTurn("ana"))
    assert not remote.application.has_written()
    remote.execute(name, Open())
    assert remote.application.has_written()


def test_has_written_returns_whether_rows_were_written(remote: RemoteLog, encounter: Name) -> None:
    name = encounter()
    with CombatLog.open("sqlite://") as log:
        log.execute(name, Open())
        events = build_events(name, log.application.rows(name))
    with pytest.raises(VersionConflict):
        remote.application.save(*events[1:])
    assert not remote.application.has_written()
    remote.application.save(*events)
    assert remote.application.has_written()


def test_an_order_has_the_given_visibility(remote: RemoteLog, duel: str, shared_service: Service) -> None:
    assert remote.execute(duel, Move("ana", points=1), visibility="gm").head.visibility == "gm"
    viewer: Client = shared_service.client(shared_service.token("viewer", "--by", "Screen", "-e", duel))
    assert viewer.get(f"/encounters/{duel}/log").json[-1]["hidden"]
    assert (
        remote.execute(duel, Move("ana", points=1, visibility="side:heroes"), visibility="gm").head.visibility == "gm"
    )


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"rule": "MAM-ATK-01"}, "rule"),
        ({"corrections": [3]}, "corrections"),
        ({"order": EndTurn("ana")}, "order"),
        ({"kind": "answer", "about": 6, "rule": "MAM-ATK-01"}, "rule"),
        ({"kind": "decision", "about": 6, "visibility": "gm"}, "visibility"),
        ({"kind": "proposal", "order": EndTurn("ana"), "about": 3}, "about"),
        ({"kind": "remark"}, "kind"),
        ({"about": "6"}, "about"),
    ],
)
def test_invalid_arguments_of_a_note_are_refused(
    remote: RemoteLog, duel: str, fields: dict[str, Any], place: str
) -> None:
    with pytest.raises(BadInput) as error:
        remote.note(duel, "The lamp goes out", **fields)
    assert error.value.place == place
    assert remote.timeline(duel).number == 5


def test_invalid_arguments_of_an_order_are_refused(remote: RemoteLog, duel: str, encounter: Name) -> None:
    def refused(kind: type[MamError], command: Command, name: str = duel, **fields: Any) -> None:
        with pytest.raises(kind):
            remote.execute(name, command, **fields)

    refused(BadInput, EndTurn("ana"), expect="5:0123456789ab")
    refused(BadInput, EndTurn("ana"), after=-1)
    refused(BadInput, EndTurn("ana"), command_id="ключ")
    refused(VersionConflict, EndTurn("ana"), expected=3)
    refused(VersionConflict, Open(), encounter(), expected=3)
    refused(BadInput, Open(), after=3)
    refused(VersionConflict, Move("ana", points=1), after=5, expect="5:0123456789ab")
    assert remote.timeline(duel).number == 5


class Public(LineAuthor):
    """An author with the public view."""

    knows_all = False


def test_a_line_of_a_narrower_view_is_refused(remote: RemoteLog, duel: str) -> None:
    with pytest.raises(Refused, match="Only the game master can send typed lines"):
        remote.give_line(duel, "m 1", LineOptions(author=Public()))
    assert remote.give_line(duel, "m 1", LineOptions(author=GM_AUTHOR)).said == ("ana: move points=1",)


def test_previews_match_what_the_service_would_do(remote: RemoteLog, duel: str) -> None:
    remote.give_line(duel, "a p2; d 1; 6 1.")
    answer = remote.give_line(duel, "amend 6 p1")
    assert answer.asks is not None
    assert remote.timeline(duel).number == 9
    assert answer.asks.expect == remote.preview(duel, [Amend(6, {"power": 1})]).expect
    undo_question = remote.give_line(duel, "u 6", LineOptions(looks=True)).asks
    assert undo_question is not None
    assert undo_question.struck == (6, 7, 8)
    with pytest.raises(VersionConflict):
        remote.give_line(duel, "amend 6 p2", LineOptions(sure=True, expect=answer.asks.expect))
    assert (
        remote.give_line(duel, "amend 6 p1", LineOptions(sure=True, expect=answer.asks.expect)).answers[0].number == 10
    )
    # The same with a die that is drawn only when the correction is written.
    question = remote.give_line(duel, "correct ~#8=(attack_die=-)", LineOptions(looks=True)).asks
    assert question is not None
    assert question.expect == remote.preview(duel, [Amend(8, {"attack_die": None})]).expect
    assert remote.preview(duel, [Strike(9)]).struck == (9,)


def test_missing_faces_are_named_as_by_a_local_log(remote: RemoteLog, duel: str) -> None:
    remote.give_line(duel, "a bo p1 m1")
    with pytest.raises(NoFace, match=r"is thrown at the table\. Type its face") as error:
        remote.give_line(duel, "4", LineOptions(draws=False))
    assert (error.value.dice, error.value.order, error.value.code) == (("Bo's defense",), "resolve", "no_face")
    with pytest.raises(NoFace) as error:
        remote.give_line(duel, "d 1; r", LineOptions(draws=False))
    assert error.value.dice == ("Ana's attack", "Bo's defense")
