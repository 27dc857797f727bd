"""How values of a cell are output: as tables, figures, charts or text."""

from __future__ import annotations

import pytest

from tablewright.domain.table import Cell
from tablewright.sandbox.base import (
    ChartOutput,
    ErrorOutput,
    FileOutput,
    HtmlOutput,
    ImageOutput,
    Session,
    TableOutput,
    TextOutput,
)
from tablewright.sandbox.conformance.examples import end, one, run, text

_PANDAS = "import pandas as pd, numpy as np, datetime, decimal\n"
_PNG = b"\x89PNG\r\n\x1a\n"

TABLES: list[tuple[str, tuple[str, ...], tuple[tuple[Cell, ...], ...]]] = [
    ("42", ("result",), ((42,),)),
    ("'text'", ("result",), (("text",),)),
    ("np.float64(1.5)", ("result",), ((1.5,),)),
    ("float('nan')", ("result",), ((None,),)),
    ("[1, None, 'a']", ("result",), ((1,), (None,), ("a",))),
    ("{'a': 1, 'b': 'x'}", ("a", "b"), ((1, "x"),)),
    ("{'a': [1, 2], 'b': [3, 4]}", ("a", "b"), ((1, 3), (2, 4))),
    ("[{'a': 1}, {'a': 2, 'b': 3}]", ("a", "b"), ((1, None), (2, 3))),
    ("[('x', 1), ('y', 2)]", ("0", "1"), (("x", 1), ("y", 2))),
    ("np.array([1, 2])", ("result",), ((1,), (2,))),
    ("np.array([[1, 2], [3, 4]])", ("0", "1"), ((1, 2), (3, 4))),
    ("pd.DataFrame({'a': [1, 2], 'b': ['x', None]})", ("a", "b"), ((1, "x"), (2, None))),
    ("pd.DataFrame({'a': [3, 1, 2]}).query('a > 1').sort_values('a')", ("a",), ((2,), (3,))),
    ("pd.DataFrame({'k': ['x', 'y', 'x'], 'v': [1, 2, 3]}).groupby('k').sum()", ("k", "v"), (("x", 4), ("y", 2))),
    (
        "pd.DataFrame({'k': ['x', 'x'], 'm': [1, 2], 'v': [5, 6]}).groupby(['k', 'm']).sum()",
        ("k", "m", "v"),
        (("x", 1, 5), ("x", 2, 6)),
    ),
    (
        "pd.DataFrame({'k': ['x', 'x'], 'v': [1, 3]}).groupby('k').agg({'v': ['min', 'max']})",
        ("k", "v min", "v max"),
        (("x", 1, 3),),
    ),
    ("pd.Series([1, 2], index=['x', 'y'], name='n')", ("index", "n"), (("x", 1), ("y", 2))),
    ("pd.Series([1, 2])", ("value",), ((1,), (2,))),
    ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", ("a", "a.1"), ((1, 2),)),
    ("pd.DataFrame({'d': pd.to_datetime(['2024-01-05', None])})", ("d",), (("2024-01-05",), (None,))),
    ("pd.DataFrame({'d': pd.to_datetime(['2024-01-05 10:30'])})", ("d",), (("2024-01-05T10:30:00",),)),
    ("pd.Timestamp('2024-01-05')", ("result",), (("2024-01-05",),)),
    ("datetime.date(2024, 1, 5)", ("result",), (("2024-01-05",),)),
    ("decimal.Decimal('1.50')", ("result",), ((1.5,),)),
    ("np.datetime64('2024-01-05')", ("result",), (("2024-01-05",),)),
    ("pd.DataFrame({'a': pd.array([1, None], dtype='Int64')})", ("a",), ((1,), (None,))),
    ("pd.DataFrame({'a': [float('inf'), True]})", ("a",), ((None,), (True,))),
    ("pd.DataFrame({'c': pd.Categorical(['x', 'y'])})", ("c",), (("x",), ("y",))),
    ("pd.DataFrame({'a': [[1, 2]]})", ("a",), (("[1, 2]",),)),
    ("pd.DataFrame(columns=['a', 'b'])", ("a", "b"), ()),
    ("__import__('polars').DataFrame({'a': [1, 2]})", ("a",), ((1,), (2,))),
]
"""Expressions, and the table that results when the name `result` is bound to them."""

CHART = "import tw\ntw.chart({}, pd.DataFrame({{'x': ['a', 'b'], 'y': [1, 2], 'z': [3, 4]}}), {})"


class ValuesConformance:
    """Tables, text and HTML of values, and messages of refusal."""

    @pytest.mark.parametrize(("expression", "columns", "rows"), TABLES)
    async def test_a_value_becomes_the_table_one_expects(
        self, session: Session, expression: str, columns: tuple[str, ...], rows: tuple[tuple[Cell, ...], ...]
    ) -> None:
        outputs = await run(session, f"{_PANDAS}result = {expression}")
        found = one(outputs, TableOutput)
        assert found.role == "result"
        assert found.table.columns == columns
        assert found.table.rows == rows
        assert [[type(cell) for cell in row] for row in found.table.rows] == [[type(c) for c in row] for row in rows]
        assert found.table.total_rows == len(rows)

    async def test_result_is_put_out_by_the_cell_that_binds_it_only(self, session: Session) -> None:
        assert one(await run(session, "if True:\n    result = 1"), TableOutput).table.rows == ((1,),)
        for code in ("x = result", "def f():\n    result = 2\nf()", "print(result)", "result = None"):
            assert not [output for output in await run(session, code) if isinstance(output, TableOutput)]

    async def test_a_long_table_is_cut_and_counted(self, session: Session) -> None:
        table = one(await run(session, f"{_PANDAS}result = pd.DataFrame({{'a': range(25_000)}})"), TableOutput).table
        assert len(table.rows) == 10_000
        assert table.total_rows == 25_000

    async def test_a_frame_as_last_value_is_text_and_a_shown_table(self, session: Session) -> None:
        outputs = await run(session, f"{_PANDAS}pd.DataFrame({{'城市': ['北京'], 'n': [1]}})")
        assert one(outputs, TextOutput).stream == "value"
        assert "北京" in text(outputs)
        assert one(outputs, TableOutput).role == "shown"

    async def test_a_semicolon_silences_the_last_value(self, session: Session) -> None:
        assert len(await run(session, "1 + 1;")) == 1

    async def test_html_of_a_value_comes_beside_its_text(self, session: Session) -> None:
        code = "class Page:\n    def _repr_html_(self):\n        return '<b>x</b>'\nPage()"
        outputs = await run(session, code)
        assert one(outputs, HtmlOutput).html == "<b>x</b>"
        assert "Page" in text(outputs)

    async def test_tables_and_files_are_handed_over_by_name(self, session: Session) -> None:
        code = "import tw\ntw.table([1, 2], title='two')\nopen('a.txt', 'w').write('x')\ntw.file('a.txt')"
        outputs = await run(session, code)
        table = one(outputs, TableOutput)
        assert (table.role, table.table.title, table.table.rows) == ("shown", "two", ((1,), (2,)))
        assert one(outputs, FileOutput).path == "a.txt"

    async def test_a_guarded_table_has_no_text_that_is_a_formula_and_the_count_is_said(self, session: Session) -> None:
        code = "import pandas as pd\nimport tw\nd = pd.DataFrame({'=a': ['=1+1', '-5', None], 'n': [-1, 2, 3]})\n"
        outputs = await run(session, code + "tw.guard(d).to_csv('a.csv', index=False)\nprint(open('a.csv').read())")
        assert "before 2 cells" in text(outputs)
        assert "'=a,n\n'=1+1,-1\n-5,2\n,3" in text(outputs)

    async def test_only_files_of_the_working_folder_are_handed_over(self, session: Session) -> None:
        assert one(await run(session, "import tw\ntw.file('/usr/bin/env')"), ErrorOutput).name == "ValueError"
        assert one(await run(session, "import tw\ntw.file('none')"), ErrorOutput).name == "FileNotFoundError"

    async def test_imports_that_are_refused_name_what_may_be_imported(self, session: Session) -> None:
        for code in ("import subprocess", "from socket import socket", "import requests"):
            error = one(await run(session, code), ErrorOutput)
            assert error.name in ("ImportError", "ModuleNotFoundError")
            assert "pandas" in error.message

    async def test_a_debugger_is_refused_in_words_and_leaving_says_nothing_of_terminals(self, session: Session) -> None:
        refused = one(await run(session, "breakpoint()"), ErrorOutput)
        assert (refused.name, "print what you need" in refused.message) == ("PermissionError", True)
        left = await run(session, "import sys\nsys.exit(3)")
        assert (one(left, ErrorOutput).name, text(left)) == ("SystemExit", "")

    async def test_shell_lines_are_refused_in_words(self, session: Session) -> None:
        for code in ("!ls", "%%bash\nls", "import os\nos.system('ls')", "files = !ls"):
            assert one(await run(session, code), ErrorOutput).name in ("PermissionError", "UsageError")


class FiguresConformance:
    """Figures of matplotlib and charts of `tw`."""

    async def test_open_figures_come_at_the_end_of_the_cell_once(self, session: Session) -> None:
        outputs = await run(session, "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nfig")
        assert one(outputs, ImageOutput).content.startswith(_PNG)
        assert not text(outputs)

    async def test_a_figure_of_a_cell_that_failed_comes_too(self, session: Session) -> None:
        outputs = await run(session, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n1 / 0")
        assert one(outputs, ImageOutput).content.startswith(_PNG)
        assert one(outputs, ErrorOutput).name == "ZeroDivisionError"

    async def test_shown_figures_come_where_they_were_shown(self, session: Session) -> None:
        code = "import matplotlib.pyplot as plt\nfor n in range(2):\n    plt.plot([n]); plt.show(); print(n)"
        kinds = [type(output) for output in await run(session, code)]
        assert kinds[:4] == [ImageOutput, TextOutput, ImageOutput, TextOutput]

    async def test_chinese_in_a_figure_warns_nobody(self, session: Session) -> None:
        outputs = await run(session, "import matplotlib.pyplot as plt\nplt.title('销售额')\nplt.show()")
        assert one(outputs, ImageOutput).content.startswith(_PNG)
        assert not text(outputs)

    @pytest.mark.parametrize("kind", ["bar", "line", "area", "pie", "scatter", "histogram"])
    async def test_a_chart_is_data_and_then_a_picture(self, session: Session, kind: str) -> None:
        outputs = await run(session, _PANDAS + CHART.format(repr(kind), "x='x', y='y', title='t'"))
        chart = one(outputs, ChartOutput).chart
        assert (chart.kind, chart.x, chart.y, chart.title) == (kind, ("a", "b"), (1, 2), "t")
        assert chart.labels == {"x": "x", "y": "y"}
        assert one(outputs, ImageOutput).content.startswith(_PNG)
        assert end(outputs).status == "ok"

    @pytest.mark.parametrize("kind", ["stacked bar", "grouping line", "grouping scatter", "bar"])
    async def test_a_chart_of_several_columns_has_a_series_for_each(self, session: Session, kind: str) -> None:
        outputs = await run(
            session, _PANDAS + CHART.format(repr(kind), "x='x', y=['y', 'z'], option={'k': np.int64(1)}")
        )
        found = one(outputs, ChartOutput)
        assert found.chart.x == ("a", "b", "a", "b")
        assert found.chart.y == (1, 2, 3, 4)
        assert found.chart.series == ("y", "y", "z", "z")
        assert found.option == {"k": 1}
        assert one(outputs, ImageOutput).content.startswith(_PNG)

    @pytest.mark.parametrize(
        ("kind", "parts", "error"),
        [
            ("'tower'", "x='x', y='y'", "ValueError"),
            ("'bar'", "x='none', y='y'", "KeyError"),
            ("'bar'", "x=[1], y='y'", "ValueError"),
        ],
    )
    async def test_a_chart_that_cannot_be_says_what_is_wrong(
        self, session: Session, kind: str, parts: str, error: str
    ) -> None:
        assert one(await run(session, _PANDAS + CHART.format(kind, parts)), ErrorOutput).name == error


class OutputsConformance(ValuesConformance, FiguresConformance):
    """Needs the fixture `session`, with pandas and matplotlib in it."""
