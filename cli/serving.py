"""The command serve: the log over HTTP, for this machine, or for everybody at the table who has a token."""

from __future__ import annotations

import click

from cli import output
from cli.options import Whole, command, of_store
from cli.session import Session, pass_session

PORT = 8765


@command(
    "serve",
    "mam serve",
    "mam serve --port 9000 --store friday.db",
    "mam serve --lan",
    "mam serve --behind https://log.example",
)
@click.option("--port", type=Whole(0), default=PORT, show_default=True, metavar="N", help="The port; 0 for any.")
@click.option("--lan", is_flag=True, help="For other machines of the network too; only with tokens.")
@click.option(
    "--behind", "origin", default="", metavar="URL", help="Behind a server that is called so and passes requests on."
)
@click.option("--public-replays", is_flag=True, help="Let everybody watch closed fights, as the public may.")
@of_store
@pass_session
def serve(session: Session, port: int, lan: bool, origin: str, public_replays: bool) -> None:
    """Serve the store over HTTP until it is stopped: encounters, orders, corrections, streams.

    Whoever sits at this machine needs no token and is the game master. Everybody else comes in with one (`mam token`).
    At /reference every call is described and can be tried; /openapi.json is the same for programs.

    With --public-replays anybody may watch a closed fight whose id he knows: its replay, log, audit, export and seal as
    the public sees them, from pages of other origins too.
    """
    from mam_events.errors import BadInput
    from mam_events.log.combat_log import CombatLog

    try:
        from web.service.serving import addresses, bound, check_tokens, settings_for
        from web.service.serving import serve as run
    except ImportError as error:
        raise BadInput(
            f"takes the extra `web`, which is not installed ({error.name}): pip install 'mam-events[web]'.",
            place="serve",
        ) from None
    if origin and not origin.startswith(("http://", "https://")):
        raise BadInput("is an address, like https://log.example.", place="--behind")
    log = session.log(create=True)
    if not isinstance(log, CombatLog):
        raise BadInput("is done at the machine that has the store, not through its service.", place="serve")
    if (lan or origin) and not public_replays:
        check_tokens(log)
    names = addresses(lan=lan)
    with bound(port, lan=lan) as listening:
        chosen = listening.getsockname()[1]
        address = f"{origin.rstrip('/')}/" if origin else f"http://{names[0]}:{chosen}/"

        def ready() -> None:
            if session.json:
                output.json_line({"address": address, "port": chosen, "store": session.store_path})
                return
            click.echo(f"{session.store_path} is served at {address} (Ctrl+C ends it)")
            session.say(f"every call is described at {address}reference")
            if lan:
                session.say("plain HTTP: whoever can listen in on this network reads tokens and all that is sent")

        run(log, listening, settings_for(names, chosen, origin=origin, lan=lan, public=public_replays), ready)
