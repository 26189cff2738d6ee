"""The commands play, export and import: fights as files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from cli.command_class import MissingArgument, command_decorator
from cli.output import render
from cli.output.files import open_output_file
from cli.session import Session, pass_session
from cli.shared_options import open_command_options, store_options, view_command_options
from mam_events.errors import BadInput, MamError, naming_encounter
from projections.phrases import count_words

_ID = click.option(
    "--id", "encounter", default="", metavar="NAME", help="The encounter's id, if not the one in the file."
)


@command_decorator(
    "play", "mam play fight.toml", "mam play fight.score", "mam play fight.toml --id second-try --keep-going"
)
@click.argument("file", required=False, metavar="FILE", help="A fight file (TOML) or a score (- for standard input).")
@_ID
@click.option("--keep-going", is_flag=True, help="If a line is refused, keep what comes before it.")
@open_command_options
@pass_session
def play(session: Session, file: str | None, encounter: str, keep_going: bool) -> None:
    """Play a fight file or a score into a new encounter, all of it or nothing.

    It prints every ruling with the pools after it, or with -q only how the fight ends.
    """
    from cli.commands.fight.party import load_played
    from cli.output.play_report import show_report
    from cli.output.progress import progress_bar
    from mam_events.fights import play as play_fight

    if file is None:
        message = "Missing FILE. Name a fight file (TOML) or a score, or - for standard input."
        raise MissingArgument(f"{message} To play line by line, use mam table.", "mam table")
    fight = load_played(file)
    count = len(fight.orders)
    with session.receiving() as log, progress_bar(session, f"Judging {count} lines"):
        report = play_fight(log, fight, encounter or session.encounter_name, by=session.author, keep_going=keep_going)
    show_report(session, report)


@command_decorator(
    "export",
    "mam export -o duel.ndjson",
    "mam export --as public > duel.ndjson",
    "mam export --format toml -o duel.toml",
    "mam export --format score",
    "mam export --as-test -o test_duel.py",
    "mam export --all -o exports",
)
@click.option(
    "-o", "--output", "target", default="-", metavar="FILE", help="Where to write (standard output, if left out)."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("ndjson", "toml", "score", "played")),
    default="ndjson",
    show_default=True,
    help="ndjson: the whole log, byte for byte; toml: a fight file of the fight with all corrections applied; score: "
    "the same as typed lines; played: the fight as it was played, with its corrections.",
)
@click.option(
    "--as-test",
    is_flag=True,
    help="A pytest test that fails, ruling by ruling, where changed rules would judge the fight differently.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--all", "every", is_flag=True, help="Every encounter of the store, each as a file in the folder -o.")
@view_command_options
@pass_session
def export(session: Session, target: str, form: str, as_test: bool, force: bool, every: bool) -> None:
    """Write an encounter as sealed lines of JSON, as a fight file or a score, or as a test.

    Anything hidden from --as is written as a hash. The seed of the dice is never written.
    """
    form = "py" if as_test else form
    if session.at_table and target == "-" and form == "ndjson":
        message = "An export is too long for the table. Name a file for it with -o FILE."
        raise MissingArgument(message, f"export -o {session.encounter()}.ndjson")
    if form != "ndjson" and session.view != "gm":
        place, what = ("--as-test", "a test") if as_test else (f"--format {form}", "a fight file")
        raise BadInput(f"{what} shows everything, so it is only for the game master (--as gm).", place=place)
    if not every:
        session.timeline()
        _export(session, session.encounter(), target, form, force=force)
        return
    if target == "-":
        raise click.UsageError("--all writes into a folder. Name it with -o FOLDER.")
    from mam_events.verification import check_strays

    check_strays(session.log().application.recorder)
    for encounter, file in _files(session.log().encounters(), Path(target), form, force=force):
        with naming_encounter(encounter):
            _export(session, encounter, str(file), form, force=force)


def _files(encounters: Sequence[str], folder: Path, form: str, *, force: bool) -> list[tuple[str, Path]]:
    """Return the file of each encounter in a folder, and create the folder.

    Raises BadInput, before anything is written, if a file exists or two encounters would share one.
    """
    from mam_events.deserializer import encounter_id

    files = [(encounter_id(name), folder / _name_of(name, form)) for name in encounters]
    for at, (_, file) in enumerate(files):
        if file in dict(files[:at]).values():
            raise BadInput("Two encounters would be written there. Export them one by one.", place=str(file))
        if file.exists() and not force:
            raise BadInput("The file already exists. Use --force to overwrite it.", place=str(file))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        if folder.exists():
            raise BadInput(f"{folder} is not a folder. With --all, -o needs a folder.") from None
        raise BadInput(f"The folder {folder} cannot be made: {error.strerror}.") from None
    return files


def _name_of(encounter: str, form: str) -> str:
    from projections.pytest_export import name_of_test

    return f"{name_of_test(encounter)}.py" if form == "py" else f"{encounter}.{'score' if form == 'played' else form}"


def _export(session: Session, encounter: str, target: str, form: str, *, force: bool) -> None:
    from cli.output.progress import iterate_with_progress, progress_bar
    from mam_events.archive import export_ndjson
    from mam_events.fights import check_played, write_fight, write_played, write_score
    from mam_events.fights.score_writer import PLAYED
    from projections.pytest_export import as_test

    timeline, application = session.log().timeline(encounter), session.log().application
    texts = {
        "toml": lambda: write_fight(timeline, encounter),
        "score": lambda: write_score(timeline, encounter, application.rows(encounter)),
        "played": lambda: write_played(timeline, application.rows(encounter), encounter),
    }
    text = texts[form]() if form in texts else ""
    if text.startswith(PLAYED):
        check_played(session.log(), timeline, text)
    if form in texts:
        with open_output_file(target, session.log().application.factory.path, force=force) as file:
            file.write(text.encode())
    else:
        log = session.log()
        lines = as_test(log, encounter) if form == "py" else export_ndjson(log, encounter, view=session.view)
        # No bar between the lines of an export that goes to the terminal.
        version = timeline.version + 2 if session.view == "gm" else None
        total = 0 if target == "-" else version
        with (
            progress_bar(session, f"Exporting {encounter}", total) as step,
            open_output_file(target, session.log().application.factory.path, force=force) as file,
        ):
            for line in iterate_with_progress(lines, step):
                file.write(line)
    if target != "-":
        as_it_stands = form in ("toml", "score") and not text.startswith(PLAYED)
        what = "the fight" if as_it_stands else count_words(timeline.number, "ruling")
        applied = ", with all corrections applied" if as_it_stands else ""
        session.say(f"{encounter}: wrote {what} to {shlex.quote(target)}{applied}")
    if form == "score" and text.startswith(PLAYED):
        session.say("The score is the fight as it was played: plain orders can't say what its corrections did.")


@command_decorator("import", "mam import duel.ndjson", "mam import duel.ndjson --id duel-copy", "mam import exports")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE…",
    help="Exported files, or a folder from `mam export --all` (- for standard input).",
)
@_ID
@store_options
@pass_session
def import_(session: Session, files: tuple[str, ...], encounter: str) -> None:
    """Import exported encounters, exactly as they were, after checking every seal in them.

    Each file is imported separately. One that fails is named and doesn't stop the others.
    """
    from cli.errors import report_failure

    exports = [export for file in files for export in _exports(file)]
    if len(files) == len(exports) == 1:
        with naming_encounter(display_file_name(exports[0])):
            _import(session, exports[0], encounter or session.encounter_name)
        return
    if encounter:
        raise click.UsageError(f"--id names one encounter, not {len(exports)}. Leave --id out, or import one file.")
    failed: list[MamError] = []
    for file in exports:
        try:
            with naming_encounter(display_file_name(file)):
                _import(session, file, "")
        except MamError as error:
            failed.append(error)
    for earlier in failed[:-1]:
        report_failure(earlier, session, as_json=session.json)
    if failed:
        session.say(f"{count_words(len(exports) - len(failed), 'file')} of {len(exports)} imported.")
        raise failed[-1]


def _exports(file: str) -> list[str]:
    """Return the files that a name stands for: those of a folder, or itself; raise BadInput for an empty folder."""
    if file == "-" or not Path(file).is_dir():
        return [file]
    exports = [str(one) for one in sorted(Path(file).glob("*.ndjson")) if not one.name.startswith(".")]
    if not exports:
        raise BadInput("This folder has no exports: no file in it ends in .ndjson.", place=file)
    return exports


def _import(session: Session, file: str, encounter: str) -> None:
    from cli.output.progress import iterate_with_progress, progress_bar
    from mam_events.archive import import_ndjson

    lines = export_lines(file)
    with session.receiving() as log, progress_bar(session, f"Importing {file}", None) as step:
        report = import_ndjson(log, iterate_with_progress(lines, step), encounter or None, name=display_file_name(file))
    if session.json:
        render.json_line(
            {
                "encounter": report.encounter,
                "rulings": report.rulings,
                "rows": report.rows,
                "repeated": report.repeated,
                "added": report.added,
            }
        )
    elif report.repeated:
        more = session.log().timeline(report.encounter).number - report.rulings
        since = f", and {count_words(more, 'ruling')} since" if more else ""
        click.echo(f"{report.encounter}: already imported{since}. Nothing was written.")
    elif report.added < report.rulings:
        click.echo(
            f"{report.encounter}: {count_words(report.added, 'ruling')} more, {report.rulings} now, all seals are right"
        )
    else:
        click.echo(f"{report.encounter}: {count_words(report.rulings, 'ruling')}, all seals are right")
        session.say_default_encounter(report.encounter, is_newest=True)
        if session.log().at(report.encounter).status != "closed":
            session.say("An export has no seed of the dice, so the first die drawn here gets a new seed.")


def display_file_name(file: str) -> str:
    """Return the name of a file for messages; `-` becomes "standard input"."""
    return "standard input" if file == "-" else file


def export_lines(file: str) -> Iterator[bytes]:
    """Return the lines of an export; raise BadInput if it cannot be read, or is another kind of file."""
    from cli.commands.storage.file_types import check_file_type
    from mam_events.archive.input_files import EXPORT_LIMIT, read_bytes, read_stream, split_lines

    from_stdin = file == "-"
    raw = (
        read_stream(sys.stdin.buffer, display_file_name(file), limit=EXPORT_LIMIT)
        if from_stdin
        else read_bytes(file, limit=EXPORT_LIMIT)
    )
    check_file_type(raw, file, "export")
    return split_lines(raw)
