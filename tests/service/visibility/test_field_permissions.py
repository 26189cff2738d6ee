"""Every field of every order, for every role and route, is accepted or refused by its owner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from mam_events.commands import COMMANDS, ActionOrder, Command, name_of, read_command
from mam_events.errors import BadInput, Refused
from mam_events.log.combat_log import CombatLog
from mam_events.notation.grammar.long_form import long_form
from mam_events.permissions import FIELDS, Rights, owned_fields
from mam_events.tokens import TokenRole, encode_token, issue
from mam_events.values import ACTOR, GM_OWNER, ROLLER
from tests.service.asgi import AsgiRequest, AsgiResponse, send_all
from tests.service.conftest import PARTY

VALUES: tuple[Any, ...] = (
    *("ana", "gm", "1D", "1", "torch", 1, 2, 0.5, True, ["ana"], ["+2 dust"], [1], {"ana": 1}, {"1": 1}, {"ana": [1]}),
    *({"ana": "able"}, {"ana": "bo"}, {"ready": 1}, {"half_success": "never"}, {"agility": "1D"}, {"attack": 1}),
    *([{"id": "cap"}], ["1 ready>stun ana"], [{"combatant": "ana", "source": "ready", "target": "stun", "points": 1}]),
    *([{"combatant": "ana", "grapple": "grip", "points": 1}], [{"combatant": "ana", "position": "standing"}]),
    *({"exchange": 1, "outcome": "full"}, {"exchange": 1}),
)
"""Candidate values; each field accepts one that is not its default."""


def orders(kind: type[Command]) -> Iterator[tuple[str, Command]]:
    """Yield each field with an order of Ana's that has few other fields."""
    name, fields = name_of(kind), FIELDS[name_of(kind)]
    required = {one.name for one in msgspec.structs.fields(kind) if one.required} | {kind.actor} & fields.keys()
    every = {field: [*fields[field].choices, *([one] for one in fields[field].choices), *VALUES] for field in fields}
    least = {field: next(one for one in every[field] if fits(kind, field, one)) for field in required}
    for field in fields:
        for one in fields[field].reserved:
            yield field, read_command({"do": name} | least | {field: one})
        for one in every[field]:
            try:
                command = read_command({"do": name} | least | {field: one})
            except BadInput:
                continue
            if field in msgspec.to_builtins(command):
                yield field, command
                break
        else:
            raise AssertionError(f"no value for {name}.{field}")


def fits(kind: type[Command], field: str, value: Any) -> bool:
    """Return True if the field may have that value."""
    hints = msgspec.structs.fields(kind)
    hint = next(one.type for one in hints if one.name == field)
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def is_refused(command: Command) -> bool:
    """Return True if the types refuse that value from Ana's player, whatever the rules say."""
    kind, name = type(command), name_of(command)
    if kind.given_by == GM_OWNER or name == "resolve":
        # Ana has no open exchange to resolve.
        return True
    values = {field: value for field, value in msgspec.to_builtins(command).items() if field != "do"}
    # In these orders Ana is her own opponent, so the dice are hers.
    if isinstance(command, ActionOrder) and command.skill:
        # No action lists that skill.
        return True
    others = {field for field in values if field.startswith("oppo") and name != "contest"}
    owners = {field: FIELDS[name][field] for field in values}
    return any(
        shape.owner == GM_OWNER or values[field] in shape.reserved or (shape.owner == ROLLER and field in others)
        for field, shape in owners.items()
    )


def begin_duel(log: CombatLog) -> dict[str, str]:
    """Begin a fight of Ana and Bo, and return the tokens of Ana's player and of a viewer."""
    log.execute("duel", read_command({"do": "open"}))
    for order in PARTY:
        log.execute("duel", read_command(order))
    tokens: dict[str, str] = {}
    roles: tuple[tuple[TokenRole, tuple[str, ...]], ...] = (("player", ("ana",)), ("viewer", ()))
    luck = Random(3)
    for role, combatants in roles:
        token, tokens[role] = issue(
            role, role.title(), encounter="duel", combatants=combatants, at="", entropy=luck.randbytes
        )
        log.application.tokens.keep(token.id, encode_token(token))
    return tokens


NUMBERS = count(1)


def build_post(path: str, body: Any, token: str, version: int, *, media: str = "application/json") -> AsgiRequest:
    headers = {"Idempotency-Key": f"k{next(NUMBERS)}", "If-Match": f'"{version}"', "Content-Type": media}
    return AsgiRequest("POST", f"/encounters/duel/{path}", body, headers, token)


def status_and_code(answer: AsgiResponse) -> tuple[int, str]:
    """Return the status and the code of an error."""
    return answer.status, msgspec.json.decode(answer.body).get("code", "") if answer.status >= 400 else ""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "open"])
def test_every_route_accepts_a_field_only_from_its_owner(name: str) -> None:
    not_yours = (403, "not_yours")
    with CombatLog.open("sqlite://") as log:
        tokens = begin_duel(log)
        version = log.timeline("duel").number
        variants = [*orders(COMMANDS[name])]
        batches: list[list[AsgiRequest]] = []
        for field, command in variants:
            order = msgspec.to_builtins(command)
            everybody = (tokens["player"], "", tokens["viewer"])
            batches.append([build_post("commands?dry_run=true", order, token, version) for token in everybody])
            amend = {"correct": "steps", "steps": [{"step": "amend", "ruling": 5, "patch": {field: order[field]}}]}
            batches[-1].append(build_post("corrections", amend, tokens["player"], version))
            if is_refused(command):
                # An accepted order would change the fight for the next field, so send only refused ones.
                batch = [{"do": "check", "combatant": "ana", "what": "a look"}, order]
                line = long_form(command).encode()
                batches[-1].append(build_post("commands", order, tokens["player"], version))
                batches[-1].append(build_post("commands", batch, tokens["player"], version))
                batches[-1].append(build_post("lines", line, tokens["player"], version, media="text/plain"))
        # One service answers all requests, because starting it takes longer than answering.
        answers = iter(send_all(log, [one for each in batches for one in each]))
        for (field, command), each in zip(variants, batches, strict=True):
            player, master, viewer, *responses = [status_and_code(next(answers)) for _ in each]
            assert (player == not_yours) == is_refused(command), (field, player)
            assert master != not_yours
            assert viewer == (403, "forbidden")
            assert responses[:3] == [not_yours] * len(responses[:3]), (field, responses)
            # A line may be parsed differently, and be refused because something is missing.
            assert all(status in (400, 403, 422) for status, _ in responses[3:]), (field, responses)
        assert log.timeline("duel").number == version


def test_only_the_game_master_accepts_decides_and_imports() -> None:
    with CombatLog.open("sqlite://") as log:
        tokens = begin_duel(log)
        player = tokens["player"]
        proposals = send_all(log, [build_post("proposals", {"order": {"do": "adjust", "reason": "so"}}, player, 5)])
        responses = send_all(log, [build_post("disputes", {"about": 5, "claim": "no"}, player, 6)])
        assert [proposals[0].status, responses[0].status] == [200, 200]
        for token in tokens.values():
            for about in (6, 7):
                lines = [f'note "no" kind=decision about=#{about}', f'note "x" corrections=#5 about=#{about}']
                lines += [f"accept {about}", f"correct -#{about}", "after 5: m 1", "amend 5 combatant=bo"]
                requests = [build_post("lines", line.encode(), token, 7, media="text/plain") for line in lines]
                requests += [
                    build_post(f"proposals/{about}/ruling", {"accept": True}, token, 7),
                    build_post(f"disputes/{about}/ruling", {}, token, 7),
                ]
                requests += [build_post("branches", {"encounter": "mine"}, token, 7)]
                assert {answer.status for answer in send_all(log, requests)} <= {400, 403}
        assert log.timeline("duel").number == 7
        with pytest.raises(Refused, match="is not yours to give here"):
            log.limited_to(Rights("player", "Ana", ("ana",))).accept("duel", 6)
        with pytest.raises(Refused, match="game master can begin"):
            log.limited_to(Rights("player", "Ana", ("ana",))).branch("duel", "mine")


def test_every_field_has_an_owner() -> None:
    odd: Any = msgspec.defstruct("Odd", [("combatant", str, "")], namespace={"given_by": ACTOR})
    with pytest.raises(TypeError, match=r"Odd\.combatant does not say whose word it is"):
        owned_fields(odd)
    assert {shape.owner for fields in FIELDS.values() for shape in fields.values()} >= {ACTOR, ROLLER, GM_OWNER}
