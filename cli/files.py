"""Fights as files: play one, export and import a whole encounter, note its seal, verify it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from cli import output
from cli.exits import was_closed
from cli.options import command, looking, of_store, opening
from cli.session import Session, pass_session
from projections.wording import counted

if TYPE_CHECKING:
    from mam_events.verification import Verification
    from mam_events.verification.lines import Export

_SHARED = 0o666
"""An export is for giving away: what others may do with it the mask of the process tells."""

_ID = click.option(
    "--id", "encounter", default="", metavar="NAME", help="The encounter's id, if not the one in the file."
)


@command("play", "mam play fight.toml", "mam play fight.toml --id second-try --keep-going")
@click.argument("file", metavar="FILE", help="A fight file (TOML); - for standard input.")
@_ID
@click.option("--keep-going", is_flag=True, help="If a line is refused, keep what comes before it.")
@opening
@pass_session
def play(session: Session, file: str, encounter: str, keep_going: bool) -> None:
    """Play a fight file into a new encounter, all of it or nothing.

    Prints every ruling with the pools after it; with -q only how it ends.
    """
    from cli.parties import load
    from cli.progress import working
    from cli.ruled import show_report
    from mam_events.fights import play as play_fight

    fight = load(file)
    count = len(fight.orders)
    with session.receiving() as log, working(session, f"Judging {count} lines"):
        report = play_fight(log, fight, encounter or session.encounter_name, by=session.author, keep_going=keep_going)
    show_report(session, report)


@command(
    "export",
    "mam export -o duel.ndjson",
    "mam export --as public > duel.ndjson",
    "mam export --format toml -o duel.toml",
    "mam export --as-test -o test_duel.py",
    "mam export --all -o exports",
)
@click.option("-o", "--output", "target", default="-", metavar="FILE", help="Where to; standard output, if left out.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("ndjson", "toml")),
    default="ndjson",
    show_default=True,
    help="ndjson: the whole log, byte for byte; toml: a fight file, the fight as it now counts, with its dice.",
)
@click.option(
    "--as-test",
    is_flag=True,
    help="A test for pytest: it fails, ruling by ruling, where a change of the rules would judge the fight otherwise.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--all", "every", is_flag=True, help="Every encounter of the store, each as a file in the folder -o.")
@looking
@pass_session
def export(session: Session, target: str, form: str, as_test: bool, force: bool, every: bool) -> None:
    """Write an encounter as lines of JSON that prove themselves, as a fight file, or as a test.

    What --as may not see is in it as a hash. The seed of the dice is never in it.
    """
    from mam_events.errors import BadInput

    form = "py" if as_test else form
    if form != "ndjson" and session.view != "gm":
        place, what = ("--as-test", "a test") if as_test else ("--format toml", "a fight file")
        raise BadInput(f"{what} shows everything; it is for the game master (--as gm).", place=place)
    if not every:
        session.timeline()
        _export(session, session.encounter(), target, form, force=force)
        return
    if target == "-":
        raise click.UsageError("--all writes into a folder: name it with -o FOLDER.")
    from mam_events.errors import naming
    from mam_events.verification import check_strays

    check_strays(session.log().store)
    for encounter, file in _files(session.log().encounters(), Path(target), form, force=force):
        with naming(encounter):
            _export(session, encounter, str(file), form, force=force)


def _files(encounters: Sequence[str], folder: Path, form: str, *, force: bool) -> list[tuple[str, Path]]:
    """The file of each encounter in a folder, which is made; raises BadInput before the first is written."""
    from mam_events.errors import BadInput
    from mam_events.reading import encounter_id

    files = [(encounter_id(name), folder / _name_of(name, form)) for name in encounters]
    for at, (_, file) in enumerate(files):
        if file in dict(files[:at]).values():
            raise BadInput("two encounters would be written there; export them one by one.", place=str(file))
        if file.exists() and not force:
            raise BadInput("there is such a file; --force writes over it.", place=str(file))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(f"is not a folder that can be written to: {error.strerror}.", place=str(folder)) from None
    return files


def _name_of(encounter: str, form: str) -> str:
    from projections.recorded import name_of_test

    return f"{name_of_test(encounter)}.py" if form == "py" else f"{encounter}.{form}"


def _export(session: Session, encounter: str, target: str, form: str, *, force: bool) -> None:
    from cli.progress import watched, working
    from mam_events.archive import export_ndjson
    from mam_events.fights import write_fight
    from projections.recorded import as_test

    timeline = session.log().timeline(encounter)
    if form == "toml":
        with opened(target, session.log().store.path, force=force) as file:
            file.write(write_fight(timeline, encounter).encode())
    else:
        log = session.log()
        lines = as_test(log, encounter) if form == "py" else export_ndjson(log, encounter, view=session.view)
        # Between the lines of an export that goes to the terminal a bar would only be in the way.
        total = 0 if target == "-" else timeline.version + 2
        with (
            working(session, f"Exporting {encounter}", total) as step,
            opened(target, session.log().store.path, force=force) as file,
        ):
            for line in watched(lines, step):
                file.write(line)
    if target != "-":
        what = "the living fight" if form == "toml" else counted(timeline.number, "ruling")
        session.say(f"{encounter}: {what} in {target}")


@contextmanager
def opened(target: str, store: Path | None, *, force: bool) -> Iterator[BinaryIO]:
    """The file to write to, which appears only once all of it is there; raises BadInput where it cannot be written."""
    from mam_events.errors import BadInput

    if target == "-":
        if was_closed(sys.stdout):
            raise BadInput("it is closed; give the export a file of its own (-o FILE).", place="standard output")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from mam_events.verification.drafts import draft_beside

    try:
        path = Path(target).resolve()
        if store and path in {Path(f"{store}{ending}").resolve() for ending in ("", "-wal", "-shm")}:
            raise BadInput("that is the log itself; give the export a file of its own.", place=target)
        if path.is_dir():
            raise BadInput("that is a directory.", place=target)
        if path.exists() and not path.is_file():
            raise BadInput("that is not a file to write to.", place=target)
        if path.exists() and not force:
            raise BadInput("there is such a file; --force writes over it.", place=target)
        with draft_beside(path, _SHARED) as draft:
            with draft.open("wb") as file:
                yield file
            draft.replace(path)
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"cannot be written: {why}.", place=target) from None


@command("import", "mam import duel.ndjson", "mam import duel.ndjson --id duel-copy")
@click.argument("file", metavar="FILE", help="An export; - for standard input.")
@_ID
@of_store
@pass_session
def import_(session: Session, file: str, encounter: str) -> None:
    """Take in an exported encounter, exactly as it was, once every seal in it is found right."""
    from cli.progress import watched, working
    from mam_events.archive import import_ndjson

    lines = _lines(file)
    with session.receiving() as log, working(session, f"Importing {file}", None) as step:
        found = import_ndjson(log, watched(lines, step), encounter or session.encounter_name or None, name=_name(file))
    if session.json:
        output.json_line(
            {
                "encounter": found.encounter,
                "rulings": found.rulings,
                "rows": found.rows,
                "repeated": found.repeated,
                "added": found.added,
            }
        )
    elif found.repeated:
        more = session.log().timeline(found.encounter).number - found.rulings
        since = f", and {counted(more, 'ruling')} since" if more else ""
        click.echo(f"{found.encounter}: exactly this was here already{since}; nothing was written")
    elif found.added < found.rulings:
        click.echo(f"{found.encounter}: {counted(found.added, 'ruling')} more, {found.rulings} now, every seal right")
    else:
        click.echo(f"{found.encounter}: {counted(found.rulings, 'ruling')}, every seal right")
        session.say("It is the newest here now, so it is meant where no other is named (-e NAME).")
        if session.log().at(found.encounter).status != "closed":
            session.say(
                "Its dice seed does not come with an export: the first die that is drawn here commits to a new one."
            )


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _lines(file: str) -> Iterator[bytes]:
    """The lines of an export; raises BadInput where it cannot be read."""
    from mam_events.archive.inputs import EXPORT_LIMIT, lines_of, read_bytes, read_stream

    if file == "-":
        return lines_of(read_stream(sys.stdin.buffer, _name(file), limit=EXPORT_LIMIT))
    return lines_of(read_bytes(file, limit=EXPORT_LIMIT))


@command("seal", "mam seal", "mam seal --to notebook.txt")
@click.option("--to", "notebook", metavar="FILE", help="Append it to a notebook, with the time and what it covers.")
@looking
@pass_session
def seal(session: Session, notebook: str | None) -> None:
    """Print the seal to write down, which proves the log up to here.

    Whoever can write to the store can also write new seals over what they changed; only a seal that somebody noted
    elsewhere proves that nothing before it was changed or cut off: `mam verify --seal SEAL`. A notebook is a file of
    them, on another machine at best: `mam verify --notebook FILE` holds every fight in it to what was noted.
    """
    timeline = session.timeline()
    if notebook is not None:
        from cli.notebook import note_down

        note_down(notebook, session.encounter(), timeline.number, timeline.seal)
    if session.json:
        output.json_line({"encounter": session.encounter(), "rulings": timeline.number, "seal": timeline.seal})
        return
    click.echo(timeline.seal)
    session.say(f"It covers {session.encounter()} up to ruling {timeline.number}.")


@command("verify", "mam verify", "mam verify duel.ndjson --seal 3f0c…", "mam verify --all --judge")
@click.argument(
    "file", required=False, help="An export (- for standard input); the encounter in the store, if left out."
)
@click.option(
    "--seal", "noted", default="", metavar="SEAL", help="A seal that was written down: it must be among them."
)
@click.option("--notebook", metavar="FILE", help="Every fight in that notebook of seals, and each seal in it.")
@click.option("--judge", "again", is_flag=True, help="Judge everything again, with the dice on record.")
@click.option("--all", "every", is_flag=True, help="Every encounter of the store.")
@looking
@pass_session
def verify(session: Session, file: str | None, noted: str, notebook: str | None, again: bool, every: bool) -> None:
    """Check seals, points and dice of a log or an export; exit code 5 names the first ruling that is not right.

    With --judge everything is judged again too, from the orders and the dice on record. All of an encounter is checked,
    whoever looks; what is counted is what --as may see.
    """
    from mam_events.errors import naming
    from mam_events.verification import check_strays, stored

    if (file is not None) + every + (notebook is not None) > 1:
        raise click.UsageError("A FILE, --all and --notebook exclude each other.")
    seals = [noted] if noted else []
    if file is not None:
        _no_encounter(session, file)
        read, found = verified(session, file, *seals)
        if again:
            _judge_again(session, _name(file), stored(read, name=_name(file)), found)
        _show(session, _name(file), found, judged=again)
        return
    log = session.log()
    if notebook is not None:
        from cli.notebook import noted_down

        for encounter, there in noted_down(notebook, log.encounters()).items():
            with naming(encounter):
                _verify_stored(session, encounter, *there, again=again)
        return
    if not every:
        _verify_stored(session, session.encounter(), *seals, again=again)
        return
    for encounter in log.encounters():
        with naming(encounter):
            _verify_stored(session, encounter, *seals, again=again)
    check_strays(log.store)


def verified(session: Session, file: str, *noted: str) -> tuple[Export, Verification]:
    """An export that was read, and what was found right in it; raises as `verify_read` does."""
    from cli.progress import watched, working
    from mam_events.verification import verify_read
    from mam_events.verification.lines import read_lines

    with working(session, f"Verifying {file}", None) as step:
        read = read_lines(watched(_lines(file), step), _name(file))
        return read, verify_read(read, noted=noted, name=_name(file))


def _verify_stored(session: Session, encounter: str, *noted: str, again: bool) -> None:
    """Check one encounter of the store, and that it has all seals that were noted; say what was found right."""
    from cli.progress import working
    from mam_events.archive import export_ndjson
    from mam_events.verification import revealed_beside, verify_export
    from mam_events.verification import verify as verify_rows

    log = session.log()
    rows = log.store.read(encounter)
    if not rows:
        log.timeline(encounter)
    with working(session, f"Verifying {encounter}"):
        seed = log.store.seed(encounter)
        revealed = revealed_beside(log.store, rows)
        found = verify_rows(rows, noted=noted, seed=seed, revealed=revealed)
    if again:
        _judge_again(session, encounter, rows, found)
    if session.view != "gm":
        # All of it is checked; what is counted is what this view would be given to check by itself.
        found = verify_export(export_ndjson(log, encounter, view=session.view))
    _show(session, encounter, found, here=seed is not None, judged=again)


def _judge_again(session: Session, what: str, rows: list[tuple[int, str, bytes]], found: Verification) -> None:
    """Judge all of it again, with a bar where that takes long."""
    from cli.progress import working
    from mam_events.rules.rulebook import rulebook
    from mam_events.verification import judge_again

    with working(session, f"Judging {what} again", found.rulings) as step:
        judge_again(rows, rulebook(), step)


def _no_encounter(session: Session, file: str) -> None:
    """Raise BadInput where somebody named an encounter of the store in place of a file."""
    from mam_events.errors import BadInput, MamError

    known: list[str] = []
    with suppress(MamError):
        known = session.log().encounters()
    if file in known and not Path(file).exists():
        raise BadInput(f"there is no such file; the encounter is verified with `mam verify -e {file}`.", place=file)


def _show_before(found: Verification) -> None:
    """The line of dice that were drawn from a seed of before, and that nobody can check yet."""
    where = f'in "{found.parent}"' if found.parent else "where this was exported"
    if found.before:
        click.echo(f"  dice drawn before, {where}: {found.before}, which cannot be checked until that seed is revealed")


def _show(session: Session, what: str, found: Verification, *, here: bool | None = None, judged: bool = False) -> None:
    """The lines for what was found right; `here` tells whether the seed of the dice is in this store (None: not asked
    of a file), `judged` whether everything was judged again.
    """
    import msgspec

    if session.json:
        output.json_line({"what": what} | msgspec.to_builtins(found) | {"judged": judged, "seed_here": here})
        return
    hidden = f", {found.hidden} of them only as hashes" if found.hidden else ""
    click.echo(
        f"{what}: {counted(found.rulings, 'ruling')} in {counted(found.rows, 'row')}{hidden}: every seal is right"
    )
    if judged:
        click.echo("  every outcome is what the rules give, from the orders and the dice on record")
    if found.drawn and found.revealed:
        click.echo(f"  {found.proven} of {found.drawn} drawn dice come from the seed that was committed to")
        _show_before(found)
    elif found.drawn and found.closed:
        click.echo(f"  dice drawn: {found.drawn}, which nobody can check: no seed was there to be revealed at the end")
    elif here is False and found.committed and not found.closed:
        drawn = f"; those drawn ({found.drawn}) cannot be checked until it is revealed" if found.drawn else ""
        click.echo(f"  the seed of the dice is not in this store: the first die drawn here commits to a new one{drawn}")
    elif found.drawn > found.before:
        mine = found.drawn - found.before
        click.echo(f"  dice drawn: {mine}, which can be checked once `mam close` has revealed the seed")
        _show_before(found)
    else:
        _show_before(found)
    click.echo(f"  seal {found.seal}")
