"""Tokens: who may come in to a served log, as whom, and what for."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from cli import output
from cli.catalogue import CATALOGUE
from cli.options import Command, complete_combatant, granting, of_store
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.access import Role, Token

AT = "http://127.0.0.1:8765/"


@click.group("token", short_help=CATALOGUE["token"].short)
def token() -> None:
    """Let people in to a served log: make, list and revoke tokens.

    A token is shown once, when it is made: the store keeps a hash of it. The link has it behind its #, which no browser
    sends along; the page there turns it into a cookie.
    """


_AT = click.option("--at", "address", default=AT, show_default=True, metavar="URL", help="Where the log is served.")
_QR = click.option("--qr", is_flag=True, help="Show the link as a QR code too.")


@token.command("gm", cls=Command, example=("mam token gm --by Kim", "mam token gm --by Kim -e duel"))
@click.option("--here", is_flag=True, help="Only for this encounter (-e), not for all.")
@_AT
@_QR
@granting
@pass_session
def gm(session: Session, here: bool, address: str, qr: bool) -> None:
    """Make a game master's token: for all encounters, or for one."""
    _issue(session, "gm", address, qr=qr, encounter=session.encounter() if here or session.encounter_name else "")


@token.command(
    "player", cls=Command, example=("mam token player modre --by Ana", "mam token player modre cat --by Ana --qr")
)
@click.argument(
    "combatants", nargs=-1, required=True, shell_complete=complete_combatant, help="For whom the player acts."
)
@_AT
@_QR
@granting
@pass_session
def player(session: Session, combatants: tuple[str, ...], address: str, qr: bool) -> None:
    """Make a player's token: to act for those combatants, to dispute, and to see what their side may see."""
    encounter = session.encounter()
    for name in combatants:
        if name not in session.timeline().state.combatants:
            session.say(f'nobody is called "{name}" in {encounter} yet; the token is for whoever joins by that id')
    _issue(session, "player", address, qr=qr, encounter=encounter, combatants=combatants)


@token.command("viewer", cls=Command, example=("mam token viewer --by Screen",))
@_AT
@_QR
@granting
@pass_session
def viewer(session: Session, address: str, qr: bool) -> None:
    """Make a viewer's token: to see of one encounter what everybody may."""
    _issue(session, "viewer", address, qr=qr, encounter=session.encounter())


def _issue(
    session: Session, role: Role, address: str, *, qr: bool, encounter: str, combatants: tuple[str, ...] = ()
) -> None:
    from mam_events.access import encode_token, issue
    from mam_events.errors import BadInput

    tokens = session.log().application.tokens
    name = session.author
    if not name:
        raise BadInput("a token is somebody's: say whose.", place="--by")
    if any(one.name == name and one.encounter in ("", encounter) and not one.revoked_at for one in _known(session)):
        raise BadInput(
            f'there is a token of "{name}" already; revoke it (mam token revoke), or say another name.', place="--by"
        )
    made, words = issue(role, name, encounter=encounter, combatants=combatants, at=_now(), entropy=os.urandom)
    tokens.keep(made.id, encode_token(made))
    link = f"{address.rstrip('/')}/#{words}"
    if session.json:
        output.json_line(
            {"id": made.id, "role": role, "name": name, "encounter": encounter, "token": words, "link": link}
        )
        return
    click.echo(words)
    session.say(f"{name} comes in by {link}")
    if qr:
        import segno

        segno.make(link, micro=False).terminal(compact=True)
    session.say(f"it is shown this once; mam token revoke {made.id} takes it back")


@token.command("list", cls=Command, example=("mam token list",))
@of_store
@pass_session
def list_(session: Session) -> None:
    """List all tokens: whose they are and what for, never the words."""
    found = _known(session)
    if session.json:
        for one in found:
            output.json_line(_told(one))
        return
    if not found:
        click.echo("Nobody has a token.")
        session.suggest("mam token gm --by NAME")
        return
    output.table(
        ("id", "role", "name", "encounter", "acts for", "made (UTC)", ""),
        [
            (
                one.id,
                one.role,
                one.name,
                one.encounter or "all",
                ", ".join(one.combatants),
                one.made_at[:16].replace("T", " "),
                "revoked" if one.revoked_at else "",
            )
            for one in found
        ],
        fold=(2, 4),
    )


@token.command("revoke", cls=Command, example=("mam token revoke 3f2a9c01b7de",))
@click.argument("id", metavar="ID", help="The token, as `mam token list` has it.")
@of_store
@pass_session
def revoke(session: Session, id: str) -> None:  # noqa: A002 - the word people type
    """Take a token back: whoever has it is let in no more, and its streams end."""
    from msgspec.structs import replace

    from mam_events.access import encode_token
    from mam_events.errors import NotFound, nearest

    known = {one.id: one for one in _known(session)}
    if id not in known:
        raise NotFound(f'There is no token "{id}"; {nearest(id, known)}', wrong=id, allowed=known)
    gone = replace(known[id], revoked_at=known[id].revoked_at or _now())
    session.log().application.tokens.keep(id, encode_token(gone))
    if session.json:
        output.json_line(_told(gone))
    else:
        click.echo(f"{id}: {gone.name}'s token holds no more")


def _known(session: Session) -> list[Token]:
    from mam_events.access import decode_token

    return list(map(decode_token, session.log().application.tokens.all()))


def _told(one: Token) -> dict[str, object]:
    import msgspec

    return {name: value for name, value in msgspec.to_builtins(one).items() if name != "digest"}


def _now() -> str:
    return f"{datetime.now(UTC).isoformat().removesuffix('+00:00')}Z"
