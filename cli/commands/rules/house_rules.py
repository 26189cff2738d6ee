"""House rules of a table: stored in a file of their own, and changed during a fight."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command_class import BaseCommand
from cli.orders.submit import submit_order
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import house_rule, order_command_options, read_once, store_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reports.rule_changes import RulesChange


@click.command(
    "new",
    cls=BaseCommand,
    example=(
        "mam rules new our-table --from mam_pools --set half_success=never",
        'mam rules new finale --from our-table.toml --set wound_order=damage_first --title "The last evening"',
    ),
)
@click.argument("name", metavar="NAME", help="The name of the rules, lower case; the file becomes NAME.toml.")
@click.option(
    "--from",
    "below",
    default="mam_pools",
    metavar="PRESET|FILE",
    help="The preset (mam_pools) or file that they change.",
)
@house_rule("A house rule (repeatable).")
@click.option("--title", default="", metavar="TEXT", help="A longer name.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@store_options
@pass_session
def new(
    session: Session, name: str, below: str, house_rules: tuple[tuple[str, str], ...], title: str, force: bool
) -> None:
    """Write house rules into a file, NAME.toml, that fights can use."""
    from cli.commands.rules.readings import readings_of
    from cli.output import render
    from cli.output.files import open_output_file
    from mam_events.fights import overlay_of, read_overlay, write_overlay
    from mam_events.rules.rulebook import rulebook
    from projections.phrases import count_words

    readings_of(rulebook(), overlay_of(below), dict(house_rules))
    target = f"{name}.toml"
    text = write_overlay(name, below, dict(house_rules), clean_argument(title))
    overlay = read_overlay(text, target)
    with open_output_file(target, Path(session.store_path), force=force) as file:
        file.write(text.encode())
    if session.json:
        render.json_line({"file": target, "name": name, "preset": overlay.preset, "house_rules": overlay.house_rules})
        return
    click.echo(f"{target}: {overlay.preset} with {count_words(len(overlay.house_rules), 'house rule')}")
    session.say(f"next: mam new ENCOUNTER --rules {target}")


@click.command(
    "change",
    cls=BaseCommand,
    example=(
        'mam rules change --set half_success=never --reason "The table voted"',
        "mam rules change half_success=never because the table voted",
    ),
)
@click.argument(
    "words",
    nargs=-1,
    metavar="[OPTION=READING]... [TEXT]...",
    help="OPTION=READING, then the reason in plain words.",
)
@house_rule("An option and its reading from now on (repeatable).")
@click.option("--reason", default="", metavar="TEXT", help="The reason, kept in the log.")
@order_command_options
@pass_session
def change(session: Session, words: tuple[str, ...], house_rules: tuple[tuple[str, str], ...], reason: str) -> None:
    """Change the rules of a fight in progress. Later rulings use the new rules, earlier ones keep the old.

    It is a ruling like any other: it can be undone, amended, or inserted into the past (--after). All rulings after it
    are then judged again. If rulings of this fight would have come out differently, you see them first and are asked.
    --preview only shows them, --yes does not ask.
    """
    pairs, why = _parse_readings(words)
    house_rules = read_once((*house_rules, *pairs))
    reason = " ".join(filter(None, (reason, why)))
    if not house_rules:
        raise click.UsageError("Missing house rule. Use --set OPTION=READING, like --set half_success=never.")
    if not clean_argument(reason).strip():
        raise click.UsageError("Missing reason. Use --reason TEXT.")
    new = not session.after and not session.timeline().head_with_id(session.clean_command_id)
    if new:
        _check_another(session, dict(house_rules))
        if _show_difference(session, dict(house_rules)):
            return
    submit_order(session, "change-rules", {"house_rules": dict(house_rules), "reason": reason})


def _parse_readings(words: tuple[str, ...]) -> tuple[list[tuple[str, str]], str]:
    """Return the options with their readings at the start of those words, and the rest, which is the reason."""
    from mam_events.notation.lexer.lexer import BECAUSE

    parts = (word.partition("=") for word in takewhile(_is_pair, words))
    pairs = [(name.replace("-", "_"), reading) for name, _, reading in parts]
    why = words[len(pairs) :]
    return pairs, " ".join(why[1:] if why and why[0].lower() == BECAUSE else why)


def _is_pair(word: str) -> bool:
    name, _, reading = word.partition("=")
    return bool(name and reading) and "=" not in reading


def _check_another(session: Session, house_rules: dict[str, str]) -> None:
    """Raise `nothing_to_change` if the options have those readings already."""
    from mam_events.errors import Refused
    from mam_events.refusals.arguments import Term, list_argument

    ruleset = session.timeline().state.ruleset
    if ruleset and house_rules.items() <= ruleset.readings.items():
        readings = list_argument(Term(f"{option} is already {reading}") for option, reading in house_rules.items())
        raise Refused("nothing_to_change/read_so", readings=readings, fields=("house_rules",))


def _show_difference(session: Session, house_rules: dict[str, str]) -> bool:
    """Show how the fight so far would differ under those rules, and confirm it; return True for a preview only."""
    from cli.commands.analysis.whatif import load_what_if, print_differing, print_json
    from cli.commands.corrections.preview import confirm
    from mam_events.errors import Refused
    from projections.phrases import count_words

    try:
        supposition, what_if = load_what_if(session, house_rules)
    except Refused:
        # The order itself is refused with a better error.
        return False
    if session.previews and session.json:
        print_json(session, supposition, what_if)
    elif what_if.differing and not session.yes and not session.json:
        print_differing(what_if)
    elif not what_if.differing:
        message = "With the new rule every ruling of this fight would have come out the same."
        click.echo(message) if session.previews else session.say(message)
    if what_if.differing and not session.previews and not session.yes:
        rulings = count_words(len(what_if.differing), "ruling")
        would = f"{rulings} would have come out differently, but what was played stays as it is"
        confirm(session, would, "add --yes to change the rules from here on")
    return session.previews


def print_changes(session: Session, last: int | None) -> None:
    """Print each change of the rules and its effect, in all encounters or in the one that was named."""
    from cli.output import render
    from cli.output.progress import iterate_with_progress, progress_bar
    from projections.cache.registry import RULE_CHANGE_TABLE

    log = session.log()
    versions = log.application.recorder.versions()
    if session.encounter_name:
        versions = [(session.encounter(), session.timeline().version)]
    with progress_bar(session, "Judging again", len(versions)) as step:
        rows = list(iterate_with_progress(RULE_CHANGE_TABLE.rows(log, session.view, versions), step))
    rows_shown = [
        (encounter, change) for encounter, changes in rows for change in (changes[-last:] if last else changes)
    ]
    for encounter, change in rows_shown:
        if session.json:
            render.json_line(change, encounter=encounter)
        else:
            _print_change(encounter, change)
    if not rows_shown and not session.json:
        click.echo("No rules were changed during a fight. To see what other rules would do, use `mam whatif --set`.")


def _print_change(encounter: str, change: RulesChange) -> None:
    from cli.output import render
    from projections.phrases import author_words, join_words, moment_words

    when = f"{moment_words(change.round, change.turn)}, " if change.round else ""
    render.line(f"{encounter} #{change.ruling}  {when}{change.at[:10]}, by {author_words(change.by)}", "strong")
    readings = join_words(
        [f"{option} = {now}{f' (was {was})' if was else ''}" for option, (was, now) in change.readings.items()]
    )
    for sentence in (f"{readings}: {change.reason}", *_effect_words(change)):
        render.line(f"  {sentence}", indent=4)


def _effect_words(change: RulesChange) -> Iterator[str]:
    from projections.analysis.what_if import fallen_words, standing_words
    from projections.phrases import count_words, join_words

    effect = change.effect
    if effect is None:
        yield f"Undone by {change.taken_back_by}." if change.taken_back_by else "Void: it changed nothing."
    elif not effect.rulings:
        yield "Nothing was played since."
    elif not effect.first:
        yield f"Without it all later rulings ({effect.rulings}) would have come out the same."
    else:
        counts = [f"{count} {word}" for count, word in ((effect.changed, "changed"), (effect.void, "void")) if count]
        differing = f"{effect.changed + effect.void} of {count_words(effect.rulings, 'later ruling')}"
        yield (
            f"Without it {differing} would have come out differently ({join_words(counts)}), the first of them "
            f"{effect.first}. The other {effect.recorded:.0%} stay the same."
        )
        for name, words in (("standing", standing_words), ("fell", fallen_words)):
            with_option, without_option = words(effect.with_it), words(effect.without_it)
            yield f"{name}: {with_option}, " + (
                f"without it {without_option}" if without_option != with_option else "with it or without"
            )
