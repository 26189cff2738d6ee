"""`mam serve --lan`: reachable addresses, a link for each player, and localhost."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.app import main
from tests.service.conftest import Client, Service, run_mam
from web.service.lan_addresses import lan_addresses

MAM = [sys.executable, "-m", "cli.app"]


@pytest.fixture(scope="module")
def begun_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    service = Service(tmp_path_factory.mktemp("lan") / "fights.db")
    service.client().begin("duel")
    assert service.stop() == 0
    return service.store


@pytest.fixture
def store(begun_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(begun_store, tmp_path / "fights.db"))


def lan(store: Path, *more: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    """Start a service in the network and return it with the JSON that it prints."""
    words = [*MAM, "serve", "--lan", "--port", "0", "--json", "--store", str(store), *more]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    return process, json.loads(line)


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 0


def words_in(link: str) -> str:
    return link.partition("#")[2]


def test_in_a_network_only_localhost_names_are_the_game_master(store: Path) -> None:
    process, document = lan(store, "--player", "Ana=ana")
    client = Client(document["port"])
    name = socket.gethostname().lower()
    for host, rank in (
        (f"127.0.0.1:{document['port']}", "gm"),
        (f"localhost:{document['port']}", "gm"),
        # Another machine may claim this name, and lead a browser on this machine here.
        (f"{name.removesuffix('.local')}.local:{document['port']}", "anybody"),
    ):
        assert client.ask("GET", "/me", headers={"Host": host}).json["rank"] == rank
    assert client.ask("GET", "/me", headers={"Via": "1.1 x"}).json["rank"] == "anybody"
    end(process)


@pytest.mark.slow
def test_the_printed_address_is_reachable_and_accepts_a_path(store: Path) -> None:
    if not lan_addresses():
        pytest.skip("This machine is in no network.")
    process, document = lan(store, "--player", "Ana=ana")
    for address in (document["address"], *document["also"]):
        host, _, port = address.removeprefix("http://").partition(":")
        assert host not in ("0.0.0.0", "127.0.0.1", socket.gethostname())  # noqa: S104 - it is none of them
        assert int(port) == document["port"]
        with closing(HTTPConnection(host, int(port), timeout=30)) as connection:
            # As curl requests "$U/encounters".
            path = f"{address}/encounters".removeprefix(f"http://{host}:{port}")
            connection.request("GET", path)
            assert connection.getresponse().status == 401
        with closing(HTTPConnection(host, int(port), timeout=30)) as connection:
            connection.request("GET", path, headers={"Authorization": f"Bearer {words_in(document['links']['Ana'])}"})
            response = connection.getresponse()
            assert (response.status, [one["encounter"] for one in json.load(response)]) == (200, ["duel"])
    assert document["links"]["Ana"].startswith(f"{document['address']}/#mam_")
    end(process)


@pytest.mark.slow
def test_a_new_link_revokes_the_previous_one_and_old_links_stay_valid(store: Path) -> None:
    links = []
    for more in (("--player", "Ana=ana"), ("--player", "Ana=ana", "--player", "Cy=cat,eve"), ()):
        process, document = lan(store, *more)
        links += [words_in(document["links"]["Ana"])] if more else []
        statuses = [Client(document["port"], words).get("/me").status for words in links]
        assert statuses == [401] * (len(links) - 1) + [200]
        end(process)
    output = run_mam("token", "list", "--json", "--store", str(store))
    tokens = [one for one in map(json.loads, output.splitlines()) if "revoked_at" not in one]
    assert [(one["name"], one["combatants"]) for one in tokens] == [("Ana", ["ana"]), ("Cy", ["cat", "eve"])]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("Ana", "--player must be a player and whom they play, like Ana=modre or Ana=modre,cat."),
        ("=ana", "--player must be a player and whom they play, like Ana=modre or Ana=modre,cat."),
        ("Ana=,", "--player must be a player and whom they play, like Ana=modre or Ana=modre,cat."),
        ("Kim=ana", '"Kim" already has a token. Revoke it (mam token revoke'),
    ],
)
def test_an_invalid_player_option_starts_no_service(store: Path, message: str, why: str) -> None:
    run_mam("token", "gm", "--by", "Kim", "--store", str(store))
    words = ["serve", "--lan", "--port", "0", "--player", message, "--store", str(store)]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr


@pytest.mark.parametrize(
    ("words", "place", "sentence"),
    [
        (
            ("token", "gm", "--by", "Ana", "--at", "http://[::1"),
            "--at",
            '"http://[::1" is not an address like https://log.example or http://127.0.0.1:8765.',
        ),
        (
            ("serve", "--port", "0", "--behind", "https://h:99999"),
            "--behind",
            'The port of "https://h:99999" must be 1 to 65535.',
        ),
    ],
)
def test_an_address_that_cannot_work_makes_no_token(
    store: Path, words: tuple[str, ...], place: str, sentence: str
) -> None:
    result = CliRunner().invoke(main, [*words, "--store", str(store)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == f"{place}: {sentence}"
    assert "Nobody has a token" in CliRunner().invoke(main, ["token", "list", "--store", str(store)]).output


@pytest.mark.slow
def test_each_link_is_printed_as_a_qr_code(store: Path) -> None:
    words = [*MAM, "serve", "--lan", "--port", "0", "--player", "Ana=ana", "--store", str(store)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith(f"{store} is served at http://")
    lines = [process.stdout.readline() for _ in range(2 + len(lan_addresses()) + 20)]
    assert "/#mam_" in next(line for line in lines if line.startswith("Ana plays ana: http://"))
    assert sum("█" in line for line in lines) > 15
    end(process)


@pytest.mark.slow
def test_a_token_command_prints_a_reachable_link(store: Path) -> None:
    words = ["token", "player", "ana", "--by", "Ana", "--store", str(store), "--json"]
    document = json.loads(run_mam(*words))
    host = (*lan_addresses(), "127.0.0.1")[0]
    assert document["link"] == f"http://{host}:8765/#{document['token']}"
    assert document["encounter"] == ""
    result = CliRunner().invoke(main, [*words, "-e", "duel"])
    assert result.exit_code == 2
    assert '\\"Ana\\" already' in result.stderr


@pytest.mark.slow
def test_a_link_that_does_not_serve_a_fight_says_so(store: Path) -> None:
    error = CliRunner().invoke(main, ["token", "player", "bo", "--by", "Bo", "--store", str(store)]).stderr
    assert "bo is not a player character in duel, so the token does not work in that fight" in error
    hint = next(line for line in error.splitlines() if line.startswith("next: "))
    assert hint == "next: mam amend 3 kind=pc -e duel"
    run_mam(*hint.split()[2:], "--yes", "--store", str(store))
    token = Service(store)
    assert token.client(error.partition("#")[2].split()[0]).get("/encounters/duel").status == 200
    assert token.stop() == 0
