"""The command serve: the log over HTTP, for this machine or for all at the table who have a token."""

from __future__ import annotations

import click

from cli.command_class import command_decorator
from cli.commands.service.token import find_combatants, link_to, make_token, show_code
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import store_options
from mam_events.errors import BadInput
from web.address import parse_address
from web.service.lan_addresses import LOOPBACK, PORT, lan_addresses


@command_decorator(
    "serve",
    "mam serve",
    "mam serve --port 9000 --store friday.db",
    "mam serve --lan --player Ana=modre --player Bo=clone,cat",
    "mam serve --behind https://log.example",
)
@click.option("--port", type=IntRange(0), default=PORT, show_default=True, metavar="N", help="The port (0 for any).")
@click.option("--lan", is_flag=True, help="Serve other machines in the network too, if they have a token.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME=COMBATANT,…",
    help="Make a new link for a player, and show it as a QR code.",
)
@click.option(
    "--behind", "origin", default="", metavar="URL", help="The address of the reverse proxy in front of this service."
)
@click.option("--public-replays", is_flag=True, help="Let anybody watch the public view of closed fights.")
@store_options
@pass_session
def serve(session: Session, port: int, lan: bool, players: tuple[str, ...], origin: str, public_replays: bool) -> None:
    """Serve the store over HTTP until it is stopped: encounters, orders, corrections, streams.

    Requests from this machine need no token and act as the game master. Everybody else needs a token (`mam token`).
    /reference describes every call, and you can try it there; /openapi.json is the same for programs.

    With --player each player gets a link for every fight in which they play, and their earlier link stops working.
    Without --player the links stay as they are.

    With --public-replays anybody who knows the id of a closed fight may see its replay, log, audit, export and seal in
    the public view. Pages of other origins may load them too.
    """
    try:
        from web.service.server import addresses, bind_socket, check_tokens, settings_for
        from web.service.server import serve as run
    except ImportError as error:
        raise BadInput(
            f"serve needs the extra `web`, which is not installed ({error.name}): pip install 'mam-events[web]'."
        ) from None
    if origin:
        parse_address(origin, "--behind")
    log = session.log(create=True).at_store("serve")
    wanted = [_player(session, player) for player in players]
    if (lan or origin) and not (public_replays or wanted):
        check_tokens(log)
    with bind_socket(port, lan=lan) as listening:
        chosen = listening.getsockname()[1]
        networks = [f"http://{one}:{chosen}" for one in lan_addresses()] if lan else []
        reached = [origin.rstrip("/")] if origin else networks or [f"http://{LOOPBACK}:{chosen}"]
        links = [(name, own, _link(session, reached[0], name, own)) for name, own in wanted]
        settings = settings_for(addresses(lan=lan), chosen, origin=origin, public=public_replays)
        run(log, listening, settings, lambda: _announce(session, reached, chosen, links, lan=lan and not origin))


def _announce(
    session: Session, reached: list[str], port: int, links: list[tuple[str, tuple[str, ...], str]], *, lan: bool
) -> None:
    """Print the address of the service, and the link of each player."""
    here = f"http://{LOOPBACK}:{port}"
    if session.json:
        fields = {"address": reached[0], "also": reached[1:], "port": port, "store": session.store_path}
        render.json_line(fields | {"links": {name: link for name, _, link in links}})
        return
    click.echo(f"{session.store_path} is served at {reached[0]} (Ctrl+C ends it)")
    for other in reached[1:]:
        click.echo(f"and at {other}")
    session.say(f"Every call is described at {reached[0]}/reference.")
    if lan:
        if reached == [here]:
            session.say("This machine is in no network now, so nobody else can reach it.")
        session.say(f"At {here} you are the game master and need no token.")
        session.say(
            "This is plain HTTP: anybody who listens in on this network can read the tokens and all that is sent."
        )
    for name, own, link in links:
        click.echo(f"\n{name} plays {' and '.join(own)}: {link}")
        show_code(link)


def _player(session: Session, player: str) -> tuple[str, tuple[str, ...]]:
    """Return a player's name, and for whom they act."""
    name, _, called = clean_argument(player).partition("=")
    names = [one.strip() for one in called.split(",") if one.strip()]
    if not (name.strip() and names):
        raise BadInput("--player must be a player and whom they play, like Ana=modre or Ana=modre,cat.")
    return name.strip(), find_combatants(session, names)


def _link(session: Session, address: str, name: str, combatants: tuple[str, ...]) -> str:
    """Return a new link for that player."""
    return link_to(address, make_token(session, "player", name, combatants=combatants, renew=True)[1])
