"""The command adjust: points, conditions or an outcome set by the game master, each with its own grammar."""

from __future__ import annotations

import re
from typing import Any

import click

from cli.orders.builder import build_command, option_of
from cli.orders.submit import parse_whole_number, submit_order
from cli.param_types import IntRange, PairParam
from cli.session import Session, clean_argument, pass_session
from mam_events.commands import Adjust, DeclaredOutcome

_DECLARED = ("outcome", "stun", "damage", "exchange")
"""The options of what an exchange comes to, which the order has in one field."""


@pass_session
def _adjust(session: Session, /, **values: Any) -> None:
    if not clean_argument(values["reason"]).strip():
        raise click.UsageError("Missing reason. Use --reason TEXT.")
    declared = {name: value for name in _DECLARED if (value := values.pop(name)) is not None}
    if declared and "outcome" not in declared:
        raise click.UsageError("--stun, --damage and --exchange need --outcome.")
    own = {
        "move": [
            {
                "combatant": who,
                "source": source,
                "target": target,
                "points": parse_whole_number(points, "POINTS of --move", 1),
            }
            for who, source, target, points in values["move"]
        ],
        "condition": dict(values["condition"]),
        "hold": [_hold(text) for text in values["hold"]],
        "position": [_placing(text) for text in values["position"]],
        "riding": dict(values["riding"]),
        "outcome": declared,
    }
    submit_order(session, "adjust", values | {field: value or None for field, value in own.items()})


def _hold(text: str) -> dict[str, Any]:
    match = re.fullmatch(r"([^=:]+)=([^=:]+):([^:]+)(?::([^:]+)(?::([^:]+))?)?", text)
    if match is None:
        raise click.UsageError(f"--hold must read COMBATANT=HOLD:POINTS, not {text!r}.")
    hold: dict[str, Any] = {
        "combatant": match[1],
        "grapple": match[2],
        "points": parse_whole_number(match[3], "POINTS of --hold"),
    }
    if match[4] is not None:
        hold["modifier"] = parse_whole_number(match[4], "MODIFIER of --hold")
    return hold if match[5] is None else hold | {"held": match[5]}


def _placing(text: str) -> dict[str, Any]:
    match = re.fullmatch(r"([^=:]+)=([^=:]+)(?::([^=:]+))?", text)
    if match is None:
        raise click.UsageError(f"--position must read COMBATANT=POSITION[:PARTNER], not {text!r}.")
    placing = {"combatant": match[1], "position": match[2]}
    return placing if match[3] is None else placing | {"partner": match[3]}


adjust = build_command(
    "adjust",
    _adjust,
    "adjust",
    more=(
        option_of(Adjust, "reason", "TEXT", required=True),
        option_of(
            Adjust, "move", "COMBATANT:FROM:TO:POINTS", type=PairParam(":", "COMBATANT", "POOL", "POOL", "POINTS")
        ),
        option_of(Adjust, "condition", "COMBATANT=CONDITION", type=PairParam("=", "COMBATANT", "CONDITION")),
        option_of(Adjust, "hold", "COMBATANT=HOLD:POINTS[:MODIFIER[:HELD]]"),
        option_of(Adjust, "position", "COMBATANT=POSITION[:PARTNER]"),
        option_of(Adjust, "riding", "COMBATANT=MOUNT", type=PairParam("=", "COMBATANT", "MOUNT")),
        option_of(Adjust, "answers", "N", type=IntRange(1)),
        *(option_of(DeclaredOutcome, field) for field in _DECLARED),
    ),
)
