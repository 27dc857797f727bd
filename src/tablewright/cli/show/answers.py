"""Shows an answer in the terminal: text, table, charts."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from tablewright.cli.show.charts import draw, number_text
from tablewright.cli.show.clean import clean, one_line
from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import note_of
from tablewright.domain.language import Language
from tablewright.domain.table import Cell, Table
from tablewright.texts.catalogue import text

ROWS = 30
CHART_WIDTH = 100


def show_answer(console: Console, answer: Answer, language: Language) -> None:
    """Print `answer`: its text, the table to show, each chart, and suggested questions."""
    console.print(Text(clean(answer.text).strip()), soft_wrap=not console.is_terminal)
    if note := note_of(answer, language):
        console.print(Text(one_line(note), style="yellow"), soft_wrap=True)
    table = answer.table or answer.result
    if table is not None and not _said(table):
        console.print()
        show_table(console, table, language)
    for chart in answer.charts:
        if lines := draw(chart, min(console.width, CHART_WIDTH) - 2):
            console.print()
            for line in lines:
                console.print(Text(f" {line}", no_wrap=True, overflow="crop"))
    show_suggestions(console, answer, language)


def show_suggestions(console: Console, answer: Answer, language: Language) -> None:
    """Print the questions that could be asked next, as far as the text does not say them."""
    if unsaid := [suggestion for suggestion in answer.suggestions if suggestion not in answer.text]:
        console.print()
        console.print(Text(text("cli_try", language)))
        for suggestion in unsaid:
            console.print(Text(f"  · {one_line(suggestion)}"))


def _said(table: Table) -> bool:
    """Return whether the table is a single value, which the text states already."""
    return table.total_rows == 1 and len(table.columns) == 1


def show_table(console: Console, table: Table, language: Language) -> None:
    """Print the first rows of `table`."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(one_line(table.title)) if table.title else None)
    grid.title_justify = "left"
    for index, name in enumerate(table.columns):
        numeric = all(_is_number(row[index]) for row in table.rows)
        grid.add_column(Text(one_line(name)), justify="right" if numeric else "left", overflow="fold")
    for row in table.rows[:ROWS]:
        grid.add_row(*(Text(_cell(value)) for value in row))
    console.print(grid)
    if table.total_rows > min(len(table.rows), ROWS):
        shown = min(len(table.rows), ROWS)
        console.print(Text(text("cli_rows_hidden", language, shown=shown, total=table.total_rows)))


def _is_number(value: Cell) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _cell(value: Cell) -> str:
    return str(value) if isinstance(value, int) else number_text(value)
