"""Sure, unsure or lost: what is made of several readings and their results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.facts import SALES, Values
from tests.unit.analyst.understanding.offers import JOINED, QUESTION, counting, evaluator, gives, grammar, reading

from tablewright.analyst.base import NotUnderstood, Understanding, Understood, Unsure
from tablewright.analyst.evaluating.base import EXCERPT, Evaluated, PlanEvaluator
from tablewright.analyst.plan import Plan, Tag
from tablewright.analyst.understanding import understand
from tablewright.analyst.understanding.memory import PLAIN_TRUST, ScriptedEvaluator, ScriptedGrammar
from tablewright.errors import SandboxUnavailable


async def understood(readings: ScriptedGrammar, results: PlanEvaluator | None, **more: Any) -> Understanding:
    parts = {"grammar": readings, "evaluator": results, "trust": PLAIN_TRUST, **more}
    return await understand(QUESTION, "en", (SALES,), Values(), **parts)


def plan_of(found: Understanding) -> Plan:
    assert isinstance(found, Understood)
    return found.plan


def options(found: Understanding) -> Sequence[str]:
    assert isinstance(found, Unsure)
    return [each.option for each in found.readings]


async def test_a_reading_far_ahead_of_the_others_is_answered() -> None:
    found = await understood(grammar(reading("East", 9.0), reading("West", 1.0)), evaluator(East=3, West=4))
    assert plan_of(found) == counting("East")


async def test_of_two_that_are_as_likely_both_are_offered_with_their_results() -> None:
    found = await understood(grammar(reading("East", 2.1), reading("West", 2.0)), evaluator(East=12034, West=4))
    assert options(found) == ["orders in East: 12,034", "orders in West: 4"]
    assert isinstance(found, Unsure)
    assert [each.plan for each in found.readings] == [counting("East"), counting("West")]


async def test_without_the_readings_of_a_table_that_is_held_in_part_the_others_are_not_weighed() -> None:
    """Else a reading of another table, which is held whole, would win for want of the better one."""
    partly = ScriptedEvaluator(known=[(counting("East"), Evaluated(failure=EXCERPT)), (counting("West"), gives(4))])
    readings = grammar(reading("East", 9.0), reading("West", 1.0))
    assert plan_of(await understood(readings, partly)) == counting("East")


async def test_at_most_three_are_offered() -> None:
    readings = [reading(region, 1.0) for region in ("East", "West", "North", "South")]
    found = await understood(grammar(*readings), evaluator(East=1, West=2, North=3, South=4))
    assert len(options(found)) == 3


async def test_readings_that_come_to_the_same_count_together() -> None:
    alike = grammar(reading("East", 2.0), reading("West", 2.0), reading("North", 2.0))
    assert plan_of(await understood(alike, evaluator(East=7, West=7.0, North=7))) == counting("East")
    assert len(options(await understood(alike, evaluator(East=7, West=7, North=8)))) == 2


async def test_of_two_that_say_and_give_the_same_the_one_of_fewer_tables_is_answered() -> None:
    plain = reading("East", 8.9)
    joined = replace(plain, plan=counting("East", source=JOINED), score=9.0)
    both = grammar(joined, plain)
    alike = ScriptedEvaluator(known=[(joined.plan, gives(3)), (plain.plan, gives(3))])
    assert plan_of(await understood(both, alike)) == plain.plan
    other = ScriptedEvaluator(known=[(joined.plan, gives(3)), (plain.plan, gives(4))])
    found = await understood(both, other)
    assert isinstance(found, Unsure)
    assert found.readings[0].plan == joined.plan


REGIONS = ("East", "West", "North", "South", "A", "B", "C", "D")
FAR = [reading(region, 1.0, 3.0) for region in REGIONS]
COUNTS = {region: count for count, region in enumerate(REGIONS)}


@pytest.mark.requirement("analyst-leaves-nothing-out")
async def test_readings_that_leave_words_out_are_not_trusted_and_the_refusal_names_the_nearest() -> None:
    found = await understood(grammar(*FAR), evaluator(**COUNTS))
    assert isinstance(found, NotUnderstood)
    assert found.reason == "offer.lost"
    assert len(found.understood) == 1
    assert found.suggestions


async def test_a_refusal_names_the_words_that_were_not_read_and_the_columns_like_them() -> None:
    far = [replace(one, unread=("regoin", "glimmer")) for one in FAR]
    found = await understood(grammar(*far), evaluator(**COUNTS))
    assert isinstance(found, NotUnderstood)
    assert found.reason == "reading.words_unknown"
    assert found.params["words"] == "regoin, glimmer"
    assert found.params["columns"].startswith("region")


async def test_a_lower_share_of_wrong_answers_is_surer() -> None:
    readings, results = grammar(reading("East", 3.0), reading("West", 0.5)), evaluator(East=3, West=4)
    assert isinstance(await understood(readings, results, most_wrong=0.5), Understood)
    assert isinstance(await understood(readings, results, most_wrong=0.02), Unsure)


async def test_without_a_table_there_is_nothing_to_ask_about() -> None:
    found = await understand(QUESTION, "en", (), Values(), grammar=grammar(), evaluator=None)
    assert isinstance(found, NotUnderstood)
    assert found.reason == "reading.no_table"


async def test_without_results_what_leaves_no_word_out_is_answered() -> None:
    read = grammar(reading("East", 9.0), reading("West", 1.0))
    assert plan_of(await understood(read, None)) == counting("East")
    assert plan_of(await understood(read, evaluator())) == counting("East")


@pytest.mark.requirement("analyst-leaves-nothing-out")
async def test_without_results_what_leaves_words_out_is_offered_or_declined() -> None:
    unclear = [replace(reading(region, 1.0, 1.0), named=("region",)) for region in REGIONS]
    assert options(await understood(grammar(*unclear), None)) == ["orders in East", "orders in West", "orders in North"]
    assert isinstance(await understood(grammar(*FAR), None), NotUnderstood)


async def test_an_evaluation_that_takes_too_long_is_not_waited_for() -> None:
    slow = ScriptedEvaluator(known=[(counting("East"), gives(3))], gate=asyncio.Event())
    found = await understood(grammar(reading("East", 9.0)), slow, evaluation_s=0.01)
    assert plan_of(found) == counting("East")


async def test_an_evaluation_that_cannot_be_done_leaves_the_best_reading() -> None:
    class Broken:
        async def evaluate(self, *_: Any, **__: Any) -> Any:
            raise SandboxUnavailable(level="NONE", required="L1")

    assert plan_of(await understood(grammar(reading("East", 9.0)), Broken())) == counting("East")


async def test_a_question_with_a_form_for_its_answer_is_read_by_its_form_alone() -> None:
    tagged = Understood(plan=Plan(parts=counting("East").parts, tags=(Tag(name="count"),)))
    readings = ScriptedGrammar(known={QUESTION: (reading("West", 9.0),)}, forms={QUESTION: tagged})
    assert await understood(readings, evaluator(East=1, West=2)) is tagged
    assert readings.asked == []


@pytest.mark.requirement("choice-is-remembered")
async def test_what_was_chosen_before_is_answered_where_it_would_be_offered() -> None:
    readings = grammar(reading("East", 2.1), reading("West", 2.0))
    results = evaluator(East=12034, West=4)
    assert isinstance(await understood(readings, results), Unsure)
    assert plan_of(await understood(readings, results, preferred="orders in West")) == counting("West")


async def test_what_was_chosen_before_and_is_no_reading_any_more_is_offered_anew() -> None:
    found = await understood(
        grammar(reading("East", 2.1), reading("West", 2.0)), evaluator(East=1, West=4), preferred="orders in North"
    )
    assert isinstance(found, Unsure)
