"""Tables with texts that are formulas for a spreadsheet program, written by code of ours and opened by LibreOffice."""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.support.office import MISSING, SOFFICE
from tests.support.patience import PATIENCE_S

from tablewright.agent.code.result_file import result_code, result_path
from tablewright.domain.formula_text import guarded
from tablewright.sandbox.base import Done, Session, TextOutput

SUITE = Path(__file__).parents[2] / "suites" / "formula_cells.json"
CELLS: list[str] = [case["cell"] for case in json.loads(SUITE.read_text(encoding="utf-8"))]
EVALUATED = "CSV:44,34,76,1,,0,false,true,false,false,false,-1,true,true"
"""How LibreOffice reads text files: commas, quotes, UTF-8, special numbers detected, and formulas evaluated."""

pytestmark = pytest.mark.skipif(SOFFICE is None, reason=MISSING)


def formulas(path: Path) -> list[Any]:
    """Let LibreOffice open the text file with formulas evaluated; return the formula cells that it makes."""
    assert SOFFICE is not None
    with tempfile.TemporaryDirectory() as profile:
        command = [SOFFICE, f"-env:UserInstallation=file://{profile}", "--headless", f"--infilter={EVALUATED}"]
        subprocess.run(
            [*command, "--convert-to", "xlsx", "--outdir", str(path.parent), str(path)],
            capture_output=True, timeout=PATIENCE_S, check=True,
        )  # fmt: skip
    sheet = openpyxl.load_workbook(path.with_suffix(".xlsx")).active
    assert sheet is not None
    return [cell.value for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]


def write(path: Path, rows: list[tuple[Any, ...]]) -> Path:
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(rows)
    return path


def test_no_cell_of_the_list_is_a_formula_once_it_is_guarded(tmp_path: Path) -> None:
    assert len(CELLS) >= 40
    assert len(formulas(write(tmp_path / "open.csv", [(cell, "x") for cell in CELLS]))) >= 10
    assert formulas(write(tmp_path / "guarded.csv", [guarded((cell, "x")).cells for cell in CELLS])) == []


FRAME = """
import pandas as pd
import tw
cells = CELLS
frame = pd.DataFrame({"=1+1": cells, "n": [-1] * len(cells), "kind": pd.Categorical(cells)}, index=cells)
frame["+2+2"] = pd.array(cells, dtype="string")
tw.guard(frame).to_csv("a.csv", encoding="utf-8-sig")
assert frame.columns[0] == "=1+1" and frame.iloc[0, 0] == cells[0], "the table itself stays"
several = pd.DataFrame([["=1", -1], ["b", -2]], columns=["a", "a"])
assert tw.guard(several).values.tolist() == [["'=1", -1], ["b", -2]]
levels = pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("=a", "b")], names=["x", "y"]))
assert list(tw.guard(levels).columns) == [("'=a", "b")]
assert tw.guard(pd.Series(["@a"])).iloc[0, 0] == "'@a"
assert tw.guard(pd.DataFrame()).empty
with open("a.csv", "a", encoding="utf-8") as file:
    tw.guard(pd.DataFrame({"a": ["a\\r=1+1", "b\\r\\n=1+1"]})).to_csv(file, header=False)
result = pd.DataFrame({"text": ["=1+1"] * 20_000})
"""


@pytest.mark.asyncio(loop_scope="module")
async def test_code_writes_files_without_formulas_by_itself(session: Session, tmp_path: Path) -> None:
    outputs = [output async for output in session.execute(FRAME.replace("CELLS", repr(CELLS)), step_id="s")]
    done = outputs[-1]
    assert isinstance(done, Done)
    assert done.status == "ok", outputs
    for name in ("a.csv", "output/result.csv"):
        content = b"".join([piece async for piece in session.read(name)])
        path = tmp_path / Path(name).name
        path.write_bytes(content)
        assert formulas(path) == []
    assert "an apostrophe before 20000 cells" in "".join(out.text for out in outputs if isinstance(out, TextOutput))


@pytest.mark.parametrize("name", ["r.csv", "r.xlsx"])
@pytest.mark.asyncio(loop_scope="module")
async def test_the_file_of_a_result_has_no_formulas_nor_headers_that_are(
    session: Session, tmp_path: Path, name: str
) -> None:
    texts = [cell for cell in CELLS if cell.isprintable() and cell]
    made = f"import pandas as pd\nresult = pd.DataFrame({{'=1+1': {texts!r}, '@x': 1}})\n{result_code(name)}"
    outputs = [output async for output in session.execute(made, step_id="s")]
    done = outputs[-1]
    assert isinstance(done, Done)
    assert done.status == "ok", outputs
    path = tmp_path / name
    path.write_bytes(b"".join([piece async for piece in session.read(result_path(name))]))
    if name.endswith("csv"):
        assert formulas(path) == []
        return
    sheet = openpyxl.load_workbook(path).active
    assert sheet is not None
    assert [cell.data_type for row in sheet.iter_rows() for cell in row if cell.data_type == "f"] == []
    assert [row[0].value for row in sheet.iter_rows()] == ["=1+1", *texts]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_result_is_written_as_it_is_where_that_is_wanted(session: Session) -> None:
    made = f"import pandas as pd\nresult = pd.DataFrame({{'a': ['=1+1']}})\n{result_code('r.csv', guard=False)}"
    async for _ in session.execute(made, step_id="s"):
        pass
    assert b"".join([piece async for piece in session.read(result_path("r.csv"))]) == b"a\n=1+1\n"
