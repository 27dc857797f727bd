"""The environment's libraries in use: each reads files, asks for the size of the machine, or starts threads."""

from __future__ import annotations

import pytest

from tablewright.sandbox.base import ChartOutput, ImageOutput, Session, TableOutput
from tablewright.sandbox.conformance.examples import end, one, run

_FRAME = "import pandas as pd, numpy as np\nd = pd.DataFrame({'k': ['x', 'y', 'x'], 'v': [1, 2, 4]})\n"

WORK: dict[str, str] = {
    "pandas and Excel": "d.to_excel('a.xlsx', index=False)\nresult = pd.read_excel('a.xlsx').v.sum()",
    "calamine": "d.to_excel('a.xlsx', index=False)\nresult = pd.read_excel('a.xlsx', engine='calamine').v.sum()",
    "xlsxwriter": "d.to_excel('a.xlsx', engine='xlsxwriter', index=False)\nresult = pd.read_excel('a.xlsx').v.sum()",
    "OpenDocument": "d.to_excel('a.ods', engine='odf', index=False)\nresult = pd.read_excel('a.ods').v.sum()",
    "parquet": "d.to_parquet('a.parquet')\nresult = pd.read_parquet('a.parquet').v.sum()",
    "sqlite": (
        "import sqlite3\nc = sqlite3.connect('a.db')\nd.to_sql('d', c)\nresult = c.execute('select sum(v) from "
        "d').fetchone()[0]"
    ),
    "html": "import io\nresult = pd.read_html(io.StringIO(d.to_html()))[0].v.sum()",
    "duckdb": "import duckdb\nd.to_csv('a.csv')\nresult = duckdb.sql(\"select sum(v)::int from 'a.csv'\")",
    "polars": "import polars\nresult = polars.from_pandas(d).lazy().select(polars.col('v').sum()).collect()",
    "scikit-learn": (
        "from sklearn.linear_model import LinearRegression\nfrom sklearn.model_selection import GridSearchCV\n"
        "GridSearchCV(LinearRegression(), {'positive': [True]}, cv=2, n_jobs=-1).fit(np.eye(8), range(8))\nresult = "
        "d.v.sum()"
    ),
    "statsmodels": "import statsmodels.formula.api as f\nresult = round(f.ols('v ~ 1', d).fit().params.iloc[0] * 3)",
    "scipy": "from scipy import stats\nresult = round(stats.describe(d.v).mean * 3)",
}


class LibrariesConformance:
    """Needs the fixture `session`."""

    @pytest.mark.parametrize("code", WORK.values(), ids=[name.replace(" ", "_") for name in WORK])
    async def test_a_library_does_its_work(self, session: Session, code: str) -> None:
        outputs = await run(session, _FRAME + code, timeout_s=60.0)
        assert end(outputs).status == "ok", outputs
        assert one(outputs, TableOutput).table.rows[0][-1] == 7

    async def test_seaborn_draws(self, session: Session) -> None:
        outputs = await run(session, f"{_FRAME}import seaborn\nseaborn.barplot(d, x='k', y='v')", timeout_s=60.0)
        assert one(outputs, ImageOutput).mime == "image/png"

    async def test_a_figure_of_plotly_is_shown_as_a_chart(self, session: Session) -> None:
        code = (
            f"{_FRAME}import plotly.express as px\nfigure = px.line(d.head(2), x='k', y='v', title='t')\nfigure.show()"
        )
        outputs = await run(session, code, timeout_s=60.0)
        chart = one(outputs, ChartOutput).chart
        assert (chart.kind, chart.x, chart.y, chart.title) == ("line", ("x", "y"), (1, 2), "t")
        assert one(outputs, ImageOutput).mime == "image/png"

    async def test_a_figure_that_no_chart_can_be_says_so(self, session: Session) -> None:
        code = "import plotly.graph_objects as go\ngo.Figure(go.Heatmap(z=[[1, 2]]))"
        outputs = await run(session, code, timeout_s=60.0)
        assert end(outputs).status == "ok"
        assert "tw.chart" in repr(outputs)
