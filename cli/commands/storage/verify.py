"""The commands seal and verify: a seal to note down, and the check that nothing in a log was changed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cli.command_class import command_decorator
from cli.commands.storage.export_import import display_file_name, export_lines
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import view_command_options
from mam_events.errors import BadInput, MamError, naming_encounter
from projections.phrases import count_words

if TYPE_CHECKING:
    from mam_events.verification import Verification
    from mam_events.verification.export_format import Export


@command_decorator("seal", "mam seal", "mam seal --to notebook.txt")
@click.option(
    "--to",
    "notebook",
    metavar="FILE",
    help="Append the seal to this notebook, with its time and the rulings it covers.",
)
@view_command_options
@pass_session
def seal(session: Session, notebook: str | None) -> None:
    """Print the seal to write down, which proves the log up to here.

    Anybody who can change the store can also seal their changes. Only a seal noted elsewhere proves that nothing before
    it was changed or cut off (`mam verify --seal SEAL`). A notebook is a file of seals, best kept on another machine.
    `mam verify --notebook FILE` checks every fight against it.
    """
    timeline = session.timeline()
    if notebook is not None:
        from cli.commands.storage.seal_notebook import append_seal

        append_seal(notebook, session.encounter(), timeline.number, timeline.seal)
    if session.json:
        render.json_line({"encounter": session.encounter(), "rulings": timeline.number, "seal": timeline.seal})
        return
    click.echo(timeline.seal)
    session.say(f'This seal covers the fight "{session.encounter()}" up to ruling {timeline.number}.')


@command_decorator("verify", "mam verify", "mam verify duel.ndjson --seal 3f0c…", "mam verify --all --judge")
@click.argument(
    "file", required=False, help="An export, or - for standard input (the encounter in the store, if left out)."
)
@click.option(
    "--seal", "noted", default="", metavar="SEAL", help="A seal that you wrote down: the log must contain it."
)
@click.option("--notebook", metavar="FILE", help="Check every fight and every seal in that notebook.")
@click.option("--judge", "again", is_flag=True, help="Judge everything again, with the dice on record.")
@click.option("--all", "every", is_flag=True, help="Every encounter of the store.")
@view_command_options
@pass_session
def verify(session: Session, file: str | None, noted: str, notebook: str | None, again: bool, every: bool) -> None:
    """Check seals, points and dice of a log or an export. If one is wrong, name the first such ruling and exit with 5.

    With --judge every ruling is also judged again, from the orders and the dice on record. The check always covers the
    whole encounter, but it counts only what is visible to --as.
    """
    from mam_events.verification import check_strays, stored_rows

    if (file is not None) + every + (notebook is not None) > 1:
        raise click.UsageError("Use only one of FILE, --all and --notebook.")
    seals = [noted] if noted else []
    if file is not None:
        _no_encounter(session, file)
        name = display_file_name(file)
        with naming_encounter(name):
            read, verification = read_verified_export(session, file, *seals)
            if again:
                _judge_again(session, name, stored_rows(read, name=name), verification)
        _show(session, name, verification, is_judged=again)
        return
    log = session.log()
    if notebook is not None:
        from cli.commands.storage.seal_notebook import read_notebook

        for encounter, noted_lines in read_notebook(notebook, log.encounters()).items():
            with naming_encounter(encounter):
                _verify_stored(session, encounter, *noted_lines, again=again)
        return
    for encounter in log.encounters() if every else [session.encounter()]:
        with naming_encounter(encounter):
            _verify_stored(session, encounter, *seals, again=again)
    if every:
        check_strays(log.application.recorder)


def read_verified_export(session: Session, file: str, *noted: str) -> tuple[Export, Verification]:
    """Return an export and what was verified in it; raise the errors of `verify_read`."""
    from cli.output.progress import iterate_with_progress, progress_bar
    from mam_events.verification import verify_read
    from mam_events.verification.export_format import read_lines

    with progress_bar(session, f"Verifying {file}", None) as step:
        read = read_lines(iterate_with_progress(export_lines(file), step), display_file_name(file))
        return read, verify_read(read, seals=noted, name=display_file_name(file))


def _verify_stored(session: Session, encounter: str, *noted: str, again: bool) -> None:
    """Verify one encounter of the store and that it has all noted seals, and print what was verified."""
    from cli.output.progress import progress_bar
    from mam_events.archive import export_ndjson
    from mam_events.verification import check_snapshots, revealed_elsewhere, verify_export
    from mam_events.verification import verify as verify_rows

    log = session.log()
    rows = log.application.rows(encounter)
    if not rows:
        log.timeline(encounter)
    with progress_bar(session, f"Verifying {encounter}"):
        seed = log.application.seeds.get(encounter)
        revealed = revealed_elsewhere(log.application.recorder, rows)
        verification = verify_rows(rows, seals=noted, seed=seed, revealed=revealed)
        check_snapshots(rows, log.application.snapshots_of(encounter))
    if again:
        _judge_again(session, encounter, rows, verification)
    if session.view != "gm":
        # Everything was verified above. The counts shown are those of this view's own export.
        verification = verify_export(export_ndjson(log, encounter, view=session.view))
    _show(
        session,
        encounter,
        verification,
        here=seed is not None if log.application.seeds.kept_here else None,
        is_judged=again,
    )


def _judge_again(session: Session, what: str, rows: list[tuple[int, str, bytes]], verification: Verification) -> None:
    """Judge all rulings again, with a progress bar if that takes long."""
    from cli.output.progress import progress_bar
    from mam_events.rules.rulebook import rulebook
    from mam_events.verification import judge_again

    with progress_bar(session, f"Judging {what} again", verification.rulings) as step:
        judge_again(rows, rulebook(), step)


def _no_encounter(session: Session, file: str) -> None:
    """Raise BadInput if an encounter of the store was named in place of a file."""
    names: list[str] = []
    with suppress(MamError):
        names = session.log().encounters()
    if file in names and not Path(file).exists():
        raise BadInput(f"There is no such file. For an encounter, use `mam verify -e {file}`.", place=file)


def _show_before(verification: Verification) -> None:
    """Print the line about dice from an earlier seed, which nobody can check yet."""
    where = f'in "{verification.parent}"' if verification.parent else "where this was exported"
    if verification.before:
        click.echo(
            f"  dice drawn before, {where}: {verification.before}, which cannot be checked until that seed is revealed"
        )


def _show(
    session: Session, what: str, verification: Verification, *, here: bool | None = None, is_judged: bool = False
) -> None:
    """Print what was verified.

    `here` is True if the seed of the dice is in this store (None for a file), `is_judged` if everything was judged
    again.
    """
    if session.json:
        render.json_line({"what": what} | msgspec.to_builtins(verification) | {"judged": is_judged, "seed_here": here})
        return
    hidden = f" and {count_words(verification.hidden, 'hidden part')} only as a hash" if verification.hidden else ""
    click.echo(
        f"{what}: {count_words(verification.rulings, 'ruling')} in {count_words(verification.rows, 'row')}{hidden}: "
        "all seals are right"
    )
    if verification.partial_from:
        click.echo(
            f"  from ruling {verification.partial_from} on, points and names depend on hidden rulings, so they are "
            "only compared with what is shown"
        )
    for sentence in verification.on_trust:
        click.echo(f"  not provable: {sentence}")
    if is_judged:
        click.echo("  every outcome follows from the rules, the orders and the dice on record")
    if verification.drawn and verification.revealed:
        click.echo(f"  {verification.proven} of {verification.drawn} drawn dice match the committed seed")
        _show_before(verification)
    elif verification.drawn and verification.closed:
        click.echo(
            f"  dice drawn: {verification.drawn}, which nobody can check, because no seed was revealed at the end"
        )
    elif here is False and verification.committed and not verification.closed:
        drawn_text = (
            f"; those drawn ({verification.drawn}) cannot be checked until it is revealed" if verification.drawn else ""
        )
        click.echo(
            f"  the seed of the dice is not in this store, so the first die drawn here gets a new seed{drawn_text}"
        )
    elif verification.drawn > verification.before:
        mine = verification.drawn - verification.before
        click.echo(f"  dice drawn: {mine}, which can be checked once `mam close` has revealed the seed")
        _show_before(verification)
    else:
        _show_before(verification)
    if verification.salted:
        click.echo(
            f"  dice whose only proof is a seal that was noted before the seed was revealed: {verification.salted}"
        )
    click.echo(f"  seal {verification.seal}")
