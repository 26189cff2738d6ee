"""Input files: limits of size, directories, sockets, and standard input."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mam_events.archive import input_files
from tests.cli.calls import Mam

ROOT = Path(__file__).parents[4]
READERS = [
    ("play", "FILE"),
    ("new", "duel", "--from", "FILE"),
    ("new", "duel", "--rules", "FILE"),
    ("join", "rat", "--from", "FILE#rat"),
    ("import", "FILE"),
    ("verify", "FILE"),
    ("rules", "show", "FILE"),
    ("rules", "diff", "mam_pools", "FILE"),
    ("rules", "check", "FILE"),
    ("rules", "new", "mine", "--from", "FILE"),
    ("points", "FILE"),
]
NAMED = {
    "a fight file": 'encounter = "x"\nrules = "FILE"',
    "a file of house rules": 'name = "x"\nfrom = "FILE"',
}


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(input_files.EXPORT_LIMIT + 1)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a directory": (Path.mkdir, "This is a directory, and only files can be read."),
    "a pipe": (os.mkfifo, "This is a pipe, and only files can be read."),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "This is a device, and only files can be read."),
    "a socket": (_socket, "This is not an ordinary file, and only files can be read."),
    "too large": (_large, "It may have at most"),
    "nothing": (lambda path: path.symlink_to("nowhere"), "There is no such file."),
    "links to itself": (lambda path: path.symlink_to(path.name), "cannot be read: Too many levels of symbolic links."),
    "no file below it": (lambda path: path.symlink_to("/dev/null/x"), "There is no such file."),
}


@pytest.fixture(params=UNREADABLE)
def unreadable(request: pytest.FixtureRequest, table: Path) -> str:
    """Make the file `in.toml` unreadable and return the expected error."""
    spoil, message = UNREADABLE[request.param]
    spoil(table / "in.toml")
    return message


def named(words: tuple[str, ...], file: str) -> tuple[str, ...]:
    return tuple(word.replace("FILE", file) for word in words)


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_an_unreadable_input_file_is_refused_in_one_line(mam: Mam, words: tuple[str, ...], unreadable: str) -> None:
    result = mam(*named(words, "./in.toml"), code=2)
    assert result.err.startswith(("./in.toml: ", "./in.toml cannot be read: "))
    # `import` accepts a folder of exports, but this one is empty.
    folder = words[0] == "import" and unreadable.startswith("This is a directory")
    assert ("This folder has no exports" if folder else unreadable) in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED)
def test_an_unreadable_file_named_by_a_file_is_refused_in_one_line(
    mam: Mam, table: Path, text: str, unreadable: str
) -> None:
    (table / "outer.toml").write_text(text.replace("FILE", "./in.toml"))
    result = mam("rules", "check", "outer.toml", code=2)
    leads_out = "in its own folder or below it" in result.err
    assert unreadable in result.err or (leads_out and (table / "in.toml").resolve().parent != table)
    assert len(result.err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("play", "-"), ("import", "-"), ("verify", "-"), ("points", "-"), ("rules", "check", "-")]
)
@pytest.mark.parametrize(
    ("source", "how", "message"),
    [
        ("/dev/zero", os.O_RDONLY, ": This file is too large. It may have at most 4 MiB."),
        ("/dev/null", os.O_WRONLY, " cannot be read: Bad file descriptor."),
    ],
)
def test_standard_input_has_the_same_limit(words: tuple[str, ...], source: str, how: int, message: str) -> None:
    # Use a small limit, so that no test has to read 512 MiB of zeros.
    small = (
        "from mam_events.archive import input_files; input_files.EXPORT_LIMIT = input_files.TEXT_LIMIT; "
        "from cli.app import main; main()"
    )
    descriptor = os.open(source, how)
    process = subprocess.run(
        [sys.executable, "-c", small, *words],
        stdin=descriptor,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    os.close(descriptor)
    assert (process.returncode, process.stderr.decode()) == (2, f"standard input{message}\n")


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED)
def test_a_file_names_only_files_beside_or_below_itself(mam: Mam, table: Path, text: str) -> None:
    house = table / "house"
    (house / "deep").mkdir(parents=True)
    rules = 'name = "ours"\nfrom = "mam_pools"\n'
    for place in (table, house, house / "deep"):
        (place / "ours.toml").write_text(rules)
    (house / "away.toml").symlink_to(table / "ours.toml")
    (house / "up.toml").write_text('name = "up"\nfrom = "../ours.toml"\n')
    (house / "deep" / "back.toml").write_text('name = "back"\nfrom = "../ours.toml"\n')

    def check_error(file: str, code: int) -> str:
        (house / "outer.toml").write_text(text.replace("FILE", file))
        return mam("rules", "check", "house/outer.toml", code=code).err

    for file in ("ours.toml", "./deep/ours.toml", "deep/back.toml", "../house/ours.toml", f"{house}/ours.toml"):
        assert check_error(file, 0) == ""
    for file in ("../ours.toml", "away.toml", f"{table}/ours.toml", "up.toml", "/dev/zero.toml", "../../etc/passwd"):
        assert "A file can only name files in its own folder" in check_error(file, 2)
    assert check_error("../ours.toml", 2).startswith("house/outer.toml:2: ")
    assert check_error("up.toml", 2).startswith("house/up.toml:2: ")


@pytest.mark.usefixtures("modres_turn")
def test_a_byte_order_mark_is_ignored_and_utf_16_is_refused_with_advice(mam: Mam, table: Path) -> None:
    exported = mam("export").out.encode()
    (table / "marked.ndjson").write_bytes(b"\xef\xbb\xbf" + exported)
    assert "all seals are right" in mam("verify", "marked.ndjson").out
    (table / "wide.ndjson").write_bytes(exported.decode().encode("utf-16"))
    for words, text in ((("verify", "wide.ndjson"), None), (("do",), "n"), (("table",), "n"), (("play", "-"), "n")):
        stdin = None if text is None else f"{text}\n".encode("utf-16")
        assert "This is UTF-16 text. Save it as UTF-8" in mam(*words, code=2, stdin=stdin).err


@pytest.mark.usefixtures("modres_turn")
def test_lines_from_standard_input_run_one_by_one_until_one_is_refused(mam: Mam) -> None:
    result = mam("do", stdin="\ufeff# what was played\r\nmam> note \u201cone\u201d\r\n\r\nnote \u201ctwo\u201d\r\n")
    assert "notes: one" in result.out
    assert "notes: two" in result.out
    result = mam("do", 'note "three"\nfly\nnote "four"', code=2)
    assert "notes: three" in result.out
    assert "line 2 of 3: fly" in result.err
    assert "four" not in mam("log").out
    assert "LINE is missing" in mam("do", code=2, stdin="").err
    assert "need a single line, not 2" in mam("do", "n\nn", "--command-id", "x", code=2).err
