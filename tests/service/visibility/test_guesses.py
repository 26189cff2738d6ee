"""Correct and wrong guesses of hidden names and ids get the same answers in every text field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from mam_events.commands import COMMANDS
from mam_events.tokens import TokenRole
from tests.cli.worlds import FIGHTS, WORLDS
from tests.effort import FUZZ
from tests.service.visibility.test_two_worlds import ORDERS, answers_on_copy, first_difference
from web.service.endpoints import ENDPOINTS, EndpointSpec

Worlds = Callable[[str], Mapping[str, tuple[Path, Path]]]
ALL = " ".join(["orc", *(word for secret in WORLDS for word in (secret.who, secret.name)), "troll"])
# The id of one hidden combatant is also the name of an order.
GUESSES = (ALL, *(word for secret in WORLDS for word in (secret.who, secret.name)), f"{WORLDS[0].who}.ready")
AT = "/encounters/mill"
VALUES = {"encounter": "mill", "ruling": "4", "dispute": "9", "proposal": "9", "preset": "mam_pools"}
WORDS: dict[str, Any] = {"act": "x", "reason": "x", "situation": ["+1 x"], "difficulty": "hard", "ability": "climbing"}
"""Texts of an order that a guess replaces."""


def requests(guess: str) -> Iterator[tuple[str, str, Any]]:
    """Yield every call with that guess in place of each text: in the path, the query and the body."""
    for call in ENDPOINTS:
        if call.kind == "stream" or "rerun" in call.path or call.name == "health":
            continue
        body = call.example.body if call.method != "GET" else None
        body = b"a bo p1" if call.body is str else body
        yield from ((call.method, path, body) for path in _paths(call, guess))
        path = call.path.format(**VALUES)
        if isinstance(body, dict | list):
            yield from ((call.method, path, one) for one in guessed(body, guess))
        elif body is not None:
            yield call.method, path, guess.encode()
    for order in ORDERS:
        order_fields = {name: "ana" if value == "GUESS" else value for name, value in order.items()}
        texts = {name: value for name, value in WORDS.items() if name in COMMANDS[order["do"]].__struct_fields__}
        for one in [
            *guessed(order_fields, guess),
            *(order_fields | {name: part} for name in texts for part in guessed(texts[name], guess)),
        ]:
            yield "POST", f"{AT}/odds", one
            yield "POST", f"{AT}/commands?dry_run=true", one
    yield "POST", f"{AT}/commands?dry_run=true", [ORDERS[2], {"do": "act", "combatant": "ana", "act": guess}]
    for ruling in (3, 5, 8, 9):
        for patch in ({"weapon": guess}, {"act": guess}, {"reason": guess}, {"situation": [f"+1 {guess}"]}, {guess: 1}):
            steps = [{"step": "amend", "ruling": ruling, "patch": patch}]
            yield "POST", f"{AT}/corrections/preview", {"correct": "steps", "steps": steps}
    for line in (
        guess,
        f"{guess}: e",
        f"a {guess}",
        f"ana: {guess}",
        f"@{guess}",
        f"a bo {guess}",
        f"ana: a bo p1 {guess}",
    ):
        yield from (("POST", f"{AT}/lines{query}", line.encode()) for query in ("", "?looks=true", f"?passing={guess}"))


def _paths(call: EndpointSpec, guess: str) -> Iterator[str]:
    quoted_guess = quote(guess, safe="")
    path = call.path.format(**VALUES)
    yield from (call.path.format(**VALUES | {name: quoted_guess}) for name in call.names)
    yield f"{path}?{quoted_guess}=1"
    for field in call.query.__struct_encode_fields__:
        yield f"{path}?{field}={quoted_guess}"
        if field == "view":
            yield f"{path}?as=side:{quoted_guess}"


def guessed(value: Any, guess: str) -> Iterator[Any]:
    """Yield a plain value with the guess in place of each text, and then of each key."""
    if isinstance(value, str):
        yield guess
    elif isinstance(value, list):
        yield from (
            [*value[:at], one, *value[at + 1 :]] for at, part in enumerate(value) for one in guessed(part, guess)
        )
    elif isinstance(value, dict):
        for name, part in value.items():
            yield {guess if key == name else key: inner for key, inner in value.items()}
            yield from (value | {name: one} for one in guessed(part, guess))


def writes(request: tuple[str, str, Any]) -> bool:
    """Return True if a request may write when it is accepted."""
    method, path, _ = request
    reads = ("/odds", "/whatif", "/preview")
    return method != "GET" and not path.partition("?")[0].endswith(reads) and "dry_run" not in path


@pytest.mark.slow
@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    ("fight", "role", "moments", "guesses"),
    [
        ("turns", "player", slice(2, 3), GUESSES[:2]),
        *(
            (fight, role, slice(None) if FUZZ else slice(1, 3), GUESSES if FUZZ else GUESSES[:4])
            for fight in (FIGHTS if FUZZ else ("turns", "points"))
            for role in ("player", "viewer")
        ),
    ],
)
def test_a_correct_guess_is_answered_like_a_wrong_one(
    worlds: Worlds, fight: str, role: TokenRole, moments: slice, guesses: tuple[str, ...], tmp_path: Path
) -> None:
    differences, accepted = [], list[str]()
    for moment, stores in [*worlds(fight).items()][moments]:
        for guess in guesses:
            all_requests = list(requests(guess))
            # A written guess is redacted like any text of the log if it hits.
            reads = [one for one in all_requests if not writes(one)]
            write_requests = [one for one in all_requests if writes(one)]
            one, other = (list(answers_on_copy(store, tmp_path, role, reads)) for store in stores)
            assert not [request for request, status, _ in one if status >= 500]
            accepted += [
                request
                for request, status, _ in one
                if request.startswith("POST") and guess in request and status == 200
            ]
            differences += [(moment, *first_difference(a, b)) for a, b in zip(one, other, strict=True) if a != b]
            one, other = (list(answers_on_copy(store, tmp_path, role, write_requests)) for store in stores)
            differences += [
                (moment, *first_difference(a, b))
                for a, b in zip(one, other, strict=True)
                if a != b and not a[1] == b[1] == 200
            ]
    assert accepted or fight != "turns", "no order with a guess in it was answered"
    assert not differences, f"{len(differences)}\n" + "\n\n".join(f"{m}\n{a}\n{b}" for m, a, b in differences[:12])
