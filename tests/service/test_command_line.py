"""The command line on a service gives the same answers as on a file."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.app import main
from tests.service.conftest import Service

ENVIRONMENT = {"COLUMNS": "100", "MAM_STORE": None}
FIGHT = """
new duel --preset mam_pools --title "Modre and the Clone" --by Kim
join modre --name Modre --hp 6 --weapon id=ice-blade,power=2 --by Kim
join clone --name Clone --hp 6 --by Kim
initiative --first modre --reason "she began"
begin-turn modre
attack clone ice-blade 2 --by Ana
odds
options modre
defend clone 1
resolve 6 1
log
undo
redo
amend 8 attack_die=1 --preview
amend 8 attack_die=1 --reason "read wrong" --yes
dispute 8 --claim "it was a six" --by Ben
answer 12 "it was not"
rule-on 12 --uphold
note "the lamp goes out"
end-turn
attack modre
attack nobody
undo 99
begin-turn clone --expect-version 3
begin-turn clone --command-id turn
begin-turn clone --command-id turn
branch --at 8 --id duel-again
pools -e duel-again
diff duel duel-again
pools
pools --all
order --json
order --all
audit 8
explain clone.stun
explain 8
blame clone
luck
whatif --set half_success=never
replay --plain -q
encounters
report
disputes --all
precedents
verify
export --format toml
close -e duel --yes
rules list
token list
projections
projections update
backup copy.db
"""
LINES = """
new duel --by Kim
do 'join modre "Modre" a hp=6 w=(Ice-Blade pow=3 at=1 reach=1); join Clone b hp=6; init first=modre reason="so"'
do 'a ice p4 m2' --by Ana
do 'd 6; 2 1.' --by Ben
do n --command-id turn
do n --command-id turn
do n
do u 6 --preview
do u 6 --preview --json
do u
do redo
do u --preview
do 'amend 6 p3'
do 'amend 6 p3' --json
do 'amend 6 p3' --preview
do 'amend 6 p3' --preview --json
do 'amend 6 p3' --expect 14:0123456789ab
do 'amend 6 p3' --yes
do u
do 'after 5 m 1'
do 'after 5 m 1' --preview
do 'after 8 m 1' --yes
do 'correct ~#8=(attack_die=-)' --preview
do 'amend 99 p1'
do 'amend 5'
do 'a clone; amend 5 p3'
do 'n' --preview
do 'note "the lamp goes out"'
do u
do 'amend 7 6 "misread"!'
do 'amend 7 5 !'
do 'flub'
join goblin --hp 4 --count 3 --by Kim
join goblin --hp 4 --count 2 --command-id goblins
join goblin --hp 4 --count 2 --command-id goblins
join goblin --hp 4 --count 2 --mount goblin-9
join horse --hp 4 --training trained
join rider --hp 4 --count 2 --mount horse
join ghost --hp 4 --count 2 --hidden
join goblin --hp 4 --count 2 --expect-version 3
log
pools
verify --judge
"""
"""Typed lines, and combatants who join together."""
MASKS = (
    (r"\b[0-9a-f]{64}\b|\b[0-9]+:[0-9a-f]{12}\b", "#"),
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z?|\b[0-9]{2}:[0-9]{2}\b", "then"),
)


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def run(line: str, store: str, folder: Path) -> tuple[int, str, str]:
    with chdir(folder):
        result = CliRunner(env=ENVIRONMENT).invoke(main, [*shlex.split(line), "--store", store])
    out, err = result.stdout, result.stderr
    for text in (store,):
        out, err = out.replace(text, "STORE"), err.replace(text, "STORE")
    for pattern, instead in MASKS:
        out, err = re.sub(pattern, instead, out), re.sub(pattern, instead, err)
    return result.exit_code, out, err


AT_THE_STORE = ("token", "projections", "backup")
"""Commands that work only on the machine with the store."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path / "served.db")
    yield service
    assert service.stop() == 0


@pytest.mark.parametrize("fight_lines", [pytest.param(FIGHT, marks=pytest.mark.slow), LINES], ids=["orders", "lines"])
def test_every_command_is_answered_as_on_a_file(service: Service, tmp_path: Path, fight_lines: str) -> None:
    file, address = str(tmp_path / "file.db"), f"http://127.0.0.1:{service.port}"
    differences = []
    for line in lines(fight_lines):
        if line.startswith(AT_THE_STORE):
            code, _, err = run(line, address, tmp_path)
            assert code == 6, (line, err)
            assert "the machine that has the store" in err
            continue
        local, remote = run(line, file, tmp_path), run(line, address, tmp_path)
        if local != remote:
            differences.append((line, local, remote))
    assert not differences, "\n\n".join("\n".join(map(str, one)) for one in differences)


def test_a_fight_file_is_played_into_a_service_completely_or_not_at_all(service: Service, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{service.port}"
    fight = Path(__file__).parents[2] / "examples" / "modre-and-the-clone.toml"
    code, out, err = run(f"play {fight} -q", address, tmp_path)
    assert code == 0, err
    code, _, err = run(f"play {fight} -q", address, tmp_path)
    assert code == 1
    assert "There is already an encounter" in err
    assert run(f"play {fight} -q", str(tmp_path / "file.db"), tmp_path)[1] == out
    assert run("verify --judge", address, tmp_path)[0] == 0


def test_an_unreachable_service_is_reported(tmp_path: Path) -> None:
    code, _, err = run("log", "http://127.0.0.1:9", tmp_path)
    assert code == 6
    assert "Nobody answers" in err


def test_a_link_may_contain_a_token(service: Service, tmp_path: Path) -> None:
    service.client().begin("duel")
    words = service.token("gm", "--by", "Kim")
    link = f"http://127.0.0.1:{service.port}/#{words}"
    assert run("log -e duel", link, tmp_path)[0] == 0
    code, _, err = run("log -e duel", f"http://127.0.0.1:{service.port}/#mam_0_0", tmp_path)
    assert (code, "token" in err) == (1, True)
    player = service.token("player", "ana", "--by", "Ana", "-e", "duel")
    code, _, err = run("log -e duel", f"http://127.0.0.1:{service.port}/#{player}", tmp_path)
    assert code == 1
    assert "game master" in err
