"""What a client changed, by what it sent before and what the workbook holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.domain.codec import from_json, to_json
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import Clear, SetFormula, SetValues
from tablewright.domain.operations.structure import AddSheet
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.service.channels.client_edits import (
    chosen_edits,
    contested,
    new_sheet,
    operations_of,
    outdated,
    still_edits,
)
from tablewright.service.channels.client_sheets import (
    ClientSheet,
    Place,
    SeenSheet,
    alike,
    changed,
    client_sheet,
    from_stored,
    to_stored,
)
from tablewright.workbook.base import CellView


def sheet(rows: list[list[Cell]], area: str | None = None) -> ClientSheet:
    return client_sheet("Sheet1", rows, area, where="sheets.0")


def seen(rows: list[list[Cell]], area: str | None = None) -> SeenSheet:
    return SeenSheet().then(sheet(rows, area))


def views(**cells: Cell | tuple[Cell, str]) -> dict[Place, CellView]:
    found: dict[Place, CellView] = {}
    for ref, content in cells.items():
        value, formula = content if isinstance(content, tuple) else (content, None)
        place = next(iter(client_sheet("s", [["x"]], ref, where="").cells))
        found[place] = CellView(ref=ref, value=value, formula=formula)
    return found


def test_the_first_cell_of_the_data_is_the_top_left_of_the_range() -> None:
    assert sheet([["a", 1], [None, ""]], "C5:Z100").cells == {(5, 3): "a", (5, 4): 1}


def test_data_beyond_its_range_is_read_all_the_same() -> None:
    assert sheet([["a"], ["b"], ["c"]], "A1:A2").area.text == "A1:A3"


def test_a_range_that_is_none_is_refused_by_its_place() -> None:
    with pytest.raises(InvalidInput) as refused:
        sheet([["a"]], "the first rows")
    assert refused.value.field == "sheets.0.range"


def test_what_was_sent_before_is_no_change() -> None:
    assert changed(sheet([["a", 1.0], ["b", 2]]), seen([["a", 1], ["b", 2.0]])) == {}


def test_a_cell_that_differs_is_a_change_and_one_that_is_gone_is_emptied() -> None:
    assert changed(sheet([["a", 5], ["b", None]]), seen([["a", 1], ["b", 2]])) == {(1, 2): 5, (2, 2): None}


def test_what_lies_beyond_the_range_is_not_told_of() -> None:
    assert changed(sheet([["a"]], "A1:A1"), seen([["a"], ["b"]])) == {}


def test_true_is_not_one() -> None:
    assert changed(sheet([[True]]), seen([[1]])) == {(1, 1): True}


def test_what_the_workbook_shows_now_is_no_edit() -> None:
    chosen = chosen_edits({(1, 1): 7}, seen([[3]]), views(A1=7), {})
    assert (chosen.plain, chosen.computed) == ({}, {})


def test_what_the_client_was_given_is_no_edit_though_others_have_changed_it_since() -> None:
    chosen = chosen_edits({(1, 1): 7}, seen([[3]]), views(A1=9), views(A1=7))
    assert (chosen.plain, chosen.computed) == ({}, {})


def test_a_value_over_a_formula_waits_until_the_formula_is_computed() -> None:
    chosen = chosen_edits({(1, 1): 5, (1, 2): 10}, seen([[4, 8]]), views(A1=4, B1=(8, "=A1*2")), {})
    assert chosen.plain == {(1, 1): 5}
    assert chosen.computed == {(1, 2): 10}
    assert still_edits(chosen.computed, views(B1=(10, "=A1*2"))) == {}
    assert still_edits(chosen.computed, views(B1=(12, "=A1*2"))) == {(1, 2): 10}


def test_a_formula_typed_over_a_formula_is_an_edit_and_the_same_one_is_none() -> None:
    before = seen([["=A1*2"]], "B1")
    assert chosen_edits({(1, 2): "=A1*3"}, before, views(B1=(8, "=A1*2")), {}).plain == {(1, 2): "=A1*3"}
    assert chosen_edits({(1, 2): "= a1 * 2"}, before, views(B1=(8, "=A1*2")), {}).plain == {}


def test_a_cell_never_told_of_is_an_edit_only_where_the_workbook_is_empty() -> None:
    chosen = chosen_edits({(2, 1): "new", (3, 1): "other"}, seen([["a"]]), views(A3="kept"), {})
    assert chosen.plain == {(2, 1): "new"}


def test_emptying_what_is_empty_is_no_edit() -> None:
    assert chosen_edits({(1, 1): None}, seen([["a"]]), {}, {}).plain == {}


def test_a_number_sent_as_text_stays_a_number_where_one_was() -> None:
    assert chosen_edits({(1, 1): "1,250"}, seen([["1,200"]]), views(A1=1200), {}).plain == {(1, 1): 1250}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("1,200", 1200), ("12%", 0.12), (45292, "2024-01-01T00:00:00"), ("2024-01-01", "2024-01-01T00:00:00"),
     ("TRUE", True), (" a ", "a"), (0.1 + 0.2, 0.3)],
)  # fmt: skip
def test_what_reads_the_same_is_alike(sent: Cell, kept: Cell) -> None:
    assert alike(sent, kept)


@pytest.mark.parametrize(("sent", "kept"), [("a", "b"), (1, 2), ("", 0), (None, 0), (False, 0), ("nan", "x")])
def test_what_reads_otherwise_is_not_alike(sent: Cell, kept: Cell) -> None:
    assert not alike(sent, kept)


def test_an_edit_of_a_cell_that_has_changed_since_is_contested() -> None:
    before = seen([["a", 1], ["b", 2]])
    record = views(A1="a", B1=7, A2="b")
    chosen = chosen_edits({(1, 2): 5, (1, 1): "c", (2, 2): 9, (9, 9): "new"}, before, record, {})
    assert contested(chosen, before, record) == {(1, 2), (2, 2)}
    assert set(chosen.without(frozenset({(1, 2)})).plain) == {(1, 1), (2, 2), (9, 9)}


def test_a_client_is_outdated_where_it_shows_most_changed_cells_as_they_were() -> None:
    sent = sheet([["a", 1], ["b", 2], ["c", 3]])
    assert outdated(sent, {(1, 1): "x", (2, 1): "y", (3, 1): "c"})
    assert not outdated(sent, {(1, 1): "a", (2, 1): "b", (3, 1): "z"})
    assert not outdated(sent, {(1, 2): "=A1", (40, 1): "beyond"})
    assert not outdated(sent, {})


def test_edits_become_rectangles_formulas_and_cleared_cells() -> None:
    cells: dict[Place, Cell] = {(1, 1): 1, (1, 2): 2, (2, 1): 3, (2, 2): 4, (5, 1): "=A1+1", (7, 3): None, (7, 4): None}
    assert operations_of("S", cells) == (
        SetValues(sheet="S", range="A1:B2", values=((1, 2), (3, 4))),
        SetFormula(sheet="S", range="A5", formula="=A1+1"),
        Clear(sheet="S", range="C7:D7"),
    )


def test_a_sheet_that_the_client_made_is_added_with_its_cells() -> None:
    made = new_sheet(client_sheet("New", [["x"]], None, where=""))
    assert made == (AddSheet(name="New"), SetValues(sheet="New", range="A1", values=(("x",),)))


places = st.tuples(st.integers(1, 12), st.integers(1, 8))


@given(st.dictionaries(places, st.integers() | st.text(alphabet="ab", min_size=1), max_size=40))
def test_rectangles_write_every_cell_once(cells: dict[Place, Cell]) -> None:
    written: dict[Place, Cell] = {}
    for operation in operations_of("S", cells):
        assert isinstance(operation, SetValues)
        block = client_sheet("S", [list(row) for row in operation.values], operation.range, where="")
        assert not written.keys() & block.cells.keys()
        written.update(block.cells)
        encoded = to_json(AnyOperation, operation)
        assert from_json(AnyOperation, encoded) == operation
    assert written == cells


@given(st.dictionaries(places, st.integers() | st.booleans() | st.text(min_size=1, max_size=3), max_size=20))
def test_what_is_known_of_a_client_is_kept_whole(cells: dict[Place, Cell]) -> None:
    known = {"表 1": SeenSheet(areas=(sheet([["a"]], "A1:H12").area,), cells=cells)}
    assert from_stored(to_stored(known)) == known
