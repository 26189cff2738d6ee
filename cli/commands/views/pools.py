"""The command pools: everybody's hit points by pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.commands.views.moments import across_encounters, check_no_moment, moment_of
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options

if TYPE_CHECKING:
    from projections.state.activities import Activities
    from projections.state.pools import PoolRow
    from projections.state.turn_order import OrderRow, TurnOrder
    from projections.visibility.redaction import Redactor


def moment_of(session: Session, moment: str | None, as_of: int | None) -> tuple[Timeline, Encounter]:
    """Return the timeline as of a ruling, and the state at that moment of it."""
    from mam_events.history.timeline.moments import state_at

    timeline = session.timeline(as_of)
    return timeline, state_at(timeline, moment, session.redactor().sight(timeline))


def rulings_until(
    timeline: Timeline, moment: str | None, redactor: Redactor, *, as_fought: bool = False
) -> list[Ruling]:
    """Return the rulings up to that moment by number, or with `as_fought` in the order in which they happened."""
    from mam_events.history.timeline.moments import place_at
    from projections.rulings.placement import in_story_order, placed_rulings

    last = len(timeline.order) if moment is None else place_at(timeline, moment, redactor.sight(timeline))
    pairs = [(place, ruling) for place, ruling in placed_rulings(timeline, redactor) if place <= last]
    return in_story_order(pairs) if as_fought else [ruling for _, ruling in pairs]


across_encounters = click.option(
    "--all", "everywhere", is_flag=True, help="Every encounter of the store as it stands, the oldest first."
)


def check_no_moment(moment: str | None, as_of: int | None) -> None:
    """Raise a usage error if a moment of one encounter is requested together with --all."""
    if moment or as_of:
        raise click.UsageError("--at and --as-of are for one encounter. Leave --all out.")


@command_decorator("pools", "mam pools", "mam pools --at round:2 --json", "mam pools --all")
@across_encounters
@moment_option
@view_command_options
@pass_session
def pools(session: Session, moment: str | None, as_of: int | None, *, everywhere: bool) -> None:
    """Show the five pools of everybody: R ready, D defense, O other used, S stun, X damage.

    Under rules without ready points: H hit points left, S stun, X damage.
    """
    if everywhere:
        check_no_moment(moment, as_of)
        _print_pools_of_all(session)
        return
    from projections.state.activities import activities
    from projections.state.pools import rows_of, spends_points

    _, state = moment_of(session, moment, as_of)
    rows, doing = rows_of(state, session.redactor()), activities(state, session.redactor())
    if session.json:
        for row in rows:
            render.json_line(render.pools_json(row, doing))
        return
    if not rows:
        nobody = not list(session.redactor().combatants(state))
        click.echo("Nobody has joined yet." if nobody else "There are no hit points in this fight. See `mam order`.")
        return
    print_pools(rows, doing, with_points=spends_points(state))


def _print_pools_of_all(session: Session) -> None:
    """Print the pools of each encounter, as the cache has them."""
    from projections.cache.registry import POOL_TABLE

    for encounter, pools_view in POOL_TABLE.rows(session.log(), session.view):
        if session.json:
            for row in pools_view.rows:
                render.json_line(render.pools_json(row, pools_view.doing), encounter=encounter)
            continue
        render.line(encounter, "strong", indent=2)
        if pools_view.rows:
            print_pools(pools_view.rows, pools_view.doing, with_points=pools_view.spends_points)
        else:
            render.line("Nobody has hit points here.", indent=2)


ROOM = 100
"""The minimum number of columns for pools headed by their names; below it, letters head them."""


def print_pools(rows: Sequence[PoolRow], doing: Activities, *, with_points: bool) -> None:
    """Print a table of pools, or of hit points left and wounds, with a bar for each combatant."""
    short = render.is_terminal() and render.terminal_width() < ROOM
    letters = render.pool_letters(with_points=with_points)
    heads = list(letters.values()) if short else [name.replace("_", " ") for name in letters]
    headers = ("combatant", "name", "side", "hp", *heads, "", "is")
    cells = [
        (
            row.combatant,
            render.display_name(row.name, row.visibility),
            row.side,
            str(row.hp),
            *(
                render.paint(str(number), name)
                for name, number in render.pool_amounts(row.pools, with_points=with_points).items()
            ),
            render.bar(row.pools, with_points=with_points),
            render.condition_words(row.condition, doing.get(row.combatant, ())),
        )
        for row in rows
    ]
    fold = (1, 2, 5 + len(heads))
    if short and not render.fits_terminal(headers, cells, fold):
        render.print_pools(rows, doing, with_points=with_points)
    else:
        render.print_table(headers, cells, right=range(3, 4 + len(heads)), fold=fold)
    if short:
        labels = {"left": "hit points left", "other_used": "other used"}
        click.echo(", ".join(f"{letter} {labels.get(name, name)}" for name, letter in letters.items()))


@command_decorator("order", "mam order", "mam order --at 12", "mam order --all")
@across_encounters
@moment_option
@view_command_options
@pass_session
def order(session: Session, moment: str | None, as_of: int | None, *, everywhere: bool) -> None:
    """Show the turn order and whose turn it is."""
    if everywhere:
        check_no_moment(moment, as_of)
        _print_order_of_all(session)
        return
    from mam_events.history.timeline.moments import place_at
    from projections.state.next_move import next_move_sentence
    from projections.state.turn_order import project_turn_order, settled_by

    timeline, state = moment_of(session, moment, as_of)
    redactor = session.redactor()
    order_settled = settled_by(
        timeline, None if moment is None else place_at(timeline, moment, redactor.sight(timeline))
    )
    turn_order = project_turn_order(state, redactor, order_settled)
    open_ones = _in_dispute(session, timeline, moment)
    if session.json:
        fields = msgspec.to_builtins(turn_order)
        hidden = fields.pop("hidden")
        render.json_line(fields | {"disputes": open_ones, "hidden": hidden})
        return
    render.line(next_move_sentence(state, session.redactor(), session.log().rules), indent=2)
    if turn_order.why and order_settled:
        first = state.combatants.get(order_settled.order[0])
        begins = "is first" if order_settled.rolled.entries else "begins"
        render.line(
            f"{first.name if first else order_settled.order[0]} {begins} ({turn_order.why}). [{turn_order.rule}]",
            indent=2,
        )
    if turn_order.rows:
        click.echo()
        _print_order(turn_order)
    if open_ones:
        from projections.phrases import author_says

        click.echo()
    for row in open_ones:
        render.line(f"? {row.ruling}: {author_says(row.by, begins=False)} disputes {row.what}: {row.claim}", indent=2)


def _in_dispute(session: Session, timeline: Timeline, moment: str | None) -> list[Dispute]:
    """Return the disputes that are open at that moment."""
    if not timeline.disputes:
        return []
    from projections.notes.disputes import disputes_in
    from projections.rulings.index import RulingIndex

    redactor = session.redactor()
    return [row for row in disputes_in(RulingIndex(rulings_until(timeline, moment, redactor), redactor)) if row.open]


def _print_order_of_all(session: Session) -> None:
    """Print the turn order of each encounter, as the cache has it."""
    from projections.cache.registry import TURN_ORDER_TABLE

    for encounter, turn_order in TURN_ORDER_TABLE.rows(session.log(), session.view):
        if session.json:
            render.json_line(turn_order, encounter=encounter)
            continue
        render.line(f"{encounter}, round {turn_order.round}" if turn_order.round else encounter, "strong", indent=2)
        if turn_order.rows:
            _print_order(turn_order)
        else:
            render.line("Initiative is not settled.", indent=2)


def _print_order(turn_order: TurnOrder) -> None:
    """Print all combatants in turn order."""
    from mam_events.visibility import GAME_MASTER, PUBLIC

    names = {row.combatant: row.name for row in turn_order.rows}
    has_totals = any(row.total is not None for row in turn_order.rows)
    render.print_table(
        ("", "combatant", "name", "turn", *(("total", "actions") if has_totals else ()), ""),
        (
            (
                str(row.position),
                row.combatant,
                render.display_name(row.name, GAME_MASTER if row.combatant in turn_order.hidden else PUBLIC),
                _status(row.status),
                *((pool_cell(row.total), actions_cell(row)) if has_totals else ()),
                remarks_cell(row, names),
            )
            for row in turn_order.rows
        ),
        right=(0, 4, 5) if has_totals else (0,),
        fold=(2, 6 if has_totals else 4),
    )


def pool_cell(value: int | None) -> str:
    """Return a total in digits, or "" if there is none."""
    return "" if value is None else str(value)


def actions_cell(row: OrderRow) -> str:
    """Return the actions left of those declared: `1 of 3`."""
    return f"{row.left} of {row.declared}" if row.declared else ""


def _status(status: str) -> str:
    return render.paint(status, {"acting": "strong", "down": "bad", "done": "faint"}.get(status, ""))


def remarks_cell(row: OrderRow, names: Mapping[str, str]) -> str:
    """Return the remarks on a combatant.

    They are the reason why they are not able, their activities, turns they must skip, their tie, and points they may
    spend.
    """
    from projections.phrases import count_words
    from projections.sentences.opening import FACTORS
    from projections.state.activities import doing_words

    skips = f"must skip {count_words(row.skips_owed, 'turn')}" if row.skips_owed else ""
    awaited = names.get(row.ahead_of, row.ahead_of)
    tie = f"before {awaited} by {FACTORS.get(row.ahead_by, row.ahead_by)}" if row.ahead_by else ""
    waits = "waits, and may interrupt" if row.waits and row.left else ""
    related = ", ".join(f"{skill.skill} {skill.modifier:+d} for {skill.primary}" for skill in row.related)
    points = {"Character Point": row.character_points, "Fate Point": row.fate_points}
    points_text = ", ".join(count_words(number, point) for point, number in points.items() if number)
    return "; ".join(filter(None, (row.reason, doing_words(row.doing), skips, waits, tie, related, points_text)))


@command_decorator(
    "log", "mam log", "mam log 17", "mam log --last 5", "mam log --as-of 21", "mam log --as public --json"
)
@click.argument("ruling", required=False, type=IntRange(1), help="Only that ruling (all, if left out).")
@click.option("--last", type=IntRange(1), metavar="N", help="Only the last N rulings.")
@moment_option
@view_command_options
@pass_session
def log(session: Session, ruling: int | None, last: int | None, moment: str | None, as_of: int | None) -> None:
    """Show the fight line by line, undone lines too.

    A line begins with ruling, round and turn: `#17 r2 t1`. Before the first turn of a round the turn is left out. Dice
    are in brackets: [6] was thrown at the table, [6*] drawn, [6!] amended. Marks: ↶ undone, with who and why, ✗ void, ~
    amended or judged again, ? disputed, § answered or decided, ↳ inserted, ↷ an undone correction, ◑ hidden from all
    but those it names, ▒ hidden from this view. A line with – instead of a number is a missed turn that a correction
    lets pass, so that the ruling below it stays valid. Dice that were drawn and then undone are listed at the end of
    the whole log.
    """
    from projections.analysis.undone_dice import undone_dice, undone_dice_sentence
    from projections.rulings.log_lines import log_lines

    # Load the whole timeline even for --last, because those lines may refer to earlier rulings.
    timeline = session.timeline(as_of)
    if ruling is not None:
        timeline.head(ruling)
    redactor = session.redactor()
    lines = log_lines(rulings_until(timeline, moment, redactor), redactor, (last or 0) if ruling is None else 0)
    for line in lines if ruling is None else [one for one in lines if one.number == ruling]:
        if session.json:
            render.json_line(line)
        else:
            print_log_line(line)
    shows_all = ruling is None and last is None and moment is None
    if shows_all and not session.json and (words := undone_dice_sentence(undone_dice(timeline, redactor))):
        render.line(words, indent=2)


def print_log_line(line: LogLine) -> None:
    """Print one line of the log after its bookkeeping.

    A ruling that does not count is struck through, with the reason after it.
    """
    from projections.rulings.log_lines import bookkeeping_lines, line_text, log_line_text

    for quiet in bookkeeping_lines(line):
        render.line(quiet, "faint", indent=15)
    style = "struck" if line.struck or line.void else "faint" if line.hidden else ""
    render.line(log_line_text(line), style, indent=13, upto=None if line.hidden else len(line_text(line)))


@command_decorator("encounters", "mam encounters", "mam encounters --outcomes --json")
@click.option("--outcomes", is_flag=True, help="Who stands and who fell, instead of rules and dates.")
@list_command_options
@pass_session
def encounters(session: Session, outcomes: bool) -> None:
    """List the encounters of the store, the oldest first."""
    from projections.cache.encounters import encounters as listed

    if outcomes:
        _print_outcomes(session)
        return
    rows = listed(session.log(), session.view)
    if session.json:
        for name, row in rows.items():
            render.json_line(row, encounter=name)
        return
    if not rows:
        click.echo("There is no encounter yet. Begin one with `mam new`.")
        return
    render.print_table(
        ("encounter", "title", "is", "rules", "round", "rulings", "last (UTC)", "by", ""),
        [
            (
                name,
                row.title,
                row.status,
                row.ruleset or row.preset,
                str(row.round),
                str(row.rulings),
                row.last_at[:16].replace("T", " "),
                row.last_by,
                f"branch of {row.branch_of} at {row.behind}" if row.branch_of else "",
            )
            for name, row in rows.items()
        ],
        right=(4, 5),
        fold=(1, 7, 8),
    )


def _print_outcomes(session: Session) -> None:

    from projections.analysis.what_if import fallen_words, standing_words
    from projections.cache.registry import OUTCOME_TABLE

    endings = dict(OUTCOME_TABLE.rows(session.log(), session.view))
    if session.json:
        for name, end in endings.items():
            render.json_line(end, encounter=name)
        return
    rows = [(name, str(end.rounds), standing_words(end), fallen_words(end)) for name, end in endings.items()]
    render.print_table(("encounter", "rounds", "standing", "fell"), rows, right=(1,), fold=(2, 3))
