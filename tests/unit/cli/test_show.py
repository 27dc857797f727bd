"""What a person sees in a terminal."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len
from rich.console import Console

from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.charts import draw
from tablewright.cli.show.clean import clean, one_line, readable
from tablewright.cli.show.screens import LineScreen, LiveScreen
from tablewright.cli.show.steps import KEPT_LINES, Steps
from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.chart import Chart, ChartKind
from tablewright.domain.events import (
    Event,
    EventBody,
    OutputError,
    OutputText,
    RepairStarted,
    RoundAnswered,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.language import Language
from tablewright.domain.structured import StructuredAnswer
from tablewright.domain.table import Table

SCRIPT: tuple[EventBody, ...] = (
    StepAnnounced(step_id="a", name="读取\x1b[31m数据"),
    StepAnnounced(step_id="b", name="second"),
    StepStarted(step_id="a"),
    OutputText(step_id="a", text="one\ntw"),
    OutputText(step_id="a", text="o\nthree"),
    StepFinished(step_id="a", status="ok", elapsed_s=0.25),
    StepStarted(step_id="b"),
    OutputError(step_id="b", name="KeyError", message="'额'", traceback=""),
    StepFinished(step_id="b", status="error", elapsed_s=0.1),
    RepairStarted(step_id="b", attempt=1, error="KeyError: '额'"),
)


def events(*bodies: EventBody) -> list[Event]:
    return [
        Event(run_id="r", seq=n, at=datetime(2026, 1, 1, tzinfo=UTC), body=body) for n, body in enumerate(bodies, 1)
    ]


def console(*, terminal: bool = False, width: int = 100) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=width, highlight=False, color_system=None)


def written(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


@pytest.mark.requirement("cli-terminal-safe")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\rb", "ab"),
        ("a\tb\nc", "a    b\nc"),
        ("a\u202eb", "ab"),
        ("中\x9bx", "中x"),
    ],
)
def test_nothing_in_a_text_can_drive_the_terminal(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_name_is_one_line() -> None:
    assert one_line("a\n b\t c") == "a b c"


def test_steps_keep_the_last_of_a_long_output() -> None:
    steps = Steps()
    steps.take(StepAnnounced(step_id="a", name="x"))
    for number in range(KEPT_LINES + 50):
        steps.take(OutputText(step_id="a", text=f"{number}\n"))
    (step,) = steps.all
    assert len(step.lines) == KEPT_LINES
    assert step.hidden == 50
    assert step.lines[-1] == str(KEPT_LINES + 49)


def test_line_by_line_each_line_is_written_once_and_whole() -> None:
    shown = console()
    screen = LineScreen(shown, "en")
    for event in events(*SCRIPT):
        screen.show(event)
    assert written(shown).splitlines() == [
        "› 读取数据",
        "› second",
        "    one",
        "    two",
        "    three",
        "✓ 读取数据 (0.2 s)",
        "    KeyError: '额'",
        "✗ second (0.1 s)",
        "↻ Repairing, attempt 1: KeyError: '额'",
    ]


def test_on_a_terminal_finished_steps_stand_with_their_output() -> None:
    shown = console(terminal=True)
    screen = LiveScreen(shown, "zh")
    for event in events(*SCRIPT):
        screen.show(event)
    screen.close()
    text = written(shown)
    assert "✓ 读取数据（0.2 秒）" in text
    assert "    three" in text
    assert "\x1b[31m" not in text


def test_an_answer_is_shown_with_its_table_and_what_could_be_asked() -> None:
    shown = console()
    table = Table(columns=("城市", "额"), rows=(("北京", 1234.5), ("上海", None)), total_rows=9, title="销售")
    show_answer(shown, Answer(text="好的。", outcome="completed", table=table, suggestions=("按月？",)), "zh")
    text = written(shown)
    for part in ("好的。", "城市", "1,234.5", "共 9 行，显示前 2 行", "按月？"):
        assert part in text


def test_a_single_value_is_not_repeated_as_a_table() -> None:
    shown = console()
    show_answer(
        shown, Answer(text="42", outcome="completed", result=Table(columns=("n",), rows=((42,),), total_rows=1)), "en"
    )
    assert written(shown).strip() == "42"


KINDS: tuple[ChartKind, ...] = (
    "bar", "line", "area", "pie", "scatter", "histogram", "stacked bar", "grouping line", "grouping scatter",
)  # fmt: skip


@pytest.mark.parametrize("width", [30, 80])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_chart_fits_the_width_with_chinese_labels(kind: ChartKind, width: int) -> None:
    series = ("甲", "乙") * 3 if "grouping" in kind or "stacked" in kind else None
    x = ("一月份的销售", "二月", "三月", "四月", "五月", "六月")
    chart = Chart(kind=kind, x=x, y=(1, 2.5, 3, -4, 5, 60), series=series, title="各月销售额")
    lines = draw(chart, width)
    assert lines[0] == "各月销售额"
    assert len(lines) > 4
    assert max(cell_len(line) for line in lines[1:]) <= width + 2


def test_a_bar_is_as_long_as_its_value() -> None:
    lines = draw(Chart(kind="bar", x=("a", "b"), y=(10, 5)), 60)
    assert lines[0].count("█") == 2 * lines[1].count("█")


@pytest.mark.parametrize("y", [(), (None, None), ("x", "y")])
def test_a_chart_without_numbers_is_not_drawn(y: tuple[str | None, ...]) -> None:
    assert draw(Chart(kind="line", x=tuple(range(len(y))), y=y), 60) == []


def test_one_point_and_equal_values_can_be_drawn() -> None:
    assert draw(Chart(kind="line", x=(1,), y=(5,)), 60)
    assert draw(Chart(kind="scatter", x=(1, 1), y=(5, 5)), 60)
    assert draw(Chart(kind="bar", x=("a",), y=(0,)), 60)


@pytest.mark.parametrize("kind", ["bar", "line", "scatter", "grouping line"])
def test_years_along_an_axis_are_written_as_years(kind: ChartKind) -> None:
    series = (2021, 2022, 2022) if "grouping" in kind else None
    told = "\n".join(draw(Chart(kind=kind, x=(2012, 2018, 2024), y=(1500, 2600, 1900), series=series), 60))
    assert "2012" in told
    assert "2024" in told
    assert "2,0" not in told
    assert "2,600" in told


def test_large_numbers_along_an_axis_keep_their_separators() -> None:
    assert draw(Chart(kind="bar", x=(2000, 30000), y=(1, 2)), 60)[1].startswith("30,000")


def test_a_chart_in_a_pipe_has_no_blanks_at_the_ends_of_its_lines() -> None:
    shown = console(width=160)
    chart = Chart(kind="bar", x=("a", "b"), y=(10, 5))
    show_answer(shown, Answer(text="Two.", outcome="completed", charts=(chart,)), "en")
    drawn = [line for line in written(shown).splitlines() if "█" in line]
    assert [line.rstrip() for line in drawn] == drawn
    assert all(line.startswith(" ") for line in drawn)


def test_an_error_after_an_unfinished_line_has_a_line_of_its_own() -> None:
    shown = console()
    screen = LineScreen(shown, "en")
    script: tuple[EventBody, ...] = (
        StepAnnounced(step_id="a", name="print"),
        OutputText(step_id="a", text="row 1\nrow"),
        OutputError(step_id="a", name="TimeoutError", message="stopped", traceback=""),
        StepFinished(step_id="a", status="error", elapsed_s=4),
    )
    for event in events(*script):
        screen.show(event)
    assert written(shown).splitlines()[1:4] == ["    row 1", "    row", "    TimeoutError: stopped"]


ROUND = StructuredAnswer(task_analysis="sales", execution_plan="R1: totals", current_round=1)
FIGURES = ('{"rows": 6, ', '"tests": 2}', '\nBeijing leads\n{"tests": 1}')


@pytest.mark.parametrize("terminal", [False, True])
def test_of_a_step_of_a_report_a_person_sees_the_title_and_words_but_no_figures_handed_on(*, terminal: bool) -> None:
    shown = console(terminal=terminal)
    screen = LiveScreen(shown, "en") if terminal else LineScreen(shown, "en")
    script: tuple[EventBody, ...] = (
        RoundAnswered(answer=ROUND),
        StepAnnounced(step_id="a", name="Totals"),
        StepStarted(step_id="a"),
        *(OutputText(step_id="a", text=piece) for piece in FIGURES),
        StepFinished(step_id="a", status="ok", elapsed_s=1),
    )
    for event in events(*script):
        screen.show(event)
    screen.close()
    assert "✓ Totals (1.0 s)" in written(shown)
    assert "    Beijing leads" in written(shown)
    assert "tests" not in written(shown)


def test_outside_of_reports_what_code_prints_is_shown_as_it_is() -> None:
    shown = console()
    screen = LineScreen(shown, "en")
    for event in events(StepAnnounced(step_id="a", name="print"), OutputText(step_id="a", text='{"a": 1}\n')):
        screen.show(event)
    assert '    {"a": 1}' in written(shown)


def test_a_report_in_the_terminal_has_no_scripts_of_pages() -> None:
    chart = '<div id="chart-1" style="height:320px"></div>\n<script>echarts.init({"a": "b"});</script>\n'
    assert readable(f"## Totals\n\n{chart}\nBeijing <b>leads</b>.") == "## Totals\n\n\nBeijing <b>leads</b>."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("100 rows (p &lt; 0.0001) &amp; more", "100 rows (p < 0.0001) & more"),
        (r"net\_sales \*2\* \| a\\b \[1\]", r"net_sales *2* | a\b [1]"),
        (r"`a\_b &lt; c` and ```x \* &amp;```", r"`a\_b &lt; c` and ```x \* &amp;```"),
    ],
)
def test_a_report_in_the_terminal_has_no_marks_of_markup(written: str, shown: str) -> None:
    assert readable(written) == shown


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Not found in the output of any step: 42"), ("zh", "没有任何步骤的输出包含这些数字：42")],
)
def test_numbers_that_no_step_has_output_are_named(language: Language, said: str) -> None:
    sources = (NumberSource(value=7, start=0, end=1, step_id="a"), NumberSource(value=42, start=6, end=8))
    shown = console()
    show_answer(shown, Answer(text="7 and 42.", outcome="completed", sources=sources), language)
    assert said in written(shown)


def test_proven_numbers_need_no_word() -> None:
    shown = console()
    proven = (NumberSource(value=7, start=0, end=1, step_id="a"),)
    show_answer(shown, Answer(text="7.", outcome="completed", sources=proven), "en")
    assert written(shown).strip() == "7."
