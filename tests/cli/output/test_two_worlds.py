"""Two fights that differ only in hidden facts give a view the same bytes."""

from __future__ import annotations

import base64
import re
import shutil
import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import get_type_hints

import pytest
from click.shell_completion import ShellComplete

from cli.app import main
from cli.orders.syntax import order_syntax
from cli.session import Session
from mam_events.commands import COMMANDS
from tests.cli.played_worlds import HASHES, run, slow_cases
from tests.cli.worlds import (
    AS_FOUGHT,
    FIGHTS,
    GUESSES,
    INSERTS,
    OF_ROUNDS,
    ORDERS,
    PROBES,
    WHOLE,
    WORLDS,
    lines,
)
from tests.effort import FUZZ


def answers(store: Path, words: list[str], view: str, folder: Path) -> tuple[int, str, str]:
    """Run a command in a copy of that store and return its exit code, output and errors."""
    for file in folder.glob("mam.db*"):
        file.unlink()
    shutil.copy(store, folder / "mam.db")
    viewed = [] if "--as" in words else ["--as", view]
    return run([*words, *viewed])


Worlds = Callable[[str], Mapping[str, tuple[Path, Path]]]


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    ("fight", "view", "every"),
    [
        ("turns", "public", 4),
        *slow_cases(
            *((fight, "public", 1) for fight in FIGHTS), ("turns", "side:heroes", 1), ("holds", "side:heroes", 1)
        ),
    ],
)
def test_hidden_facts_change_no_byte_of_the_output_to_a_view(
    worlds: Worlds, fight: str, view: str, every: int, table: Path
) -> None:
    differences = []
    for at, (moment, stores) in enumerate(worlds(fight).items()):
        # Try each order at one moment of each fight, with `make fuzz` at all moments; `make test` tries one in four.
        for words in PROBES if FUZZ and every == 1 else [*WHOLE, *PROBES[at :: len(worlds(fight))]][::every]:
            one, other = (answers(store, words, view, table) for store in stores)
            if one != other:
                differences.append((moment, " ".join(words), one, other))
    assert not differences, "\n\n".join("\n".join(map(str, each)) for each in differences)


@pytest.mark.slow
@pytest.mark.usefixtures("same_luck")
def test_hidden_inserts_do_not_change_the_order_of_output(worlds: Worlds, table: Path) -> None:
    for moment, stores in worlds("inserts").items():
        for words in lines(AS_FOUGHT):
            one, other = (answers(store, words, "public", table) for store in stores)
            assert one == other, (moment, words)


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    ("fight", "view"),
    [
        ("turns", "public"),
        *slow_cases(
            *((fight, "public") for fight in (*FIGHTS, *INSERTS) if fight != "turns"), ("turns", "side:heroes")
        ),
    ],
)
def test_a_page_for_a_view_is_the_same_in_both_worlds(worlds: Worlds, fight: str, view: str, table: Path) -> None:
    for moment, stores in worlds(fight).items():
        pages = []
        for store in stores:
            code, out, err = answers(store, ["replay", "--html", "-"], view, table)
            assert code == 0, (moment, err)
            before, packed, after = re.split(r'(?<=id="book">)(.*?)(?=</script>)', out, maxsplit=1)
            pages.append((before, HASHES.sub("#", zlib.decompress(base64.b64decode(packed)).decode()), after))
        assert pages[0] == pages[1], moment


@pytest.mark.usefixtures("same_luck")
def test_a_cut_guess_of_a_hidden_name_reveals_nothing(worlds: Worlds, table: Path) -> None:
    stores = worlds("turns")["between turns"]
    for guess in GUESSES:
        for line in (f"declare-combo 1 --target {guess}", f"attack ana {guess.upper()}"):
            one, other = (answers(store, line.split(), "public", table) for store in stores)
            assert one == other, line
    for name in (secret.name for secret in WORLDS):
        for more in ([], ["--json"]):
            words = ["amend", "3", f"name={name}", "item=[]", "--preview", *more]
            one, other = (answers(store, words, "public", table) for store in stores)
            assert one == other, words
            assert f"{name} carries no" in " ".join(one[1].split()), one[1]
    result = answers(stores[0], ["declare-combo", "1"], "public", table)
    assert "no turn is in progress and somebody hidden is next to begin" in result[2]


@pytest.mark.usefixtures("same_luck")
def test_no_die_of_a_hidden_interference_is_asked_for(worlds: Worlds, table: Path, tmp_path: Path) -> None:
    stores = []
    for store, secret in zip(worlds("turns")["an open exchange"], WORLDS, strict=True):
        stores.append(tmp_path / secret.who)
        shutil.copy(store, stores[-1])
        for line in (
            "join cal --hp 9",
            f"interfere {secret.who} 8 --points 1",
            "interfere cal 8 --points 1 --hidden",
        ):
            code, _, err = run([*line.split(), "--store", str(stores[-1]), "-q"])
            assert code == 0, err
    for line in ("options", "options --all", "options --json", "resolve 3", "resolve 3 3"):
        one, other = (answers(store, line.split(), "public", table) for store in stores)
        assert one == other, line
        assert not re.search("interference.di[ec]", one[1] + one[2]), line
    assert "interference_die" in answers(stores[0], ["options", "--json"], "gm", table)[1]


def test_every_option_that_names_a_combatant_is_tried_with_a_guess() -> None:
    guessed_lines = {
        (word.partition("=")[0], "GUESS" in value)
        for line in lines(ORDERS + OF_ROUNDS)
        for word, value in pairwise(line)
    }
    options = {
        order_syntax(do).options[field]
        for do in COMMANDS
        for field, kind in get_type_hints(COMMANDS[do], include_extras=True).items()
        if field in order_syntax(do).options and "'names': ('combatant',)" in str(kind)
    }
    assert {option for option in options if (option, True) not in guessed_lines} == set()


@pytest.mark.slow
@pytest.mark.usefixtures("same_luck")
def test_the_compared_orders_are_valid_commands(worlds: Worlds, table: Path) -> None:
    store = worlds("turns")["her turn"][0]
    errors = {" ".join(words): answers(store, words, "gm", table)[2] for words in PROBES if GUESSES[1] not in words}
    assert not [words for words, err in errors.items() if "No such" in err or "unexpected" in err]


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize("line", ["--as public attack", "attack --as public", "--as public options"])
def test_shell_completion_offers_no_hidden_combatants(worlds: Worlds, line: str, table: Path) -> None:
    for store in worlds("turns")["her turn"]:
        shutil.copy(store, table / "mam.db")
        completions = ShellComplete(main, {"obj": Session()}, "mam", "_MAM_COMPLETE").get_completions(line.split(), "")
        assert {item.value for item in completions} == {"ana", "bo"}


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    "line",
    [
        "join WHO --hp 3",
        "join WHO --hp 3 --after 3 --preview",
        "join WHO --hp 3 --after 3 --yes",
        "amend 2 combatant=WHO --preview",
        "amend 3 hp=3 2 combatant=WHO --yes",
        "amend 2 combatant=WHO --preview --command-id TAKEN",
    ],
)
def test_a_join_under_a_hidden_id_only_says_that_the_id_is_taken(
    worlds: Worlds, line: str, table: Path, tmp_path: Path
) -> None:
    differences = set()
    for store, secret in zip(worlds("turns")["her turn"], WORLDS, strict=True):
        copy = tmp_path / secret.who
        shutil.copy(store, copy)
        assert run(["undo", "4", "--yes", "--store", str(copy), "-q"])[0] == 0
        assert run(["move", "ana", "1", "--command-id", "TAKEN", "--store", str(copy), "-q"])[0] == 0
        for database in (store, copy):
            code, out, err = answers(database, line.replace("WHO", secret.who).split(), "public", table)
            differences.add((code, out, re.sub(rf"\b{secret.who}\b", "WHO", err)))
    ((code, out, err),) = differences
    assert (code, out) == (1, "")
    taken = r'(After ruling 3: )?"WHO" is already in this fight. Choose another name.'
    assert re.match(rf"encounter: mill\n{taken}\n(next|possible now): mam ", err)


@pytest.mark.usefixtures("same_luck", "table")
def test_a_repeated_join_of_a_hidden_combatant_is_recognised(worlds: Worlds, tmp_path: Path) -> None:
    store = tmp_path / "mill.db"
    shutil.copy(worlds("turns")["her turn"][0], store)
    words = ["join", "spy", "--hp", "3", "--hidden", "--as", "public", "--command-id", "k1", "--store", str(store)]
    assert run(words)[0] == 0
    code, _, err = run(words)
    assert (code, "Nothing was written: this order is already ruling" in err) == (0, True)


BEFORE = """
new mill · join ana --hp 9 · join bo --hp 9 · initiative --first ana --reason x · begin-turn ana · attack ana bo 1
dispute 6 --claim fair
"""
IN_DISPUTE = """
log · log --json · audit --json · order · order --json · replay --plain · replay --json · report · report --json
disputes · disputes --all --json · precedents · precedents trap --json · export · verify --json · encounters
answer 7 x · answer 8 x · rule-on 7 --uphold · rule-on 8 --uphold · rule-on 9 --uphold · rule-on 7 --with 4
rule-on 7 --with 8 · rule-on 7 --with 10 · dispute 6 --claim x · dispute 8 --claim x · dispute 10 --claim x
undo 6 --yes · undo 6 --yes --json · amend 5 first=bo --preview · note x --about 8 · adjust --reason x --answers 6
answer 7 x --json · rule-on 7 --uphold --json · log 8 · audit 8 · undo 8
"""


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize("moment", ["open", "decided"])
def test_a_hidden_dispute_looks_like_any_hidden_note(table: Path, tmp_path: Path, moment: str) -> None:
    commands = ["dispute 6 --claim trap --hidden", "answer 8 trap"] + ["rule-on 8 --uphold"] * (moment == "decided")
    stores: list[Path] = []
    for secret in (commands, ["note trap --hidden"] * len(commands)):
        stores.append(tmp_path / f"{len(stores)}.db")
        for words in lines(BEFORE) + [line.split() for line in secret]:
            code, _, err = run([*words, "--store", str(stores[-1]), "-q"])
            assert code == 0, (words, err)
    differences = [
        (" ".join(words), one, other)
        for words in lines(IN_DISPUTE)
        for one, other in [[answers(store, words, "public", table) for store in stores]]
        if one != other
    ]
    assert not differences, "\n\n".join("\n".join(map(str, each)) for each in differences)
    assert answers(stores[0], ["disputes", "--all"], "gm", table) != answers(
        stores[1], ["disputes", "--all"], "gm", table
    )


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    ("edition", "has"), [("mam_pools", "--hp 9"), ("ron_d6", "--code perception=2D --code agility=2D")]
)
def test_hints_do_not_count_hidden_combatants(edition: str, has: str, table: Path, tmp_path: Path) -> None:
    differences: set[tuple[int, str, str]] = set()
    for secret in (f"join spy {has} --hidden", "note trap --hidden"):
        store = tmp_path / f"{len(differences)}.db"
        for line in (f"new duel --preset {edition}", f"join ana {has}", secret):
            assert run([*line.split(), "--store", str(store), "-q"])[0] == 0
        differences.add(answers(store, ["note", "hello"], "public", table))
    ((code, _, err),) = differences
    assert (code, "next: mam" in err) == (0, True)
