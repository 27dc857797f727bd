"""Sure, unsure or lost: what is made of several readings and their results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.facts import SALES, Values
from tests.unit.analyst.understanding.offers import QUESTION, counting, evaluator, gives, grammar, reading

from tablewright.analyst.base import NotUnderstood, Reading, Understanding, Understood, Unsure
from tablewright.analyst.evaluating.base import EXCERPT, Evaluated, PlanEvaluator
from tablewright.analyst.plan import Plan, Tag
from tablewright.analyst.understanding import understand
from tablewright.analyst.understanding.memory import PLAIN_TRUST, ScriptedEvaluator, ScriptedGrammar
from tablewright.errors import SandboxUnavailable

REFUSAL = NotUnderstood(understood=("region",), reason="reading.no_family", params={"columns": ""}, suggestions=("a",))


async def understood(
    readings: ScriptedGrammar | None, results: PlanEvaluator | None, old: Reading = REFUSAL, **more: Any
) -> Understanding:
    async def old_reader(*_: Any) -> Reading:
        return old

    parts = {"grammar": readings, "evaluator": results, "old_reader": old_reader, "trust": PLAIN_TRUST, **more}
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
    assert await understood(readings, partly) == REFUSAL
    old = Understood(plan=counting("North"))
    assert await understood(readings, partly, old) == old


async def test_at_most_three_are_offered() -> None:
    readings = [reading(region, 1.0) for region in ("East", "West", "North", "South")]
    found = await understood(grammar(*readings), evaluator(East=1, West=2, North=3, South=4))
    assert len(options(found)) == 3


async def test_readings_that_come_to_the_same_count_together() -> None:
    alike = grammar(reading("East", 2.0), reading("West", 2.0), reading("North", 2.0))
    assert plan_of(await understood(alike, evaluator(East=7, West=7.0, North=7))) == counting("East")
    assert len(options(await understood(alike, evaluator(East=7, West=7, North=8)))) == 2


REGIONS = ("East", "West", "North", "South", "A", "B", "C", "D")
FAR = [reading(region, 1.0, 3.0) for region in REGIONS]
COUNTS = {region: count for count, region in enumerate(REGIONS)}


async def test_readings_that_leave_words_out_are_not_trusted() -> None:
    assert await understood(grammar(*FAR), evaluator(**COUNTS)) is REFUSAL


async def test_where_the_old_reader_had_a_plan_the_refusal_names_the_nearest() -> None:
    found = await understood(grammar(*FAR), evaluator(E=99, **COUNTS), Understood(plan=counting("E")))
    assert isinstance(found, NotUnderstood)
    assert found.reason == "offer.lost"
    assert len(found.understood) == 1
    assert found.suggestions


async def test_agreement_with_the_old_reader_makes_sure() -> None:
    both = grammar(reading("East", 2.0), reading("West", 1.4))
    results = evaluator(East=3, West=4)
    assert isinstance(await understood(both, results), Unsure)
    assert plan_of(await understood(both, results, Understood(plan=counting("East")))) == counting("East")


async def test_the_old_reader_s_plan_is_offered_in_the_words_of_its_answer() -> None:
    old = Understood(plan=counting("West"))
    found = await understood(grammar(reading("East", 2.0)), evaluator(East=3, West=4), old)
    assert options(found)[0] == "orders in East: 3"
    assert "West" in options(found)[1]
    assert "4" in options(found)[1]


async def test_what_only_the_old_reader_reads_is_offered_however_likely_it_is() -> None:
    likely = replace(PLAIN_TRUST, old=9.0)
    results, old = evaluator(East=3, West=4), Understood(plan=counting("West"))
    found = await understood(grammar(reading("East", 2.0)), results, old, trust=likely)
    assert "West" in options(found)[0]
    both = await understood(grammar(reading("West", 2.0)), results, old, trust=likely)
    assert plan_of(both) == counting("West")


async def test_a_lower_share_of_wrong_answers_is_surer() -> None:
    readings, results = grammar(reading("East", 3.0), reading("West", 0.5)), evaluator(East=3, West=4)
    assert isinstance(await understood(readings, results, most_wrong=0.5), Understood)
    assert isinstance(await understood(readings, results, most_wrong=0.02), Unsure)


OLD = Understood(plan=counting("South"))


@pytest.mark.parametrize("old", [OLD, REFUSAL])
async def test_without_readings_or_results_the_old_reader_has_the_word(old: Reading) -> None:
    read = grammar(reading("East", 9.0))
    assert await understood(None, evaluator(East=1), old) is old
    assert await understood(read, None, old) is old
    assert await understood(grammar(), evaluator(East=1), old) is old
    assert await understood(read, evaluator(), old) is old


async def test_an_evaluation_that_takes_too_long_is_not_waited_for() -> None:
    slow = ScriptedEvaluator(known=[(counting("East"), gives(3))], gate=asyncio.Event())
    assert await understood(grammar(reading("East", 9.0)), slow, OLD, evaluation_s=0.01) is OLD


async def test_an_evaluation_that_cannot_be_done_leaves_the_old_reader() -> None:
    class Broken:
        async def evaluate(self, *_: Any, **__: Any) -> Any:
            raise SandboxUnavailable(level="NONE", required="L1")

    assert await understood(grammar(reading("East", 9.0)), Broken(), OLD) is OLD


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
