"""The line that Enter alone gives: dice that were typed too early, or orders that would draw dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.output import render
from cli.session import Session
from cli.shell.dice import StaysKept, counted_dice, dice_in, kept_text, question_to_draw, with_kept, without_lost
from cli.shell.questions import DrawQuestion
from mam_events.errors import NoFace
from mam_events.notation.grammar.dice import ARMOR
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.notation.line_result import LineGiven


class PendingLine(NamedTuple):
    """A line that Enter alone gives.

    Dice are kept while their `exchange` is open, orders (`exchange` 0) while ruling `number` is the newest. `asked` is
    the newest ruling when Enter was asked to draw, or -1 if it was not.
    """

    line: str = ""
    exchange: int = 0
    number: int = -1
    asked: int = -1
    dice: tuple[str, ...] = ()
    """The dice for which the faces are kept, as far as they are known."""
    armed: bool = True
    """True while Enter alone gives the line.

    It is False after another line was refused or questioned, until an answer says again that Enter uses it.
    """


class KeptDice:
    """The pending line of a session, with the dice that it keeps for the open exchange."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pending = PendingLine()

    @property
    def asks_to_draw(self) -> bool:
        """True while the question whether to draw dice waits for Enter."""
        return self.pending.asked != -1

    def arm(self, *, armed: bool = True) -> None:
        """Let Enter give the pending line, or not."""
        self.pending = self.pending._replace(armed=armed)

    def drop_question(self) -> None:
        """Forget that Enter was asked to draw."""
        self.pending = self.pending._replace(asked=-1)

    def still_pending(self, timeline: Timeline) -> PendingLine:
        """Return the pending line if Enter may still give it, without faces of a reaction that was undone."""
        pending = self.pending
        if not pending.exchange:
            return pending if pending.number == timeline.number else PendingLine()
        if pending.exchange != timeline.state.open_exchange:
            return PendingLine()
        faces = self._thrown_dice(timeline)
        line = without_lost(pending.line, pending.dice, faces)
        return pending._replace(line=line, dice=faces) if line else PendingLine()

    def keep_unused(self, result: LineGiven) -> None:
        """Keep the dice that a line could not use yet, while their exchange is open."""
        timeline = self.session.timeline()
        # The answer to this line shows the dice that Enter uses, so Enter may use them.
        self.pending = self.still_pending(timeline)._replace(armed=True)
        if result.stopped and result.stopped.unused and not result.stopped.why:
            line = self.add_kept(result.stopped.unused, timeline)
            self.pending = PendingLine(
                line, timeline.state.open_exchange, timeline.number, dice=self._thrown_dice(timeline)
            )

    def add_kept(self, line: str, timeline: Timeline) -> str:
        """Return a line with the kept dice, if it has none of its own or too few.

        Raises BadInput if its dice could replace several kept ones.
        """
        pending = self.still_pending(timeline)
        if not pending.exchange:
            return line
        # Armor dice are thrown only if the strike hits.
        return with_kept(pending.line, line, sum(not die.startswith(ARMOR) for die in self._thrown_dice(timeline)))

    def ask_to_draw(self, line: str, no: NoFace) -> DrawQuestion | None:
        """Keep a line until Enter draws its missing dice, and ask for that.

        Return the question that faces may answer; None if the line is dice alone. Raises BadInput if dice of the same
        roll are kept already.
        """
        timeline = self.session.timeline()
        line_dice = dice_in(line)
        pending = self.still_pending(timeline)
        kept_dice = dice_in(pending.line)
        if not line_dice and kept_dice and pending.exchange and no.order == "resolve":
            raise StaysKept(
                f"{kept_text(kept_dice.faces)} for this roll. Type the order without dice, and Enter uses "
                f"{pending.line}. Or type the order with the faces of all dice."
            )
        exchange = timeline.state.open_exchange if line_dice and line_dice.faces else 0
        self.pending = PendingLine(
            line, exchange, timeline.number, timeline.number, self._thrown_dice(timeline) if exchange else ()
        )
        dice = no.dice if line_dice or no.order != "roll-initiative" else counted_dice(no.dice, no.rollers)
        people = timeline.state.combatants
        rollers = [people[who].name for who in dict.fromkeys(no.rollers)] if no.order in GROUP_ROLL_FIELDS else ()
        render.print_notice(question_to_draw(dice, line_dice.faces if line_dice else (), rollers))
        return None if line_dice else DrawQuestion(line, no.order, no.rollers)

    def _thrown_dice(self, timeline: Timeline) -> tuple[str, ...]:
        """Return the dice of the open exchange that are to be thrown, in the order in which faces are typed."""
        from mam_events.notation.author import GM_AUTHOR
        from mam_events.notation.orders.assign_dice import open_rolls

        return tuple(open_rolls(GM_AUTHOR.fight(timeline, timeline.state, self.session.log().rules)))
