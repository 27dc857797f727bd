"""Any operations in any order: the package stays whole, untouched parts stay the same, undo gives the very bytes."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.workbooks import InlineWorker, read_parts, write_rich

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.base import RowFilter, RowTest
from tablewright.domain.operations.cells import AddColumn, Clear, FillDown, FindReplace, SetFormula, SetValues
from tablewright.domain.operations.charts import CreateChart
from tablewright.domain.operations.formats import AddComment, ConditionalFormat, HighlightCells, SetBorders, SetFont
from tablewright.domain.operations.structure import (
    AddSheet,
    CopySheet,
    DeleteColumns,
    DeleteRows,
    InsertColumns,
    InsertRows,
    MergeCells,
    MoveColumns,
    RenameSheet,
)
from tablewright.domain.operations.tables import (
    CreateTable,
    RemoveDuplicates,
    SortKey,
    SortRows,
    SummarizeRows,
    SummaryMeasure,
)
from tablewright.workbook import parts
from tablewright.workbook.base import ApplyPolicy
from tablewright.workbook.package.editor import PackageEditor

ROWS = st.integers(1, 20)
COUNTS = st.integers(1, 3)
LETTERS = st.sampled_from("ABCDEFGH")
COLUMNS = st.sampled_from(["Region", "Product", "Date", "Qty", "Price", "Total", "A", "H"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    TEXTS,
)


@st.composite
def ranges(draw: st.DrawFn) -> str:
    top, left = draw(ROWS), draw(LETTERS)
    return f"{left}{top}:{draw(LETTERS)}{draw(ROWS)}"


OPERATIONS: st.SearchStrategy[AnyOperation] = st.one_of(
    st.builds(SetValues, range=ranges(), values=CELLS.map(lambda value: ((value,),))),
    st.builds(
        SetFormula, range=ranges(), formula=st.sampled_from(["=A1+1", "=SUM($D$2:D5)", "=Data!F2", '=IF(A2="x",1,2)'])
    ),
    st.builds(AddColumn, header=TEXTS.filter(bool), formula=st.sampled_from([None, "=[Qty]*2"])),
    st.builds(FillDown, range=ranges()),
    st.builds(FindReplace, find=st.sampled_from(["E", "st", "1"]), replace=TEXTS),
    st.builds(Clear, range=ranges(), what=st.sampled_from(["contents", "formats", "all"])),
    st.builds(InsertRows, row=ROWS, count=COUNTS),
    st.builds(DeleteRows, row=ROWS, count=COUNTS),
    st.builds(
        DeleteRows, where=st.builds(lambda column: RowFilter(tests=(RowTest(column=column, op=">", value=5),)), COLUMNS)
    ),
    st.builds(InsertColumns, before=COLUMNS, count=COUNTS),
    st.builds(DeleteColumns, columns=st.tuples(COLUMNS)),
    st.builds(MoveColumns, columns=st.tuples(COLUMNS), after=COLUMNS),
    st.builds(AddSheet, name=TEXTS),
    st.builds(CopySheet, name=TEXTS),
    st.builds(RenameSheet, name=TEXTS),
    st.builds(MergeCells, range=ranges()),
    st.builds(SortRows, by=st.tuples(st.builds(SortKey, column=COLUMNS, descending=st.booleans()))),
    st.builds(RemoveDuplicates, columns=st.tuples(COLUMNS)),
    st.builds(
        SummarizeRows, groups=st.tuples(COLUMNS), measures=st.just((SummaryMeasure(aggregation="sum", column="Qty"),))
    ),
    st.builds(CreateTable),
    st.builds(CreateChart, type=st.sampled_from(["bar", "line", "pie", "scatter", "histogram", "combo"])),
    st.builds(HighlightCells, top_column=COLUMNS),
    st.builds(SetFont, range=ranges(), bold=st.booleans()),
    st.builds(SetBorders, range=ranges(), where=st.sampled_from(["all", "outline"])),
    st.builds(ConditionalFormat, range=ranges(), kind=st.sampled_from(["color_scale", "data_bar", "duplicates"])),
    st.builds(AddComment, cell=st.sampled_from(["A1", "C5"]), text=TEXTS.filter(bool)),
)
UNTOUCHED = ("xl/theme/theme1.xml", "xl/media/image1.png", "docProps/core.xml")


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(OPERATIONS, min_size=1, max_size=5))
def test_a_package_survives_any_operations_and_undo_is_exact(operations: list[AnyOperation]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, target = write_rich(folder / "source.xlsx"), folder / "target.xlsx"
        before = source.read_bytes()
        version = parts.split(before)
        policy = ApplyPolicy(roll_back_on_errors=False)
        applied = asyncio.run(PackageEditor(InlineWorker()).apply(source, target, operations, policy=policy))
        assert source.read_bytes() == before == parts.join(version)
        broken = [step.error.params for step in applied.steps if step.error and step.error.code == "step_broke"]
        assert not broken
        if applied.written:
            check(source, target)


def check(source: Path, target: Path) -> None:
    """The result opens elsewhere, its relationships lead to parts that are there, and what no step touches is the
    same."""
    old, new = read_parts(source), read_parts(target)
    for name in UNTOUCHED:
        assert new[name] == old[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of what openpyxl would not keep
        book = openpyxl.load_workbook(target)
    assert book.worksheets
    for sheet in book.worksheets:
        assert list(sheet.iter_rows(max_row=3)) is not None
