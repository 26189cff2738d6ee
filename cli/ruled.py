"""The answer to a ruling: its line in the log, verdicts on others, the pools of those concerned, what is next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import click

from cli import output
from cli.spelling import PEOPLE
from cli.suggesting import in_dispute, inserted_open, likely, settles
from cli.veiling import say_who_sees
from cli.viewing import screened, sight
from projections.wording import counted, numbered

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.deciding.templates import Field
    from mam_events.events import Head
    from mam_events.fights import PlayReport
    from mam_events.log.answers import Answer
    from mam_events.rulings.history import Ruling
    from mam_events.rulings.rejudging import Rejudged
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Combatant, Encounter
    from projections.pools import PoolRow


def show_ruling(session: Session, answer: Answer, before: Encounter | None = None) -> None:
    """Print what a ruling is and what followed; `before` is the fight as it stood, to tell whom it changed."""
    session.speak_of(answer.encounter)
    from projections.doing import doings
    from projections.pools import spends_points

    timeline = session.log().timeline(answer.encounter)
    led = _led_by(timeline, answer)
    shown = around(timeline, answer.number, (*led, *(entry.ruling for entry in answer.rejudged)))
    rows = concerned(session, before, answer)
    if session.json:
        output.json_line(_as_json(session, answer, shown, rows))
        return
    if answer.repeated:
        since = f"; it has been corrected since, by {answer.corrected_by}" if answer.corrected_by else ""
        session.say(f"Nothing was written: this order already is ruling {answer.number}{since}.")
    for number in led:
        print_line(session, shown, number)
    drawn = print_line(session, shown, answer.number)
    print_verdicts(session, shown, seen(session, answer.rejudged))
    output.pool_lines(rows, doings(answer.state, session.screen()), spent=spends_points(answer.state))
    if drawn:
        faces = _faces_taken(session, timeline, answer.number)
        session.say(f"*: drawn by mam; a face that is thrown at the table is given with the order{faces}")
    say_who_sees(session, answer, timeline)
    _say_what_is_next(session, answer, timeline)


def _led_by(timeline: Timeline, answer: Answer) -> list[int]:
    """The ruling that was written with this one and before it: it commits to a seed for the die that this one draws."""
    from mam_events.events import Branch

    before = timeline.heads[answer.number - 2] if answer.number > 1 and not answer.repeated else None
    return [before.ruling] if isinstance(before, Branch) and not before.parent else []


def _faces_taken(session: Session, timeline: Timeline, number: int) -> str:
    """The way faces are given with the order of a ruling: `: ATTACK_DIE 1 to 6, --armor-die rat=1 to 6`; ""
    for none.
    """
    from msgspec.structs import replace

    from cli.examples import ranges
    from cli.offering import allowed
    from mam_events.commands import actor_of, name_of

    if number not in timeline.place:
        return ""
    command, state, screen = timeline.command(number), timeline.state_before(timeline.place[number]), session.screen()
    whose = ("", actor_of(command))
    offers = allowed(session.log().rules, state, screen, (name_of(command),))
    offer = next((offer for offer in offers if offer.combatant in whose), None)
    if offer is None:
        return ""
    dice = tuple(field for field in offer.fields if field.name.split("_")[-1] in ("die", "dice"))
    told = ranges(replace(offer, fields=dice, sums=()))
    return f": {told}" if told else ""


def around(timeline: Timeline, number: int, others: Iterable[int] = ()) -> list[Ruling]:
    """A ruling together with those it speaks of, in order of number."""
    from mam_events.events import Correction, Note
    from mam_events.rulings.history import rulings

    head = timeline.head(number)
    named = {number, *others}
    if isinstance(head, Correction):
        named |= _named_by(timeline, head)
    while isinstance(head, Note) and 0 < head.about < head.ruling:
        named |= {head.about, *head.corrections}
        head = timeline.head(head.about)
    return [next(rulings(timeline, n)) for n in sorted(named)]


def _named_by(timeline: Timeline, head: Head) -> set[int]:
    """The rulings that a correction's steps name, and those that the ones it restores name."""
    from mam_events.events import Correction, Restore

    named: set[int] = set()
    waiting = [head]
    while waiting:
        head = waiting.pop()
        for step in head.steps if isinstance(head, Correction) else ():
            if isinstance(step, Restore) and step.ruling not in named:
                waiting.append(timeline.head(step.ruling))
            named.add(step.ruling)
    return named


def concerned(session: Session, before: Encounter | None, answer: Answer) -> list[PoolRow]:
    """The pools of those whom a ruling named or changed, as far as the view may know of them."""
    from mam_events.events import Play
    from projections.doing import doings
    from projections.pools import rows_of, spends_points

    command = answer.head.command if isinstance(answer.head, Play) else None
    named = {getattr(command, field) for field in PEOPLE if hasattr(command, field)}
    # An order that was sent again changed nothing, though the fight has moved on since it was first given.
    new = answer.state.combatants
    old = before.combatants if before and not answer.repeated else new
    changed = {name for name, combatant in new.items() if old.get(name) != combatant}
    screen = session.screen()
    then, now = (doings(before or answer.state, screen), doings(answer.state, screen)) if old is not new else ({}, {})
    otherwise = {name for name in {*then, *now} if then.get(name) != now.get(name)}
    if not spends_points(answer.state):
        # Nobody's points move by acting: only what hurts or heals is worth a line.
        named, changed = set(), {name for name in changed if _hurt(old.get(name), new[name])}
    return [row for row in rows_of(answer.state, screen) if row.combatant in named | changed | otherwise]


def _hurt(was: Combatant | None, now: Combatant) -> bool:
    """True if somebody is new, or has other points or another condition than before."""
    return was is None or (was.pools, was.condition) != (now.pools, now.condition)


def print_line(session: Session, shown: Sequence[Ruling], number: int) -> bool:
    """Print the log line of one ruling, and say whether a die in it was drawn."""
    from cli.views import print_log_line
    from projections.log_lines import as_text, log_lines
    from projections.sentences.brief import SOURCES

    (line,) = (line for line in log_lines(shown, session.screen()) if line.number == number)
    print_log_line(line)
    return f"{SOURCES['drawn']}]" in as_text(line)


def seen(session: Session, rejudged: Sequence[Rejudged]) -> Sequence[Rejudged]:
    """The verdicts on rulings that this view sees: whether a hidden one comes out otherwise tells what it hides."""
    sees = sight(session)
    return [entry for entry in rejudged if sees(entry.ruling)]


def print_verdicts(session: Session, shown: Sequence[Ruling], rejudged: Sequence[Rejudged], withheld: int = 0) -> None:
    """Print what became of other rulings: those that differ one by one; how many are carried with no sum to tell of,
    stand, or are `withheld`.
    """
    found = verdict_rows(session, shown, [entry for entry in rejudged if entry.verdict != "stands"])
    told = [row for row in found if row[-1]]
    if told:
        click.echo()
        output.table(
            ("ruling", "what", "verdict", "why, or what differs"),
            told,
            right=(0,),
            fold=(1, 3),
            heading=(0, 2),
        )
        click.echo()
    if carried := [int(row[0]) for row in found if not row[-1]]:
        are = "is" if len(carried) == 1 else "are"
        output.line(f"  {numbered(carried)} {are} carried: the same outcome, with other totals.", indent=4)
    standing = len(rejudged) - len(found)
    if standing:
        click.echo(f"  {counted(standing, 'later ruling')} {'stands' if standing == 1 else 'stand'} as before.")
    if withheld:
        click.echo(f"  {counted(withheld, 'later ruling')} {'is' if withheld == 1 else 'are'} hidden.")


def verdict_rows(
    session: Session, shown: Sequence[Ruling], rejudged: Iterable[Rejudged]
) -> list[tuple[str, str, str, str]]:
    """The cells of a table of verdicts: number, what was asked, verdict, why."""
    from mam_events.dice import read_key
    from mam_events.rulings.history import events_before
    from projections.casebook import Casebook, Scene
    from projections.orders import asked
    from projections.sentences import difference, other_sums

    told = tuple(rejudged)
    before = {entry.ruling: events_before(session.timeline(), entry.ruling, entry.events) for entry in told}
    # What is told of one ruling names what another declared: now, and as it was.
    then = Casebook(shown, session.screen())
    casebook = Casebook(shown, session.screen())
    for entry in told:
        then.declare(before[entry.ruling])
        casebook.declare(entry.events)
        # Whom a preview calls so is nobody hidden, whoever else is called that.
        casebook.screen.learn(entry.state.combatants.values())
    rows = []
    for entry in told:
        ruling = next(one for one in shown if one.number == entry.ruling)
        why = casebook.screen.words(entry.why)
        if entry.verdict == "changed":
            why = difference(before[entry.ruling], entry.events, Scene(casebook, ruling), Scene(then, ruling))
        elif entry.verdict == "carried":
            why = casebook.screen.text(other_sums(before[entry.ruling], entry.events))
        if entry.undrawn:
            key = read_key(entry.undrawn)
            whose = Scene(casebook, ruling).name(key.roller)
            what = f"a {key.kind} is drawn for {whose}'s {key.role.partition('-')[0]}"
            why = f"{what} when this is done; what follows is not known yet"
        elif entry.because:
            why = f"{why} (because of {entry.because})"
        verdict = entry.verdict or "open"
        style = {"void": "bad", "changed": "strong"}.get(verdict, "")
        rows.append(
            (f"{entry.ruling}", asked(ruling, casebook, instead=entry.command), output.paint(verdict, style), why)
        )
    return rows


def _as_json(session: Session, answer: Answer, shown: Sequence[Ruling], rows: Sequence[PoolRow]) -> dict[str, Any]:
    import msgspec

    from cli.suggesting import ready_to_type
    from projections.audit import audit_trail
    from projections.doing import doings

    doing = doings(answer.state, session.screen())
    entry = next(entry for entry in audit_trail(shown, session.screen()) if entry.number == answer.number)
    return {
        "ruling": answer.number,
        "encounter": answer.encounter,
        "repeated": answer.repeated,
        "corrected_by": answer.corrected_by,
        "audit": msgspec.to_builtins(entry),
        "verdicts": verdicts_json(session, shown, seen(session, answer.rejudged)),
        "pools": [output.pools_json(row, doing) for row in rows],
        "next": ready_to_type(session, session.log().timeline(answer.encounter)),
    }


def verdicts_json(session: Session, shown: Sequence[Ruling], rejudged: Iterable[Rejudged]) -> list[dict[str, Any]]:
    """The verdicts on other rulings as JSON has them."""
    from projections.casebook import Casebook

    casebook, told = Casebook(shown, session.screen()), tuple(rejudged)
    for entry in told:
        casebook.screen.learn(entry.state.combatants.values())
    differing = [entry for entry in told if entry.verdict in ("changed", "carried")]
    differs = {row[0]: row[-1] for row in verdict_rows(session, shown, differing)}
    return [
        {
            "ruling": entry.ruling,
            "verdict": entry.verdict,
            "why": casebook.screen.words(entry.why),
            "because": entry.because,
            "differs": differs.get(f"{entry.ruling}", ""),
            "undrawn": entry.undrawn,
        }
        for entry in told
    ]


def _say_what_is_next(session: Session, answer: Answer, timeline: Timeline) -> None:
    from mam_events.commands import Open
    from mam_events.events import Note, Play
    from mam_events.rulings.corrections import last_step, last_undo

    head, sees = answer.head, sight(session)
    if steps := in_dispute(session, head):
        session.suggest(steps)
    else:
        say_next(session, timeline)
    if inserted_open(timeline):
        # Until that is resolved, nothing is worth saying of those whom it made void.
        return
    if isinstance(head, Note) and head.kind == "comment":
        session.say(f"a note stays: {session.typed('mam undo')} would take back ruling {last_step(timeline, sees)}")
    if isinstance(head, Note) or (isinstance(head, Play) and isinstance(head.command, Open)):
        return
    for disputed, settled in settles(session, timeline, answer):
        session.say(f"{disputed} is in dispute: {settled}")
    void = [entry.ruling for entry in seen(session, answer.rejudged) if entry.verdict == "void"]
    if void:
        struck = session.typed(f"mam undo {void[0]} --only")
        mended = _missing_turn(session, timeline, void[0]) or next(_amendments(session, timeline, void), "")
        ways = f"mend what you can: {mended}, or {struck}" if mended else f"strike what is not to come back: {struck}"
        session.say(f"void now: {numbered(void)}; {ways}")
    if last_undo(timeline, sees) == answer.number:
        session.say(f"bring it back: {session.typed('mam redo')}")
        return
    last = isinstance(head, Play) and last_step(timeline, sees) == answer.number
    session.say(f"take it back: {session.typed('mam undo' if last else f'mam undo {answer.number}')}")


def _missing_turn(session: Session, timeline: Timeline, void: int) -> str:
    """The turn, or the end of one, that somebody lacks who is up again by a correction, so that nobody's turn behind it
    can begin; "" where that is not what makes the first void ruling so.
    """
    from mam_events.commands import BeginTurn

    place = timeline.place[void]
    state, command = timeline.state_before(place), timeline.command(void)
    if not isinstance(command, BeginTurn) or state.exchange is not None:
        return ""
    before = (n for n in reversed(timeline.order[:place]) if timeline.lives(n) and not timeline.entries[n].outcome.void)
    if state.turn is not None:
        return session.typed(f"mam end-turn {state.turn.combatant} --after {next(before)}")
    missing = state.next_up not in (None, command.combatant)
    return session.typed(f"mam begin-turn {state.next_up} --after {next(before)}") if missing else ""


def _amendments(session: Session, timeline: Timeline, void: Iterable[int]) -> Iterator[str]:
    """Amendments of void rulings that are refused for something they say, each to what they might say there."""
    from msgspec.structs import replace

    from cli.offering import allowed
    from mam_events.commands import actor_of, name_of
    from mam_events.deciding.checks import allowed as passes
    from mam_events.deciding.decide import mechanic_of
    from mam_events.errors import Refused

    rules, screen = session.log().rules, session.screen()
    for number in void:
        state, command = session.log().at(session.encounter(), number), timeline.command(number)
        if state.ruleset is None:
            continue
        ruleset = rules.in_force(state.ruleset)
        check = mechanic_of(type(command), ruleset).check
        try:
            check(state, ruleset, command)
        except Refused as no:
            # Who does it is what makes it this order; somebody else's is another one.
            fields = [field for field in no.fields if field in command.__struct_fields__ and field != command.actor]
            by_whom = (name_of(command), actor_of(command))
            for offer in allowed(rules, state, screen, by_whom[:1]):
                values = [_taken(field) for name in fields for field in offer.fields if field.name == name]
                if (offer.do, offer.combatant) != by_whom or len(values) < len(fields) or not fields:
                    continue
                for said in (dict(zip(fields, one, strict=True)) for one in product(*values)):
                    if passes(check, state, ruleset, replace(command, **said)):
                        told = " ".join(f"{name}={value}" for name, value in said.items())
                        yield session.typed(f"mam amend {number} {told}")
                        break


def _taken(field: Field) -> list[Any]:
    """The values of a field of a template: its choices, or the most and the least."""
    if field.choices is not None:
        return [choice for choice in field.choices if choice not in ("", None)]
    return [] if field.free else [bound for bound in (field.high, field.low) if bound is not None]


def say_next(session: Session, timeline: Timeline) -> None:
    """Suggest what is likeliest now."""
    if steps := likely(session, timeline):
        session.suggest(steps)


def show_rulings(session: Session, report: PlayReport) -> None:
    """Print a fight as it went: the line of every ruling, and everybody's pools after it."""
    from mam_events.rulings.history import rulings
    from projections.log_lines import as_text, log_lines
    from projections.pools import rows_of, spends_points

    screen = session.screen()
    before: list[PoolRow] = []
    told = log_lines(rulings(session.log().timeline(report.encounter)), screen)
    for line, answer in zip(told, report.answers, strict=True):
        output.line(as_text(line), indent=13)
        rows = rows_of(answer.state, screen)
        spent = spends_points(answer.state)
        if spent or rows != before:
            output.pools_in_a_row(rows, spent=spent)
        before = rows


def show_report(session: Session, report: PlayReport) -> None:
    """Print what became of a fight file: how much of it is in the log, the pools now, and where it broke off."""
    from projections.doing import doings
    from projections.pools import rows_of, spends_points

    broken = report.broken
    session.speak_of(report.encounter)
    timeline = session.log().timeline(report.encounter)
    state = timeline.state
    rows, doing = rows_of(state, session.screen()), doings(state, session.screen())
    if session.json:
        told = (
            None
            if broken is None
            else {
                "place": broken.place,
                "code": broken.error.code,
                "rule": broken.refusal.rule,
                "sentence": screened(session, broken.error.sentence),
            }
        )
        output.json_line(
            {
                "encounter": report.encounter,
                "rulings": len(report.answers),
                "pools": [output.pools_json(row, doing) for row in rows],
                "broken": told,
            }
        )
    else:
        if not session.quiet:
            show_rulings(session, report)
        count = len(report.answers)
        click.echo(f"{report.encounter}: {counted(count, 'ruling')}, round {state.round}")
        output.pool_lines(rows, doing, spent=spends_points(state))
    if broken is not None:
        raise broken.refusal
    if not session.json:
        say_next(session, timeline)
