"""The changes of every number sum up to it at every ruling; blame has every fact of a combatant."""

from __future__ import annotations

from random import Random

import pytest

from mam_events.archive.export_import import export_ndjson, import_ndjson
from mam_events.commands import Adjust, Join
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.state import POOLS, Encounter
from projections.analysis.attribute_history import AttributeHistory, attribute_history
from projections.rulings.index import RulingIndex
from projections.state.attributes import Attribute, attributes
from projections.state.blame import attribute_sources
from projections.state.pools import rows_of
from projections.state.turn_order import OrderRow, project_turn_order
from projections.visibility.redaction import Redactor
from tests.effort import FUZZ
from tests.fights.corpus import Corpus
from tests.projections.evenings import evening

GM = Redactor("gm")
AT_TABLE = {"skips_owed": "skips_owed", "total": "total", "declared": "declared", "left": "actions"}
"""The numbers in a row of `mam order`, by the attribute that explains them."""


def book(timeline: Timeline) -> RulingIndex:
    return RulingIndex(rulings(timeline), "gm")


def as_shown(state: Encounter, who: str) -> dict[str, Attribute]:
    """Return the numbers of a combatant as the tables of pools and of the order show them."""
    values: dict[str, Attribute] = {}
    for pool in rows_of(state):
        if pool.combatant == who:
            values |= {name: getattr(pool.pools, name) for name in POOLS} | {"hp": pool.hp}
            values["wounds"] = pool.pools.stun + pool.pools.damage
    for row in project_turn_order(state).rows:
        if row.combatant == who:
            values |= {name: getattr(row, field) or 0 for field, name in AT_TABLE.items()}
            values |= {"fate_points": row.fate_points, "character_points": row.character_points}
    return values


def assert_summed(timeline: Timeline, rng: Random) -> None:
    index, end = book(timeline), len(timeline.order) - 1
    all_attributes = [attributes(state, GM) for state in timeline.states]
    for who, attributes_now in all_attributes[-1].items():
        tables = [as_shown(state, who) for state in timeline.states]
        for name in attributes_now:
            history = attribute_history(timeline, index, who, name, end)
            for place, attributes_by_name in enumerate(all_attributes):
                before = [one for one in history.changes if timeline.place[one.ruling] <= place]
                value = attributes_by_name.get(who, {}).get(name, 0)
                assert sum(one.change for one in before) == value == tables[place].get(name, value), (who, name, place)
                assert (before[-1].total if before else 0) == value
            place = rng.randrange(end + 1)
            assert attribute_history(timeline, index, who, name, place).changes == tuple(
                one for one in history.changes if timeline.place[one.ruling] <= place
            )


@pytest.mark.parametrize("seed", range(40 if FUZZ else 3))
def test_changes_sum_to_every_number_at_every_ruling(log: CombatLog, seed: int) -> None:
    evening(log, "night", seed, moves=60)
    timeline = log.timeline("night")
    assert_summed(timeline, Random(seed))
    for place in range(0, len(timeline.order), 7):
        attributes_before = attributes(timeline.states[place], GM)
        for who in attributes_before:
            facts = {fact.fact: fact for fact in attribute_sources(timeline, book(timeline), who, place)}
            for pool in POOLS:
                ruling_fact = facts[pool.replace("_", " ")]
                history = attribute_history(timeline, book(timeline), who, pool, place)
                assert ruling_fact.value == str(attributes_before[who][pool])
                assert history.changes == () or ruling_fact.ruling == history.changes[-1].ruling


def test_changes_sum_up_in_branches_imports_and_earlier_states(log: CombatLog) -> None:
    evening(log, "night", 4, moves=40)
    log.branch("night", "other", 13, by="Ana")
    evening(log, "other", 9, moves=15)
    import_ndjson(log, export_ndjson(log, "night"), encounter="taken-in")
    for timeline in (log.timeline("other"), log.timeline("taken-in"), log.timeline("night", as_of=20)):
        assert_summed(timeline, Random(4))


@pytest.mark.parametrize("seed", range(60 if FUZZ else 6))
def test_changes_sum_up_in_any_edition_under_any_house_rules(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    assert_summed(log.timeline(encounter), Random(seed))


def history_of(printed_fight: CombatLog, what: str, at: int | None = None) -> AttributeHistory:
    timeline = printed_fight.timeline("fight")
    who, _, name = what.partition(".")
    place = len(timeline.order) - 1 if at is None else timeline.place[at]
    return attribute_history(timeline, book(timeline), who, name, place)


def test_a_change_has_its_dice_its_rules_and_its_log_line(printed_fight: CombatLog) -> None:
    hit, healed = history_of(printed_fight, "clone.stun").changes
    assert (hit.ruling, hit.change, hit.total, hit.line.round, hit.line.turn) == (17, 2, 2, 2, 1)
    assert [(die.face, die.source) for die in hit.dice] == [(6, "thrown"), (4, "thrown")]
    assert {"MAM-WND-08", "MAM-ATK-02"} <= set(hit.rules)
    assert hit.line.text.endswith("hit · stun 2, damage 2 · the counterattack misses")
    assert (healed.ruling, healed.change, healed.total, healed.corrected) == (19, -1, 1, ())


def test_a_correction_is_named_only_at_the_ruling_it_amended(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})], by="Bo", reason="it was cocked")
    assert history_of(printed_fight, "clone.stun").changes == ()
    (hit,) = history_of(printed_fight, "modre.damage").changes
    assert [one.ruling for one in hit.corrected] == [22]
    assert hit.corrected[0].sentence.startswith("Bo amends 17")
    assert "it was cocked" in hit.corrected[0].sentence
    assert not any(one.corrected for one in history_of(printed_fight, "modre.ready").changes)
    printed_fight.undo("fight", by="Bo")
    assert history_of(printed_fight, "modre.damage").changes == ()
    assert all(not one.corrected for one in history_of(printed_fight, "clone.stun").changes)


def test_a_change_caused_by_an_undone_ruling_names_the_correction(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", 6, by="Bo", reason="it never was")
    corrections = [one for one in history_of(printed_fight, "clone.stun").changes if one.corrected]
    assert [(one.ruling, [by.ruling for by in one.corrected]) for one in corrections] == [(17, [22])]


def test_a_view_does_not_see_numbers_that_reveal_hidden_actions(printed_fight: CombatLog) -> None:
    """Two hidden rulings that leave the same points look alike to a view."""
    state = printed_fight.timeline("fight").state
    attributes_by_view = {
        view: attributes(state, Redactor(view, state=state))["clone"] for view in ("gm", "public", "side:foes")
    }
    assert attributes_by_view["gm"]["moved"] == 3
    for view in ("public", "side:foes"):
        hidden = {"moved", "crawled", "straight", "used", "lost", "moving"}
        assert (
            attributes_by_view["gm"].keys()
            - attributes_by_view[view].keys()
            - {"points", "character_points", "fate_points"}
            == hidden
        )
        assert {"skips_owed", "declared", "actions", "stun", "wounds", "hp_per_round"} <= attributes_by_view[
            view
        ].keys()


def test_a_combatant_has_no_changes_before_they_join(printed_fight: CombatLog) -> None:
    assert history_of(printed_fight, "clone.ready", at=2).changes == ()
    assert history_of(printed_fight, "clone.ready", at=3).changes[0].change == 6


def test_a_ruling_without_a_change_has_no_line(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Adjust(reason="nobody moved", answers=21), by="Bo")
    assert all(one.ruling != 22 for name in POOLS for one in history_of(printed_fight, f"clone.{name}").changes)
    printed_fight.execute("fight", Join("cy", hp=3), by="Bo")
    assert [(one.ruling, one.change) for one in history_of(printed_fight, "cy.hp_per_round").changes] == [(23, 2)]


def test_every_count_in_a_row_of_the_order_can_be_explained() -> None:
    counts = {
        field
        for field, hint in OrderRow.__annotations__.items()
        if hint in ("int", "int | None") and field != "position"
    }
    assert counts == {*AT_TABLE, "character_points", "fate_points"}
