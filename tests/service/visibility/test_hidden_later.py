"""A combatant hidden later is in no export and on no page of a view."""

from __future__ import annotations

import base64
import os
import re
import zlib
from collections.abc import Iterator

import pytest

from mam_events.commands import Attack, Open
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.tokens import encode_token, issue
from mam_events.verification import verify_export
from tests.service.asgi import AsgiRequest, send_all

PARTY = ('join ana "Ana" heroes hp=12 w=(Sword pow=2)', 'join bo "Bo" thugs hp=12 w=(Club pow=1)')
ZQX = 'join zqx "Zqx" coven hp=9 w=(Moonblade pow=3)'
ORDER = 'init first=ana reason="quick"'
HIDE = "amend 4 visibility=gm"
SECRET = re.compile("zqx|moonblade|coven", re.IGNORECASE)
FIGHTS = {
    "words": (
        f"{ZQX} seen=gm",
        'init first=ana reason="Zqx waits"',
        'note "look, Zqx"',
        "ana: a bo p1; 3 4.",
        'dispute 7 "zqx did it"',
        'gm bo 1 ready>damage "for ZQX"',
    ),
    "renamed": (ZQX, ORDER, 'amend 4 name="Zqx two"', 'amend 4 name="Nix"', 'note "where is Zqx two"', HIDE),
    "void": (ZQX, ORDER, "ana: a zqx p1; 3 4", "amend 2 hp=1", HIDE),
    "as played": (ZQX, 'init first=zqx reason="q"', "a bo p1; d 1; 3 4", ".", "u 7", "redo", "amend 4 hp=8", HIDE),
    "struck": (ZQX, ORDER, "ana: a zqx p1; 3 4", "u 7", HIDE),
    "proposed": (ZQX, ORDER, 'note "x"', HIDE),
}


@pytest.fixture
def log() -> Iterator[CombatLog]:
    # A log in memory is read in this process; for a file the service would start another process in each test.
    with CombatLog.open("sqlite://") as log:
        yield log


def answer_body(log: CombatLog, path: str) -> bytes:
    """Return the body of a viewer's answer; the data of a page is unpacked."""
    token, words = issue("viewer", "Vi", encounter="mill", combatants=(), at="2026-01-01T00:00:00Z", entropy=os.urandom)
    log.application.tokens.keep(token.id, encode_token(token))
    (answer,) = send_all(log, [AsgiRequest("GET", f"/encounters/mill/{path}", None, {}, words)])
    assert answer.status == 200, answer.body
    packed = re.search(rb'(?<=id="book">).*?(?=</script>)', answer.body)
    return zlib.decompress(base64.b64decode(packed[0])) if packed else answer.body


@pytest.mark.parametrize("fight", list(FIGHTS))
def test_exports_and_pages_of_a_view_do_not_show_a_combatant_hidden_later(log: CombatLog, fight: str) -> None:
    log.execute("mill", Open())
    for line in (*PARTY, *FIGHTS[fight]):
        answer = give_line(log, "mill", line, LineOptions(sure=True))
        assert answer.answers, line
        if fight == "proposed" and line.startswith("note"):
            log.note("mill", "this", kind="proposal", order=Attack("ana", "zqx", power=1))
    for path in ("export", "replay.html"):
        body = answer_body(log, path).decode()
        assert not [body[max(0, one.start() - 200) : one.end()] for one in SECRET.finditer(body)], path
    export = answer_body(log, "export")
    assert verify_export(export.splitlines(keepends=True)).rulings == log.timeline("mill").number
    # The export still contains everything public.
    assert b'"Ana"' in export
    assert b"sword" in export


def test_a_longer_visible_name_is_not_redacted(log: CombatLog) -> None:
    log.execute("mill", Open())
    wolves = ('join wolf "Wolf" cult hp=9 seen=gm', 'join rider "Wolf rider" foes hp=3', ORDER)
    for line in (*PARTY, *wolves, 'note "there is a wolf rider"', 'note "the wolf himself"'):
        give_line(log, "mill", line, LineOptions(sure=True))
    export = answer_body(log, "export").decode()
    assert "wolf rider" in export
    assert "himself" not in export
