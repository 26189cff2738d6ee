"""Two fights that differ only in what a view may not know give that view the same bytes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, get_type_hints

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from cli.main import main
from cli.session import Session
from cli.spelling import SPELLINGS
from mam_events.commands import COMMANDS
from mam_events.log import CombatLog
from tests.conftest import LONG


class Secret(NamedTuple):
    """All that the two worlds do not have in common."""

    who: str
    name: str
    gear: str
    item: str
    armor: str
    side: str
    ability: str
    check: str
    roll: str
    remark: str


WORLDS = (
    Secret(
        "zqx",
        "Zqx",
        "soul-reaper",
        "rope",
        "hide",
        "cult",
        "climbing",
        "--die=2",
        "--dice=2,3",
        "the trap is under the stairs",
    ),
    # An id that is a word of the log's own sentences, of its fields and of its choices.
    Secret("power", "Power of the Fen", "bow", "horn", "plate", "watch", "riding", "--yes", "--yes", "Ana lies"),
)
GUESSES = (*(secret.who for secret in WORLDS), "nobody")

JOINED = """
new mill --title "At_the_mill" --preset PRESET
join ana --name Ana STATS --side heroes --weapon id=sword,power=2 --weapon id=dirk,power=1,readied=no
join bo --name Bo STATS --side thugs --weapon id=club,power=1 --item id=lamp
join WHO --name NAME STATS --side SIDE --weapon id=GEAR,power=3 --item id=ITEM --ability ABILITY=4 \\
--armor id=ARMOR,cover=6,absorption=2 --hidden
note REMARK --hidden
"""
ENDED = """
adjust --reason REMARK --condition WHO=out
close
MOMENT the end
"""
TURNS = """
initiative --first ana --reason quick
begin-turn ana
attack ana bo --weapon sword POWER
MOMENT an open exchange
resolve
check ana hard CHECK --hidden
attack ana WHO POWER
MOMENT an open exchange with somebody hidden
resolve 1 6
note REMARK --about 4 --dispute
MOMENT her turn
end-turn
begin-turn
drop-item bo lamp
end-turn
MOMENT between turns
begin-turn
act WHO REMARK
resolve
attack WHO bo --weapon GEAR POWER
MOMENT an attack of somebody hidden
resolve 2 1
MOMENT the turn of somebody hidden
end-turn
begin-turn ana
amend 4 name=NAME-again --yes
undo 11 --yes
MOMENT after corrections
"""
SPEEDS = """
initiative --first ana --reason quick
begin-turn ana
attack ana bo --weapon sword
MOMENT an open exchange
resolve
check ana hard CHECK --hidden
MOMENT her turn
end-turn
begin-turn
drop-item bo lamp
end-turn
MOMENT between turns
begin-turn
attack WHO bo --weapon GEAR
MOMENT an attack of somebody hidden
resolve 1
MOMENT the turn of somebody hidden
end-turn
begin-turn ana
attack ana WHO
MOMENT an open exchange with somebody hidden
resolve 6
note REMARK --about 4 --dispute
amend 4 name=NAME-again --yes
undo 8 --yes
MOMENT after corrections
"""
ROUNDS = """
round
initiative roll --all --dice ana=6,5,4 --dice WHO=4,4,4 --dice bo=1,1,2
roll ana emotion --code 2D ROLL --hidden
MOMENT before the first turn
declare ana --actions 2
act ana --action punch --target bo --difficulty 5 --dice 4
MOMENT an open action
result
act ana --action punch --target WHO --difficulty 5 --dice 4
MOMENT an open action against somebody hidden
result failure
note REMARK --about 4 --dispute
MOMENT before the turn of somebody hidden
declare WHO
act WHO --action punch --target bo --equipment GEAR --difficulty 5 --dice 1,2
MOMENT an action of somebody hidden
result
declare bo
amend 4 name=NAME-again --yes
MOMENT after corrections
"""
EDITIONS = {
    "mam_pools": (JOINED + TURNS + ENDED, "--hp 9", "--power 1"),
    "mam_speed": (JOINED + SPEEDS + ENDED, "--hp 9", ""),
    "ron_d6": (
        JOINED + ROUNDS + ENDED,
        "--code perception=3D --code agility=2D --code brawling=2D --code dodge=2D",
        "",
    ),
}
"""By preset a fight, what everybody is made of, and what an attack costs."""

LOOKS = """
log · log --json · log --last 3 --at 9 · log --as-of 11 · audit · audit --json · audit 4 · audit 11 · audit 12 --json
pools · pools --json · pools --at 10 · order · order --json · options · options --json · options ana
options bo --all · options --all --json · options GUESS · replay --plain · replay --json · replay --living --json
report · report --json · encounters · encounters --json · verify · verify --json · verify --all · export · seal
"""
ORDERS = """
attack ana GUESS · attack GUESS ana · attack ana bo --weapon soul-reaper · attack ana bo --weapon club · act GUESS x
begin-turn GUESS · begin-turn · end-turn · end-turn GUESS · act ana x · move ana 1 · defend GUESS 1 · defend bo 1
resolve 3 3 · resolve --interference-die GUESS=3 · interfere GUESS 2 --points 1 · interfere bo 1 --points 1
counterattack GUESS · parry GUESS · manipulate ana GUESS --points 1 --follow-up disarm --item soul-reaper
manipulate ana bo --points 1 · pick-up-item ana lamp · pick-up-item ana soul-reaper · drop-item ana soul-reaper
ready-weapon ana soul-reaper · ready-weapon ana dirk · escape ana GUESS · release ana GUESS · contest ana GUESS
check GUESS hard · stalk ana GUESS · mount ana GUESS · heal GUESS · adjust --condition GUESS=dead --reason x
adjust --move GUESS:ready:stun:1 --reason x · adjust --turn GUESS --reason x
adjust --hold ana=grip:1:1:GUESS --reason x · adjust --reason x --outcome full --stun 1
pick-up-item ana lamp --owner GUESS · declare-combo 1 --target GUESS · counterattack ana --target GUESS
resolve 3 3 --armor-die GUESS=3 · escape ana hold-4 --holder GUESS · adjust --riding ana=GUESS --reason x
manipulate ana bo --points 1 --follow-up throw --into GUESS · adjust --position ana=clinch:GUESS --reason x
initiative --circumstance GUESS · initiative --surprise GUESS · initiative --tie-die GUESS=3
initiative --first GUESS --reason x · join eve --mount GUESS --hp 3 · join eve --hp 3 · note x --about 4
note x --about 5 · note x --about 8 · delay-turn ana GUESS · skip-turn · take-position ana clinch GUESS
prepare-counterattack GUESS · change-action GUESS · undo · undo --preview · undo 4 · undo 8 --preview
undo 11 --preview · undo 12 · undo 9 --only --preview · undo 10 --rewind --preview · undo 2 --preview
undo 3 --preview · redo --preview · redo 31 --preview · amend 8 target=GUESS --preview · amend 8 target=GUESS --yes
amend 8 attacker=GUESS --preview · amend 8 weapon=soul-reaper --preview · amend 8 weapon=dirk --preview
amend 9 attack_die=6 --preview · amend 9 attack_die=null --preview · amend 4 name=x --preview · amend 11 die=3
amend 2 name=GUESS --preview · amend 2 hp=12 --preview · amend 7 combatant=GUESS --preview
attack ana GUESS --after 9 · move ana 1 --after 9 · act ana x --after 9 --yes · end-turn ana --after 14
log --as side:GUESS-SIDE
"""
OF_ROUNDS = """
round · declare · declare ana · declare GUESS · wait · wait ana · act ana --action punch --target GUESS --difficulty 5
act ana --action punch --target bo --equipment soul-reaper · act ana --action melee --target bo --equipment club
interrupt ana · interrupt bo --action dodge · interrupt bo --action punch --target GUESS
interrupt GUESS --action dodge · move-up bo
move-up GUESS --because gm_allows --reason x · result · result success · spend GUESS fate · spend ana character
roll-related ana search 5 --code 2D · roll GUESS damage --code 2D · initiative roll GUESS · initiative roll --all
initiative roll ana --dice GUESS=1,2,3 · initiative roll ana --again GUESS=1,2 · initiative roll ana --special GUESS
spend ana character --again GUESS=1 · incapacitate GUESS · incapacitate ana --through GUESS · recover GUESS
recover ana · amend 7 dice.GUESS=[1,2,3] --preview · amend 10 dice=[1,2] --preview
"""


def lines(text: str) -> list[list[str]]:
    """Words of command lines, which stand behind each other with dots between."""
    return [each.split() for line in text.split("\n") for each in line.split(" · ") if each]


PROBES = [
    [word.replace("GUESS-SIDE", side).replace("GUESS", guess) for word in words]
    for words in lines(LOOKS + ORDERS + OF_ROUNDS)
    for guess, side in zip(GUESSES, (*(secret.side for secret in WORLDS), "nobody"), strict=True)
    if guess == GUESSES[0] or any("GUESS" in word for word in words)
]

# Two things cannot be told alike, and are left out: a name of somebody hidden is blotted out of every text, or hides
# its ruling, also where somebody wrote a guess, and an id is taken by whoever has it (see who joins under such an id).
HASHES = re.compile(r"\b[0-9a-f]{64}\b|(?<=[0-9]:)[0-9a-f]{12}\b")
"""What seals and fingerprints of the log are: they bind what is hidden, under a salt, and so differ as it does."""


def ticking(seed: int) -> Iterator[datetime]:
    return (datetime(2026, 1, 1, 20, minute // 60, minute % 60, seed, tzinfo=UTC) for minute in count())


@pytest.fixture
def same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every log that the command line opens has the same clock, and draws the same."""
    opened = CombatLog.open

    def open_alike(url: str | Path, *, create: bool = True, **settings: Any) -> CombatLog:
        clock, luck = ticking(0), Random(6)
        return opened(url, create=create, clock=lambda: next(clock), entropy=luck.randbytes, **settings)

    monkeypatch.setattr(CombatLog, "open", open_alike)


def run(words: list[str]) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, HASHES.sub("#", result.stdout), HASHES.sub("#", result.stderr)


def worded(line: str, secret: Secret, preset: str) -> list[str]:
    fields = dict(zip(secret._fields, secret, strict=True))
    _, stats, power = EDITIONS[preset]
    line = line.replace("PRESET", preset).replace("STATS", stats).replace("POWER", power)
    for field, value in fields.items():
        line = re.sub(rf"\b{field.upper()}\b", str(value).replace(" ", "_"), line)
    return [word.strip('"').replace("_", " ") if word.startswith('"') else word for word in line.split()]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Mapping[str, tuple[Path, Path]]]:
    """By preset the stores of both worlds at every moment at which they are compared."""

    @cache
    def played(preset: str) -> dict[str, tuple[Path, Path]]:
        directory = tmp_path_factory.mktemp(preset)
        found: dict[str, list[Path]] = {}
        for number, secret in enumerate(WORLDS):
            store = directory / f"world-{number}.db"
            for line in EDITIONS[preset][0].replace("\\\n", "").split("\n"):
                if line.startswith("MOMENT "):
                    copy = directory / f"{line[7:].replace(' ', '-')}-{number}.db"
                    found.setdefault(line[7:], []).append(copy)
                    shutil.copy(store, copy)
                elif line:
                    words = [*worded(line, secret, preset), "--store", str(store), "-q"]
                    code, out, err = run(words)
                    assert code == 0, (words, out, err)
        return {moment: (one, other) for moment, (one, other) in found.items()}

    return played


def answers(store: Path, words: list[str], view: str, here: Path) -> tuple[int, str, str]:
    """What is answered to those words in a copy of that store, and what is in the log then."""
    for left in here.glob("mam.db*"):
        left.unlink()
    shutil.copy(store, here / "mam.db")
    viewed = [] if "--as" in words else ["--as", view]
    return run([*words, *viewed])


Worlds = Callable[[str], Mapping[str, tuple[Path, Path]]]


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize(
    ("preset", "view"), [*((preset, "public") for preset in EDITIONS), ("mam_pools", "side:heroes")]
)
def test_what_a_view_may_not_know_changes_no_byte_of_what_it_is_told(
    worlds: Worlds, preset: str, view: str, table: Path
) -> None:
    different = []
    for at, (moment, stores) in enumerate(worlds(preset).items()):
        # Every order is tried at one moment of each fight, and by a long run at all of them.
        for words in PROBES if LONG else PROBES[at :: len(worlds(preset))]:
            one, other = (answers(store, words, view, table) for store in stores)
            if one != other:
                different.append((moment, " ".join(words), one, other))
    assert not different, "\n\n".join("\n".join(map(str, each)) for each in different)


@pytest.mark.usefixtures("same_luck")
def test_a_guess_is_told_nothing_by_what_is_left_of_it_in_a_sentence(worlds: Worlds, table: Path) -> None:
    stores = worlds("mam_pools")["between turns"]
    for guess in GUESSES:
        for line in (f"declare-combo 1 --target {guess}", f"attack ana {guess.upper()}"):
            one, other = (answers(store, line.split(), "public", table) for store in stores)
            assert one == other, line
    for name in (secret.name for secret in WORLDS):
        for more in ([], ["--json"]):
            words = ["amend", "3", f"name={name}", "equipment=[]", "--preview", *more]
            one, other = (answers(store, words, "public", table) for store in stores)
            assert one == other, words
            assert f"{name} carries no" in " ".join(one[1].split()), one[1]
    told = answers(stores[0], ["declare-combo", "1", "--target", WORLDS[0].who], "public", table)
    assert told[2].startswith("encounter: mill\nIt is nobody's turn; somebody unseen is next.")


@pytest.mark.usefixtures("same_luck")
def test_a_die_is_not_asked_for_what_is_done_in_secret(worlds: Worlds, table: Path, tmp_path: Path) -> None:
    stores = []
    for store, secret in zip(worlds("mam_pools")["an open exchange"], WORLDS, strict=True):
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
    assert "interference_dice" in answers(stores[0], ["options", "--json"], "gm", table)[1]


def test_every_option_that_names_somebody_is_tried_with_a_guess() -> None:
    guessed = {
        (word.partition("=")[0], "GUESS" in value)
        for line in lines(ORDERS + OF_ROUNDS)
        for word, value in pairwise(line)
    }
    options = {
        SPELLINGS[do].options[field]
        for do in SPELLINGS
        for field, kind in get_type_hints(COMMANDS[do], include_extras=True).items()
        if field in SPELLINGS[do].options and "'names': ('combatant',)" in str(kind)
    }
    assert {option for option in options if (option, True) not in guessed} == set()


@pytest.mark.usefixtures("same_luck")
def test_the_orders_that_are_tried_are_orders(worlds: Worlds, table: Path) -> None:
    store = worlds("mam_pools")["her turn"][0]
    told = {" ".join(words): answers(store, words, "gm", table)[2] for words in PROBES if GUESSES[1] not in words}
    assert not [words for words, err in told.items() if "No such" in err or "unexpected" in err]


@pytest.mark.usefixtures("same_luck")
@pytest.mark.parametrize("line", ["--as public attack", "attack --as public", "--as public options"])
def test_a_shell_completes_nobody_who_is_hidden(worlds: Worlds, line: str, table: Path) -> None:
    for store in worlds("mam_pools")["her turn"]:
        shutil.copy(store, table / "mam.db")
        found = ShellComplete(main, {"obj": Session()}, "mam", "_MAM_COMPLETE").get_completions(line.split(), "")
        assert {item.value for item in found} == {"ana", "bo"}


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
def test_who_joins_under_the_id_of_somebody_hidden_is_told_no_more_than_that(
    worlds: Worlds, line: str, table: Path, tmp_path: Path
) -> None:
    found = set()
    for store, secret in zip(worlds("mam_pools")["her turn"], WORLDS, strict=True):
        struck = tmp_path / secret.who
        shutil.copy(store, struck)
        assert run(["undo", "4", "--yes", "--store", str(struck), "-q"])[0] == 0
        assert run(["move", "ana", "1", "--command-id", "TAKEN", "--store", str(struck), "-q"])[0] == 0
        for kept in (store, struck):
            code, out, err = answers(kept, line.replace("WHO", secret.who).split(), "public", table)
            found.add((code, out, err.replace(secret.who, "WHO")))
    ((code, out, err),) = found
    assert (code, out) == (1, "")
    assert err.startswith('encounter: mill\n"WHO" is already in this fight; names are used once.\nnext: mam ')


@pytest.mark.usefixtures("same_luck", "table")
def test_a_hidden_newcomer_whose_order_is_sent_again_is_the_same(worlds: Worlds, tmp_path: Path) -> None:
    store = tmp_path / "mill.db"
    shutil.copy(worlds("mam_pools")["her turn"][0], store)
    words = ["join", "spy", "--hp", "3", "--hidden", "--as", "public", "--command-id", "k1", "--store", str(store)]
    assert run(words)[0] == 0
    code, _, err = run(words)
    assert (code, "Nothing was written: this order already is ruling" in err) == (0, True)
