"""A batch is watched while a child process applies it: what is told meanwhile, and how long each step took."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.workbook_bench import WorkbookBench, step

from tablewright.domain.rounds.plan import OperationPlan


@pytest.fixture
def bench(tmp_path: Path) -> WorkbookBench:
    return WorkbookBench(folder=tmp_path)


@pytest.mark.requirement("rounds-steps-are-watched")
async def test_each_step_is_told_as_it_begins_with_its_place_in_the_batch(bench: WorkbookBench) -> None:
    file = await bench.put()
    told: list[int | None] = []
    steps = (
        step(1, "set_values", range="H1", values=[["a"]]),
        step(2, "no_such_function"),
        step(3, "sort_rows", by=[{"column": "Amount"}]),
        step(4, "set_values", range="H3", values=[["b"]]),
    )
    run_workbook = bench.run_workbook(file)
    plan = OperationPlan(steps=steps, base_version=await run_workbook.version())
    executed = await run_workbook.execute(plan, plan_id="plan-1", watch=told.append)
    assert told == [0, 2, 3, None]
    assert all(result.elapsed_s > 0 for result in executed.steps if result.status == "completed")


async def test_a_step_takes_its_own_time_and_not_that_of_the_batch(bench: WorkbookBench) -> None:
    file = await bench.put()
    steps = [step(1, "add_sheet", name="Many"), step(2, "set_values", sheet="Many", range="A1", values=[["x"]])]
    many = [[f"c{row}-{column}" for column in range(20)] for row in range(3_000)]
    steps.append(step(3, "set_values", sheet="Many", range="C1:V3000", values=many))
    executed = await bench.execute(file, *steps)
    _, small, large = (result.elapsed_s for result in executed.steps)
    assert large > small
