"""The command token: who may use a served log, with which role and rights."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec.structs import replace

from cli.command_class import BaseCommand
from cli.output import render
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import complete_combatant, store_options, token_command_options
from mam_events.errors import BadInput, NotFound
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import make_id
from web.address import parse_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.history.timeline.timeline import Timeline
    from mam_events.tokens import Token, TokenRole


WHITE, BLACK = 231, 16
"""Colours of the 256-colour palette that terminal themes don't change."""


@click.group("token", short_help=COMMANDS_BY_NAME["token"].short)
def token() -> None:
    """Give people access to a served log: make, list and revoke tokens.

    A token is shown only once, when it is made, because the store keeps just a hash of it. The link has the token after
    its #, a part that browsers don't send. The page there turns it into a cookie.
    """


def _likely_address() -> str:
    from web.service.lan_addresses import likely_address

    return likely_address()


_AT = click.option(
    "--at",
    "address",
    default=_likely_address,
    show_default="this machine in its network, port 8765",
    metavar="URL",
    help="Where the log is served.",
)
_QR = click.option("--qr", is_flag=True, help="Show the link as a QR code too.")


@token.command("gm", cls=BaseCommand, example=("mam token gm --by Kim", "mam token gm --by Kim -e duel"))
@click.option("--here", is_flag=True, help="Only for this encounter (-e), not for all.")
@_AT
@_QR
@token_command_options
@pass_session
def gm(session: Session, here: bool, address: str, qr: bool) -> None:
    """Make a game master's token: for all encounters, or for one."""
    _issue(session, "gm", address, qr=qr, encounter=session.encounter() if here or session.encounter_name else "")


@token.command(
    "player",
    cls=BaseCommand,
    example=(
        "mam token player modre --by Ana",
        "mam token player modre cat --by Ana --qr",
        "mam token player modre --by Ana --at https://log.example -e duel",
    ),
)
@click.argument(
    "combatants",
    nargs=-1,
    required=True,
    shell_complete=complete_combatant,
    help="The combatants for whom the player acts.",
)
@_AT
@_QR
@token_command_options
@pass_session
def player(session: Session, combatants: tuple[str, ...], address: str, qr: bool) -> None:
    """Make a player's token: to act for those combatants, to dispute, and to see what is visible to their side.

    It is for every fight in which they are player characters, from when they join, and also for fights begun later.
    With -e it is for that fight alone, whether or not they are player characters there.
    """
    session.log()
    _issue(
        session,
        "player",
        address,
        qr=qr,
        encounter=session.encounter() if session.encounter_name else "",
        combatants=find_combatants(session, combatants),
    )


@token.command("viewer", cls=BaseCommand, example=("mam token viewer --by Screen",))
@_AT
@_QR
@token_command_options
@pass_session
def viewer(session: Session, address: str, qr: bool) -> None:
    """Make a viewer's token: to see the public parts of one encounter."""
    _issue(session, "viewer", address, qr=qr, encounter=session.encounter())


def find_combatants(session: Session, called: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of combatants by their names in the current fight.

    Warns if a player's token does not serve that fight yet.
    """
    from mam_events.visibility import GAME_MASTER
    from projections.visibility.viewer import Viewer

    encounter = session.implied_encounter()
    if not encounter:
        return tuple(make_id(one) or one for one in called)
    viewer = Viewer(GAME_MASTER, session.log().timeline(encounter))
    names = tuple(map(viewer.find, called))
    combatants = viewer.timeline.state.combatants
    for name in names:
        if name not in combatants:
            session.say(
                f'Nobody is called "{name}" in {encounter} yet. The token works once somebody joins with that id.'
            )
        elif combatants[name].kind != "pc" and not session.encounter_name:
            session.say(f"{name} is not a player character in {encounter}, so the token does not work in that fight.")
            session.suggest(f"mam amend {_joined(viewer.timeline, name)} kind=pc -e {encounter}")
    return names


def _joined(timeline: Timeline, combatant: str) -> int:
    from mam_events.commands import Join

    joins = ((number, timeline.command(number)) for number, _ in timeline.living())
    return next(number for number, one in joins if isinstance(one, Join) and one.combatant == combatant)


def _issue(
    session: Session, role: TokenRole, address: str, *, qr: bool, encounter: str, combatants: tuple[str, ...] = ()
) -> None:

    parse_address(address, "--at")
    if not session.author:
        raise BadInput("A token belongs to somebody. Name them with --by NAME.")
    new_token, words = make_token(session, role, session.author, encounter, combatants)
    link = link_to(address, words)
    if session.json:
        render.json_line(
            {
                "id": new_token.id,
                "role": role,
                "name": new_token.name,
                "encounter": encounter,
                "token": words,
                "link": link,
            }
        )
        return
    click.echo(words)
    session.say(f"{new_token.name} logs in with {link}")
    if qr:
        show_code(link)
    session.say(f"The token is shown only now. To revoke it, type mam token revoke {new_token.id}.")


def make_token(
    session: Session,
    role: TokenRole,
    name: str,
    encounter: str = "",
    combatants: tuple[str, ...] = (),
    *,
    renew: bool = False,
) -> tuple[Token, str]:
    """Make and store a token, and return it with its secret text.

    With `renew` it replaces the player's previous token of that name for every fight. Raises BadInput if there is any
    other token with that name.
    """
    from mam_events.tokens import encode_token, issue, overlaps

    new_token, words = issue(role, name, encounter=encounter, combatants=combatants, at=_now(), entropy=os.urandom)
    before = [one for one in _known(session) if overlaps(one, name, encounter)]
    if any(not renew or one.role != role or one.encounter != encounter for one in before):
        raise BadInput(
            f'"{name}" already has a token. Revoke it (mam token revoke {before[0].id}), or use another name.'
        )
    tokens = session.log().application.tokens
    for one in (*(replace(one, revoked_at=new_token.made_at) for one in before), new_token):
        tokens.keep(one.id, encode_token(one))
    return new_token, words


def link_to(address: str, words: str) -> str:
    """Return the link with that token, which lets its owner in."""
    return f"{address.rstrip('/')}/#{words}"


def show_code(link: str) -> None:
    """Print a link as a QR code."""
    try:
        import segno
    except ImportError:
        raise BadInput("--qr needs the extra `web`, which is not installed: pip install 'mam-events[web]'.") from None
    buffer = StringIO()
    segno.make(link, micro=False).terminal(buffer, compact=True)
    for row in buffer.getvalue().splitlines():
        # On a terminal with a white background the code would be inverted, which some phones can't read.
        click.echo(click.style(row, fg=WHITE, bg=BLACK) if render.uses_colour() else row)


@token.command("list", cls=BaseCommand, example=("mam token list",))
@store_options
@pass_session
def list_(session: Session) -> None:
    """List all tokens: whose they are and what they are for, but never their text."""
    tokens = _known(session)
    if session.json:
        for one in tokens:
            render.json_line(_token_row(one))
        return
    if not tokens:
        click.echo("Nobody has a token.")
        session.suggest("mam token gm --by NAME")
        return
    render.print_table(
        ("id", "role", "name", "encounter", "acts for", "made (UTC)", ""),
        [
            (
                one.id,
                one.role,
                one.name,
                one.encounter or ("where they play" if one.role == "player" else "all"),
                ", ".join(one.combatants),
                one.made_at[:16].replace("T", " "),
                "revoked" if one.revoked_at else "",
            )
            for one in tokens
        ],
        fold=(2, 4),
    )


@token.command("revoke", cls=BaseCommand, example=("mam token revoke 3f2a9c01b7de",))
@click.argument("id", metavar="ID", help="The id of the token, from `mam token list`.")
@store_options
@pass_session
def revoke(session: Session, id: str) -> None:  # noqa: A002 - the word people type
    """Revoke a token: nobody can sign in with it any more, and its streams end."""
    from mam_events.tokens import encode_token

    tokens = {one.id: one for one in _known(session)}
    if id not in tokens:
        raise NotFound(f'There is no token "{id}". {suggestion_text(id, tokens)}', wrong=id, allowed=tokens)
    revoked = replace(tokens[id], revoked_at=tokens[id].revoked_at or _now())
    session.log().application.tokens.keep(id, encode_token(revoked))
    if session.json:
        render.json_line(_token_row(revoked))
    else:
        click.echo(f"{revoked.name}'s token {id} no longer works.")


def _known(session: Session) -> list[Token]:
    from mam_events.tokens import decode_token

    return list(map(decode_token, session.log().application.tokens.all()))


def _token_row(one: Token) -> dict[str, object]:
    return {name: value for name, value in msgspec.to_builtins(one).items() if name != "digest"}


def _now() -> str:
    return f"{datetime.now(UTC).isoformat().removesuffix('+00:00')}Z"
