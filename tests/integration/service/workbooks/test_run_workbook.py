"""The desk of a run: plans executed on a real workbook, each round a version."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.workbook_bench import SALES, WorkbookBench, step
from tests.support.workbooks import write_xlsx

from tablewright.domain.rounds.plan import OperationPlan
from tablewright.errors import WorkbookChanged


@pytest.fixture
def bench(tmp_path: Path) -> WorkbookBench:
    return WorkbookBench(folder=tmp_path)


async def test_a_plan_is_executed_as_one_version_with_its_round(bench: WorkbookBench) -> None:
    file = await bench.put()
    assert await bench.run_workbook(file).version() == 1
    done = await bench.execute(
        file,
        step(1, "add_column", header="Margin", formula="=[Amount]-[Cost]"),
        step(2, "sort_rows", by=[{"column": "Amount", "descending": True}]),
        step(3, "identify_top", column="Amount", count=1),
    )
    assert [result.status for result in done.steps] == ["completed"] * 3
    assert [result.wrote for result in done.steps] == [True, True, False]
    assert done.steps[2].result is not None
    assert (done.version, done.rolled_back, done.data_scope) == (2, False, "data_modification")
    assert {sheet.sheet for sheet in done.changes} == {"Sales"}
    assert (await bench.contents(file))["A2"] == "West"
    assert (await bench.contents(file))["D2"] == "=B2-C2"
    version = await bench.workbooks.version(bench.scope, file.id)
    assert (version.number, version.author, version.request_id, version.summary) == (2, "round", done.id, "do it")
    assert await bench.run_workbook(file).rounds() == (done,)
    assert await bench.run_workbook(file, "run-2").rounds() == ()
    stored = await bench.store.files.get(bench.scope, file.id)
    assert (stored.name, stored.kind, stored.datasets, stored.sha256) == ("sales.xlsx", "xlsx", (), version.blob.sha256)


@pytest.mark.requirement("rounds-execute-once")
async def test_a_plan_is_not_executed_twice(bench: WorkbookBench) -> None:
    file = await bench.put()
    first = await bench.execute(file, step(1, "insert_rows", row=2))
    again = await bench.execute(file, step(1, "insert_rows", row=2))
    assert again == first
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 2
    assert (await bench.execute(file, step(1, "insert_rows", row=2), number=3)).version == 3


async def test_a_plan_for_another_version_does_nothing(bench: WorkbookBench) -> None:
    file = await bench.put()
    await bench.execute(file, step(1, "insert_rows", row=2))
    plan = OperationPlan(steps=(step(1, "insert_rows", row=2),), base_version=1)
    with pytest.raises(WorkbookChanged) as refused:
        await bench.run_workbook(file).execute(plan, plan_id="plan-2")
    assert (refused.value.params["version"], refused.value.params["base"]) == (2, 1)


async def test_a_round_that_only_reads_makes_no_version(bench: WorkbookBench) -> None:
    file = await bench.put()
    done = await bench.execute(file, step(1, "describe"))
    assert (done.version, done.data_scope, done.changes) == (None, "analysis", ())
    assert await bench.run_workbook(file).version() == 1
    assert await bench.run_workbook(file).rounds() == (done,)


@pytest.mark.requirement("rounds-failed-steps-change-nothing")
async def test_a_step_that_fails_does_not_stop_the_others(bench: WorkbookBench) -> None:
    file = await bench.put()
    done = await bench.execute(
        file,
        step(1, "no_such_function"),
        step(2, "set_values", values=[[1]]),
        step(3, "delete_columns", columns=["Nothing"]),
        step(4, "set_values", range="F1", values=[["x"]]),
    )
    assert [result.status for result in done.steps] == ["failed", "failed", "failed", "completed"]
    codes = [result.error.code for result in done.failed if result.error]
    assert codes[:2] == ["operation_unknown", "parameter_missing"]
    assert done.version == 2
    assert (await bench.contents(file))["F1"] == "x"


async def test_a_step_that_stands_on_a_failed_one_fails_with_that_reason(bench: WorkbookBench) -> None:
    file = await bench.put()
    done = await bench.execute(
        file,
        step(1, "add_column", header="Margin", formula="=[Nothing]-[Cost]"),
        step(2, "sort_rows", by=[{"column": "Margin"}]),
        step(3, "fill_down", range="E2:E4", sheet="Sales", extra=1),
        step(4, "highlight_cells", range="E2:E4", color="yellow"),
        step(5, "set_values", range="H1", values=[["kept"]]),
    )
    errors = [result.error for result in done.steps]
    assert errors[1] is not None
    assert (errors[1].code, errors[1].params) == ("step_depends_on_failed", {"step": 1})
    assert done.steps[4].status == "completed"
    assert errors[3] is not None
    assert errors[3].params == {"step": 3}


@pytest.mark.requirement("rounds-new-errors-undo-the-batch")
async def test_new_errors_of_formulas_undo_the_whole_batch(bench: WorkbookBench) -> None:
    content = write_xlsx(bench.folder / "f.xlsx", {"S": [["a", "b"], [1, "=A2*2"], [2, "=A3*2"]]}).read_bytes()
    file = await bench.put(content)
    done = await bench.execute(
        file,
        step(1, "set_values", range="D1", values=[["x"]]),
        step(2, "describe"),
        step(3, "delete_columns", columns=["a"]),
    )
    assert (done.rolled_back, done.version) == (True, None)
    assert [result.status for result in done.steps] == ["failed", "completed", "failed"]
    assert done.warnings[0].code == "formula_error_new"
    assert done.warnings[0].params["error"] == "#REF!"
    assert await bench.bytes_of(file) == content


async def test_what_a_plan_would_meet_is_told_before(bench: WorkbookBench) -> None:
    file = await bench.put()
    problems = await bench.run_workbook(file).check(
        [
            step(1, "add_sheet", name="New"),
            step(2, "set_values", sheet="New", range="A1", values=[["x"]]),
            step(3, "delete_sheet", sheet="Nowhere"),
            step(4, "nothing_like_it"),
            step(5, "run_python", code="result = df", target="A1", target_sheet="Made"),
            step(6, "set_font", sheet="Made", range="A1", bold=True),
        ]
    )
    assert [[notice.code for notice in found] for found in problems] == [
        [], [], ["sheet_missing"], ["operation_unknown"], [], [],
    ]  # fmt: skip


async def test_what_the_first_write_loses_is_told_once(bench: WorkbookBench) -> None:
    file = await bench.put(b"a,b\n1,2\n", name="plain.csv")
    run_workbook = bench.run_workbook(file)
    assert [notice.code for notice in await run_workbook.losses()] == ["converted_text"]
    await bench.execute(file, step(1, "set_values", range="D1", values=[["x"]]))
    assert await run_workbook.losses() == ()
    artifact = await run_workbook.artifact()
    assert (artifact.id, artifact.name) == (file.id, "plain.xlsx")
    assert artifact.mime.endswith("spreadsheetml.sheet")
    assert (await bench.contents(file))["A2"] == 1
    assert len(SALES) == 2


async def test_what_a_later_step_makes_after_all_can_be_used(bench: WorkbookBench) -> None:
    file = await bench.put()
    done = await bench.execute(
        file,
        step(1, "add_column", header="Margin", formula="=[Nothing]-[Cost]"),
        step(2, "add_column", header="Margin", formula="=[Amount]-[Cost]"),
        step(3, "sort_rows", by=[{"column": "Margin", "descending": True}]),
    )
    assert [result.status for result in done.steps] == ["failed", "completed", "completed"]
    assert (await bench.contents(file))["A2"] == "West"
