"""The commands for disputes: open, answer and decide one, list the open ones, and show precedents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from cli.command_class import MissingArgument, command_decorator
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import list_command_options, view_command_options, visibility_options, write_command_options
from mam_events.errors import Refused
from mam_events.notation.lexer.lexer import BECAUSE, MOST_DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mam_events.history.timeline.timeline import Timeline
    from projections.notes.disputes import Precedent


@command_decorator(
    "dispute",
    'mam dispute 17 --claim "He was behind cover"',
    'mam dispute 17 --claim "A tie is half a hit" --rule half_success --by Ben',
)
@click.argument("ruling", required=False, metavar="N", type=IntRange(1), help="The ruling that is disputed.")
@click.argument("words", nargs=-1, metavar="[TEXT]...", help="The claim, instead of --claim.")
@click.option("--claim", default="", metavar="TEXT", help="The claim: what should be different.")
@click.option("--rule", default="", metavar="ID|OPTION", help="The rule or option that the claim is about.")
@visibility_options
@write_command_options
@pass_session
def dispute(session: Session, ruling: int | None, words: tuple[str, ...], claim: str, rule: str) -> None:
    """Object to a ruling. Play goes on until the dispute is decided.

    Others answer with `mam answer`. `mam rule-on` decides it: the ruling stands, or a correction settles it.
    """
    from cli.output.ruling import submit_note

    text = " ".join(filter(None, (claim, *words)))
    if ruling is None:
        raise MissingArgument("Which ruling is disputed? Give its number.", session.again(_newest(session)))
    session.viewer().check_shown(ruling)
    if not text:
        raise MissingArgument("Missing claim. Use --claim TEXT.", session.again("--claim", "WHY"))
    submit_note(session, text, kind="dispute", about=ruling, rule=rule)


@command_decorator("answer", 'mam answer 22 "It was a table, and tables hide nobody" --by Ana')
@click.argument(
    "text",
    nargs=-1,
    required=True,
    metavar="[D] TEXT...",
    help="The number of the dispute (the only open one, if left out), and the answer.",
)
@visibility_options
@write_command_options
@pass_session
def answer(session: Session, text: tuple[str, ...]) -> None:
    """Answer an open dispute."""
    from cli.hints.usage_errors import missing_argument_text
    from cli.output.ruling import submit_note

    first, *more = text
    number = int(first) if first.isdecimal() and len(first) <= MOST_DIGITS else None
    answer_text = " ".join(more if number is not None else text)
    if not answer_text:
        raise click.UsageError(missing_argument_text("TEXT", "The answer."))
    number = number or _open_dispute(session)
    session.viewer().check_shown(number)
    submit_note(session, answer_text, kind="answer", about=number)


@command_decorator(
    "rule-on",
    'mam rule-on 22 --uphold --reason "Tables hide nobody"',
    'mam rule-on 22 --with 23 --reason "The die was read wrong"',
    "mam rule-on 22 with=23 because the die was read wrong",
)
@click.argument(
    "words",
    nargs=-1,
    metavar="[D] [N]... [TEXT]...",
    help="The number of the dispute (the only open one, if left out), more corrections for --with, and the reason.",
)
@click.option("--uphold", is_flag=True, help="The ruling stands.")
@click.option("--as-corrected", is_flag=True, help="The ruling stands as it reads now, even if it was corrected since.")
@click.option(
    "--with",
    "corrections",
    multiple=True,
    type=IntRange(1),
    metavar="N",
    help="The correction made since that settles it: an undo, an amendment, an insert or the game master's word.",
)
@click.option("--reason", default="", metavar="TEXT", help="The reason, kept in the log.")
@write_command_options
@pass_session
def rule_on(
    session: Session,
    words: tuple[str, ...],
    uphold: bool,
    as_corrected: bool,
    corrections: tuple[int, ...],
    reason: str,
) -> None:
    """Decide a dispute: the ruling stands, or a correction settles it.

    Correct the fight first, with `undo`, `amend`, `adjust` or an action with `--after`, and name that correction here.
    A dispute is decided once. If somebody has something new to say, they dispute the ruling again.
    """
    from cli.output.ruling import submit_note

    decision = _decision(words)
    number, *more = decision.numbers or (None,)
    corrections = (*corrections, *decision.corrections)
    uphold = uphold or decision.upholds
    settling = (*corrections, *more)
    if more and not corrections:
        raise click.UsageError(
            f"Decide one dispute at a time. If {more[0]} is the correction that settles it, type --with {more[0]}."
        )
    if uphold and settling:
        raise click.UsageError("Use --uphold if the ruling stands, or --with N if a correction settles it, not both.")
    number = number or _open_dispute(session)
    for ruling in (number, *settling):
        session.viewer().check_shown(ruling)
    # Don't ask how to decide a dispute that isn't open: the order below is refused.
    if not uphold and not settling and session.timeline().disputes.get(number) == 0:
        about = _about(session, number)
        done = _corrections_since(session, number, about)
        with_newest = ("--with", f"{list(done)[-1]}" if done else "N")
        ways = (with_newest, ("--uphold", "--as-corrected")) if done else (("--uphold",), with_newest)
        # Offer both: a single one to copy would decide for the game master.
        lines = [session.again(*way, instead_of=decision.unclear_words) for way in ways]
        raise MissingArgument(_what_is_decided(session, number, about, done), ", or ".join(lines))
    if not settling and not (as_corrected or decision.as_corrected):
        _check_as_it_was(session, number)
    submit_note(
        session, " ".join(filter(None, (reason, decision.why))), kind="decision", about=number, corrections=settling
    )


class _Decision(NamedTuple):
    """A decision, parsed from its bare words."""

    numbers: Sequence[int]
    corrections: Sequence[int]
    upholds: bool
    as_corrected: bool
    why: str
    unclear_words: Sequence[str]
    """The words that are neither a decision nor a reason after `because`."""


def _decision(words: Sequence[str]) -> _Decision:
    """Return the decision in those words, in the notation of a line: `22 with=23 because the die was read wrong`."""
    numbers: list[int] = []
    corrections: list[int] = []
    upholds = as_corrected = False
    rest = list(words)
    while rest:
        word = rest[0].lower()
        key, separator, value = word.partition("=")
        if key == "with" and (separator or rest[1:2]):
            corrections += [IntRange(1)(one) for one in (value if separator else rest.pop(1)).split(",")]
        elif word == "uphold":
            upholds = True
        elif word == "as-corrected":
            as_corrected = True
        elif word.removeprefix("#").removeprefix("-").rstrip(":,").isdecimal():
            numbers.append(IntRange(1)(word.rstrip(":,")))
        else:
            break
        del rest[0]
    has_reason = bool(rest) and rest[0].lower() == BECAUSE
    why = " ".join(rest[1:] if has_reason else rest)
    # At the table the closing quote may be missing.
    why = why.removeprefix('"').removesuffix('"')
    return _Decision(numbers, corrections, upholds, as_corrected, why, () if has_reason else rest)


def _about(session: Session, dispute: int) -> int:
    """Return the ruling that a dispute is about."""
    from mam_events.events import Note

    head = session.timeline().heads[dispute - 1]
    return head.about if isinstance(head, Note) else 0


def _what_is_decided(session: Session, dispute: int, about: int, done: Mapping[int, str]) -> str:
    """Return the question what is decided, with both ways to type it: the ruling stands, or a correction settles it."""
    if done:
        return f"How is it decided? {_corrected_since(session, dispute, about, done)}"
    undo, newest = "u" if session.at_table else "mam undo", session.timeline().number + 1
    return (
        f"How is it decided? If ruling {about} stands, type {_rule_on(session, dispute, 'uphold')}. If it is wrong, "
        f"correct it first, for example with {undo} {about}. If that becomes ruling {newest}, type "
        f"{_rule_on(session, dispute, f'with {newest}')}."
    )


def _rule_on(session: Session, dispute: int, *decision: str) -> str:
    """Return the decision of a dispute as it is typed: in words at the table, as options at a shell."""
    if session.at_table:
        return f"rule-on {dispute} {' '.join(decision)}"
    return f"mam rule-on {dispute} {' '.join(f'--{word}' for word in decision)}"


def _corrected_since(session: Session, dispute: int, about: int, done: Mapping[int, str]) -> str:
    """Return what the newest of those corrections did to the ruling, and both ways to decide the dispute."""
    number, how = list(done.items())[-1]
    upheld = _rule_on(session, dispute, "uphold", "as-corrected")
    return (
        f"Ruling {about} was {how} in {number}, after dispute {dispute} began. If ruling {number} settles the dispute, "
        f"type {_rule_on(session, dispute, f'with {number}')}. If the dispute was unfounded, type {upheld}."
    )


def _corrections_since(session: Session, dispute: int, about: int) -> dict[int, str]:
    """Return the corrections of a ruling since that dispute that the view may see, and what they did."""
    timeline, sees = session.timeline(), session.viewer().sees
    since = [number for number in range(dispute + 1, timeline.number + 1) if sees(number)]
    return {number: how for number in since if (how := _corrected_by(timeline, number, about))}


def _check_as_it_was(session: Session, dispute: int) -> None:
    """Raise a usage error for upholding a ruling that was corrected since; it suggests what else may be meant."""
    from mam_events.events import Note

    timeline = session.timeline()
    head = timeline.heads[dispute - 1] if 0 < dispute <= timeline.number else None
    if timeline.disputes.get(dispute) != 0 or not isinstance(head, Note):
        # The order itself is refused.
        return
    done = _corrections_since(session, dispute, head.about)
    if not done:
        return
    raise click.UsageError(_corrected_since(session, dispute, head.about, done))


def _corrected_by(timeline: Timeline, number: int, about: int) -> str:
    """Return what that correction did to a ruling, or "" if nothing."""
    from mam_events.commands import Adjust
    from mam_events.events import Amend, Correction, Play, Restore, Strike

    head = timeline.heads[number - 1]
    if isinstance(head, Correction) and timeline.counts(number):
        step = next((step for step in head.steps if step.ruling == about), None)
        return {Amend: "amended", Strike: "undone", Restore: "redone"}[type(step)] if step else ""
    answers = isinstance(head, Play) and isinstance(head.command, Adjust) and head.command.answers == about
    return "answered by the game master's word" if answers and timeline.counts(number) else ""


def _open_dispute(session: Session) -> int:
    """Return the only open dispute that the view sees; raise a usage error that lists them if there are several."""
    from mam_events.notation.grammar.names import either_or
    from projections.notes.disputes import disputes as disputed

    numbers = [row.ruling for row in disputed(session.timeline(), session.redactor()) if row.open]
    if not numbers:
        raise Refused("no_dispute/none_open")
    if numbers[1:]:
        choices = either_or([str(number) for number in numbers])
        raise MissingArgument(f"Which dispute, {choices}? Give its number.", session.typed("mam disputes"))
    return numbers[0]


def _newest(session: Session) -> str:
    """Return the number of the newest play that the view sees, or `N` if there is none."""
    from mam_events.history.timeline.rulings import play_ruling

    timeline, redactor = session.timeline(), session.redactor()
    numbers = (n for n in sorted(timeline.order, reverse=True) if redactor.shows(play_ruling(timeline, n)))
    return f"{next(numbers, 'N')}"


@command_decorator("disputes", "mam disputes", "mam disputes --all --json")
@click.option("--all", "closed_too", is_flag=True, help="Also show decided ones.")
@view_command_options
@pass_session
def disputes(session: Session, closed_too: bool) -> None:
    """List the open disputes: who claims what about which ruling, and the answers."""
    from projections.notes.disputes import decision_words
    from projections.notes.disputes import disputes as disputed
    from projections.phrases import author_words, because_of

    rows = [row for row in disputed(session.timeline(), session.redactor()) if row.open or closed_too]
    if session.json:
        for row in rows:
            render.json_line(row)
        return
    if not rows:
        click.echo("There was no dispute." if closed_too else "No dispute is open.")
        return
    render.print_table(
        ("", "about", "claim", "rule", "by, at (UTC)", "answers", *(("is",) if closed_too else ())),
        [
            (
                str(row.ruling),
                row.what,
                row.claim,
                row.rule,
                f"{author_words(row.by)}, {_moment(row.at)}",
                "; ".join(f"{author_words(reply.by)}: {reply.text}" for reply in row.answers),
                *((f"{decision_words(row)}{because_of(row.reason)}",) if closed_too else ()),
            )
            for row in rows
        ],
        right=(0,),
        fold=(1, 2, 5, 6) if closed_too else (1, 2, 5),
        heading=(0, 1),
    )
    if first := next((row.ruling for row in rows if row.open), 0):
        session.suggest(session.typed(f"mam rule-on {first} --uphold"))


@command_decorator(
    "precedents", "mam precedents --rule MAM-WND-03", "mam precedents --option half_success", "mam precedents tie"
)
@click.argument("words", nargs=-1, metavar="[WORD]...", help="Words in a claim, an answer or a reason.")
@click.option("--rule", default="", metavar="ID", help="Disputes about that rule, or about an option of it.")
@click.option("--option", default="", metavar="NAME", help="Disputes about that option, or about one of its rules.")
@list_command_options
@pass_session
def precedents(session: Session, words: tuple[str, ...], rule: str, option: str) -> None:
    """Show how this table ruled before, in all encounters of the store, the newest first."""
    from cli.output.progress import iterate_with_progress, progress_bar
    from projections.cache.registry import DISPUTE_TABLE
    from projections.notes.disputes import precedents as decided
    from projections.notes.disputes import related_rules

    book = session.log().rules
    names = [related_rules(book.rule_id(name), book.options) for name in (rule, option) if name]
    versions = session.log().application.recorder.versions()
    with progress_bar(session, "Reading", len(versions)) as step:
        rows = iterate_with_progress(DISPUTE_TABLE.rows(session.log(), session.view, versions), step)
        matches = decided(
            ((encounter, row) for encounter, dispute_list in rows for row in dispute_list),
            set.intersection(*names) if names else None,
            map(clean_argument, words),
        )
    if session.json:
        for one in matches:
            render.json_line(one.dispute, encounter=one.encounter)
        return
    if not matches:
        click.echo(
            "No such dispute has been decided yet." if words or rule or option else "No dispute has been decided yet."
        )
    for one in matches:
        _print_precedent(one)


def _print_precedent(one: Precedent) -> None:
    from projections.notes.disputes import decision_words
    from projections.phrases import author_words, because_of

    row = one.dispute
    rule = f" · {row.rule}" if row.rule else ""
    render.line(f"{one.encounter} · {_moment(row.decided_at)} · {row.what}{rule}", "strong", indent=2)
    render.line(f"  #{row.ruling} {author_words(row.by)}: {row.claim}", indent=6)
    for reply in row.answers:
        render.line(f"  #{reply.ruling} {author_words(reply.by)}: {reply.text}", indent=6)
    render.line(
        f"  #{row.decision} {author_words(row.decided_by)}: {decision_words(row)}{because_of(row.reason)}", indent=6
    )


def _moment(at: str) -> str:
    return at[:16].replace("T", " ")
