"""A round of Ron d6 that has begun, for several files."""

from __future__ import annotations

import pytest

from tests.cli.calls import Begin, Mam


@pytest.fixture
def alley(begin: Begin) -> None:
    """Begin a round of Rook and two thugs in which everybody has rolled and the thugs tie."""
    codes = "--code agility=3D --code dodge=4d --code brawling=3D"
    watch = f"--code perception=2D {codes} --character-points 1 --side watch"
    begin(
        "new alley --preset ron_d6",
        f"join rook --name Rook --code perception=3D {codes} --fate-points 1 --side thieves",
        f"join thug --name Thug {watch}",
        f"join brute --name Brute {watch}",
        "round",
        "initiative roll --all --dice rook=4,2,5 --dice thug=5,4 --dice brute=6,3",
    )


@pytest.fixture
def swing(mam: Mam, alley: None) -> None:  # noqa: ARG001 - what it begins with
    """Let Rook wait and Thug swing at her: action 10, whose result is open."""
    mam.run_all("declare --actions 2", "wait", "declare")
    mam("act", "--action", "punch", "--target", "rook", "--difficulty", "10", "--dice", "3,4,5")


def next_of(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith("next: ")), "")
