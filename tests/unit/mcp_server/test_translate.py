"""From events and tables to what clients of the tools read."""

from __future__ import annotations

import json

import pytest

from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    CodeFinished,
    OutputError,
    OutputText,
    RunFinished,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.table import Cell, Table
from tablewright.domain.table_markdown import markdown
from tablewright.mcp_server.results import saved_result
from tablewright.mcp_server.schemas import AnalysisOut, ToolFileOut
from tablewright.mcp_server.translate import (
    FILES_LISTED,
    OUTPUT_CHARS,
    RunSeen,
    dataframe,
    fits_in_line,
    key_step,
    kind_of,
    preview,
    tables_of,
    words,
)


def table(*rows: tuple[Cell, ...], columns: tuple[str, ...] = ("a", "b"), total: int | None = None) -> Table:
    return Table(columns=columns, rows=rows, total_rows=len(rows) if total is None else total)


def test_a_key_step_has_exactly_this_form() -> None:
    assert key_step("加载 “数据”") == '{"key_step": true, "content": "", "step": "加载 “数据”"}'
    assert json.loads(key_step('a "b"\n')) == {"key_step": True, "content": "", "step": 'a "b"\n'}


def test_steps_are_told_with_their_code_their_output_and_how_they_ended() -> None:
    seen = RunSeen()
    for body in (
        StepAnnounced(step_id="1", name="Load"),
        CodeFinished(step_id="1", code="x = 1"),
        StepStarted(step_id="1"),
        OutputText(step_id="1", text="one\n"),
        StepFinished(step_id="1", status="ok", elapsed_s=0.1),
        StepAnnounced(step_id="2", name="Fail"),
        OutputError(step_id="2", name="KeyError", message="'a'", traceback="…"),
        StepFinished(step_id="2", status="error", elapsed_s=0.1),
        RunFinished(outcome="completed"),
    ):
        seen.take(body)
    first, second = seen.steps.values()
    assert (first.name, first.status, first.code, first.output) == ("Load", "ok", "x = 1", "one\n")
    assert (second.status, second.output) == ("error", "KeyError: 'a'")
    assert (seen.outcome, seen.moves) == ("completed", 4)


def test_a_very_long_output_is_cut() -> None:
    seen = RunSeen()
    seen.take(StepAnnounced(step_id="1", name="Print"))
    for _ in range(3):
        seen.take(OutputText(step_id="1", text="x" * OUTPUT_CHARS))
    assert len(seen.steps["1"].output) == OUTPUT_CHARS + 1


def test_a_table_in_line_has_its_first_hundred_rows_by_column_and_row() -> None:
    shown = dataframe(table(*((number, None) for number in range(150)), columns=("n", "n"), total=400))
    assert list(shown.data) == ["n", "n.1"]
    assert (len(shown.data["n"]), shown.data["n"]["99"], shown.data["n.1"]["0"]) == (100, 99, None)
    assert shown.shape == (400, 2)
    assert shown.markdown.splitlines()[:3] == ["| n | n |", "| --- | --- |", "| 0 |  |"]
    assert "+380" in shown.markdown


def test_a_table_of_a_megabyte_does_not_stand_in_line() -> None:
    assert fits_in_line(table(("x" * 1000, 1)))
    assert not fits_in_line(table(*(("x" * 1000, number) for number in range(1100))))


def test_cells_cannot_break_a_markdown_table() -> None:
    assert markdown(table(("a|b\nc", 1))).splitlines()[2] == "| a\\|b c | 1 |"


def test_the_shown_table_and_another_result_are_both_given_a_single_value_is_not() -> None:
    shown, result = table((1, 2)), table((1, 2), (3, 4))
    assert tables_of(Answer(text="", outcome="completed", table=shown, result=result)) == [shown, result]
    assert tables_of(Answer(text="", outcome="completed", table=shown, result=shown)) == [shown]
    assert tables_of(Answer(text="", outcome="completed", result=table((1,), columns=("a",)))) == []


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ((1, 2, None), "integer"),
        ((1, 2.5), "number"),
        ((True, False), "boolean"),
        (("2024-01-02", "2024-01-03"), "date"),
        (("2024-01-02", "2024-01-03 10:00:00"), "datetime"),
        (("a", ""), "text"),
        (("a", 1), "mixed"),
        ((None, ""), "empty"),
    ],
)
def test_a_column_is_named_by_its_values(cells: tuple[Cell, ...], kind: str) -> None:
    assert kind_of(cells) == kind


def test_a_preview_without_rows_still_has_its_columns() -> None:
    shown = preview(table(total=0), 20)
    assert (shown.columns, shown.types, shown.shape, shown.sample) == (
        ["a", "b"],
        {"a": "empty", "b": "empty"},
        (0, 2),
        [],
    )


def test_the_types_of_columns_do_not_depend_on_how_many_rows_are_shown() -> None:
    shown = preview(table((1, "a"), (2.5, "b"), total=9), 0)
    assert (shown.types, shown.sample, shown.shape) == ({"a": "number", "b": "text"}, [], (9, 2))


def test_a_result_that_is_too_long_is_the_file_that_has_all_of_it() -> None:
    def kept(name: str) -> ArtifactRef:
        return ArtifactRef(id=name, name=name, mime="text/csv", size_bytes=1)

    files = (kept("other.csv"), kept("result (2).csv"), kept("result of it.csv"))
    cut = table((1, 2), total=500_000)
    assert saved_result(Answer(text="", outcome="completed", result=cut, files=files)) == files[1]
    assert saved_result(Answer(text="", outcome="completed", result=cut, files=files[:1])) is None
    assert saved_result(Answer(text="", outcome="completed", result=table((1, 2)), files=files)) is None
    assert saved_result(Answer(text="", outcome="completed", files=files)) is None


def test_in_words_the_first_files_are_named_and_the_others_counted() -> None:
    files = [
        ToolFileOut(name=f"{number}.txt", mime="text/plain", size_bytes=1, file_path=f"/o/{number}")
        for number in range(60)
    ]
    lines = words(AnalysisOut(answer="Done.", steps=[], tables=[], images=[], files=files)).splitlines()
    assert lines[:3] == ["Done.", "", "- 0.txt: /o/0"]
    assert (len(lines), lines[-1]) == (2 + FILES_LISTED + 1, "- … +10")
