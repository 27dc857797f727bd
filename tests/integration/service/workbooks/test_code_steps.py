"""Code steps of a plan, in the real sandbox: a range comes as a data frame, its result goes back into the workbook."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.sandboxes import running
from tests.support.workbook_bench import SALES, WorkbookBench, step
from tests.support.workbooks import write_rich, write_xlsx

from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox

pytestmark = pytest.mark.asyncio(loop_scope="module")
SUMS = "result = df.groupby('Region', as_index=False)['Amount'].sum()"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox() -> AsyncIterator[EmbeddedSandbox]:
    async with running(EmbeddedConfig(preload=("pandas", "numpy"))) as embedded:
        yield embedded


@pytest.fixture
def bench(sandbox: EmbeddedSandbox, tmp_path: Path) -> WorkbookBench:
    return WorkbookBench(folder=tmp_path, sandbox=sandbox)


@pytest.mark.requirement("rounds-code-in-the-sandbox")
async def test_the_table_of_a_sheet_becomes_a_frame_and_its_result_a_sheet(
    bench: WorkbookBench, sandbox: EmbeddedSandbox
) -> None:
    file = await bench.put()
    done = await bench.execute(
        file,
        step(1, "set_values", range="A5:C5", values=[["East", 5, 1]]),
        step(2, "run_python", code=SUMS, target="A1", target_sheet="Sums"),
        step(3, "sort_rows", sheet="Sums", by=[{"column": "Amount", "descending": True}]),
    )
    assert [result.status for result in done.steps] == ["completed"] * 3
    assert done.steps[1].wrote
    assert {sheet.sheet for sheet in done.changes} == {"Sales", "Sums"}
    page = await bench.workbooks.cells(bench.scope, file.id, "Sums")
    assert [cell.value for cell in page.cells] == ["Region", "Amount", "West", 50, "North", 40, "East", 35]
    assert len(await bench.workbooks.versions(bench.scope, file.id)) == 2
    assert sandbox.stats().leased == 0


async def test_a_range_is_read_with_its_own_header_and_dates(bench: WorkbookBench) -> None:
    file = await bench.put(write_rich(bench.folder / "rich.xlsx").read_bytes(), name="rich.xlsx")
    code = "result = df[['Date', 'Qty']].assign(Kind=str(df['Date'].dtype)).head(2)"
    done = await bench.execute(file, step(1, "run_python", sheet="Data", range="A1:F11", code=code))
    (result,) = done.steps
    assert result.result is not None
    assert result.result.columns == ("Date", "Qty", "Kind")
    assert result.result.rows[0][:2] == ("2023-12-31", 2)
    assert str(result.result.rows[0][2]).startswith("datetime64")
    assert (done.version, done.data_scope) == (None, "analysis")


async def test_a_table_by_its_name_and_a_range_without_header_are_read(bench: WorkbookBench) -> None:
    file = await bench.put(write_rich(bench.folder / "rich.xlsx").read_bytes(), name="rich.xlsx")
    done = await bench.execute(
        file,
        step(1, "run_python", range="Tbl", code="result = df['V'].sum()"),
        step(2, "run_python", sheet="Data", range="D2:E4", code="result = df"),
    )
    first, second = (result.result for result in done.steps)
    assert first is not None
    assert second is not None
    assert first.rows == ((10,),)
    assert second.columns == ("D", "E")
    assert len(second.rows) == 3


async def test_a_text_file_is_converted_for_the_code(bench: WorkbookBench) -> None:
    file = await bench.put("地区,金额\n华东,3\n华北,4\n".encode(), name="门店.csv")
    done = await bench.execute(file, step(1, "run_python", code="result = df.assign(双倍=df['金额'] * 2)", target="E1"))
    assert [result.status for result in done.steps] == ["completed"]
    assert (await bench.contents(file))["G3"] == 8
    assert (await bench.store.files.get(bench.scope, file.id)).name == "门店.xlsx"


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"code": "result = df['Nothing']"}, "code_failed"),
        ({"code": "def f(:"}, "code_invalid"),
        ({"code": "x = 1"}, "code_without_result"),
        ({"code": "import os; os._exit(1)"}, "code_stopped"),
        ({"code": "result = df", "sheet": "Nowhere"}, "sheet_missing"),
        ({"code": "result = df", "target": "A1"}, "cell_not_empty"),
    ],
)
async def test_what_goes_wrong_is_the_steps_error(
    bench: WorkbookBench, parameters: dict[str, object], code: str
) -> None:
    file = await bench.put()
    done = await bench.execute(
        file, step(1, "run_python", **parameters), step(2, "set_values", range="H1", values=[["x"]])
    )
    assert [result.status for result in done.steps] == ["failed", "completed"]
    assert done.steps[0].error is not None
    assert done.steps[0].error.code == code
    assert (await bench.contents(file))["H1"] == "x"


async def test_a_result_of_many_rows_is_written_whole(bench: WorkbookBench) -> None:
    file = await bench.put()
    code = "result = pd.DataFrame({'n': range(25_000), 't': ['x'] * 25_000})"
    done = await bench.execute(file, step(1, "run_python", code=code, target="A1", target_sheet="Long"))
    assert done.steps[0].status == "completed"
    assert done.steps[0].cells_changed == 2 * 25_001
    page = await bench.workbooks.cells(bench.scope, file.id, "Long", "A25001:B25001")
    assert [cell.value for cell in page.cells] == [24_999, "x"]


async def test_code_that_stands_on_a_failed_step_is_not_run(bench: WorkbookBench) -> None:
    content = write_xlsx(bench.folder / "b.xlsx", SALES).read_bytes()
    file = await bench.put(content)
    done = await bench.execute(
        file,
        step(1, "add_column", header="Margin", formula="=[Nothing]*2"),
        step(2, "run_python", code="result = df['Margin'].sum()"),
    )
    assert [result.status for result in done.steps] == ["failed", "failed"]
    assert done.steps[1].error is not None
    assert done.steps[1].error.params == {"step": 1}
    assert await bench.bytes_of(file) == content
