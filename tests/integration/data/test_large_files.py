"""Files that are not held in memory as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.data.conftest import only
from tests.support.patience import PATIENCE_S

from tablewright.data.base import OpenLimits
from tablewright.data.files import large
from tablewright.data.files.delimited import read_delimited
from tablewright.data.files.large import profile_large
from tablewright.data.files.region import dataset_profile
from tablewright.data.files.tables import FileTables

HEADER = "编号,城市,金额,日期,代码\n"


def row(number: int) -> str:
    amount = "-" if number % 11 == 0 else f'"{number:,}.5"'
    return f"{number},城市{number % 40},{amount},2021年{number % 12 + 1}月{number % 28 + 1}日,SKU-{number}\n"


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("big") / "big.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        file.writelines(row(number) for number in range(600_000))
    assert path.stat().st_size > large.LARGE_BYTES
    return path


@pytest.mark.asyncio(loop_scope="module")
async def test_a_large_file_has_the_same_facts_as_a_small_one(tables: FileTables, big: Path) -> None:
    found = only(await tables.profile(big, "big.csv"))
    facts = {column.name: column for column in found.facts.columns}
    assert (found.facts.rows, found.facts.exact) == (600_000, True)
    assert (facts["编号"].kind, facts["编号"].minimum, facts["编号"].maximum) == ("integer", 0, 599_999)
    assert (facts["金额"].notation, facts["金额"].missing, facts["金额"].missing_texts) == ("thousands", 54546, ("-",))
    assert (facts["日期"].date_format, facts["日期"].maximum) == ("%Y年%m月%d日", "2021-12-28")
    assert (facts["代码"].distinct, found.values["代码"].complete) == (600_000, False)
    assert set(found.values["城市"].counts) == {15_000}


@pytest.mark.asyncio(loop_scope="module")
async def test_memory_and_time_are_bounded(tables: FileTables, big: Path) -> None:
    limits = OpenLimits(memory_bytes=700 * 1024**2, timeout_s=PATIENCE_S)
    assert only(await tables.profile(big, "big.csv", limits)).facts.rows == 600_000


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_both_ways_of_reading_agree(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / "t.csv"
    lines = [
        "报表,,,,\n",
        "\n",
        HEADER,
        *(row(number) for number in range(2000)),
        ",,,,\n",
        '1,"两\n行",2,2021年1月1日,x\n',
    ]
    if ending == "\r":
        lines.pop()  # where "\\r" ends lines, one inside a cell is read as "\\n"
    path.write_bytes("".join(lines).replace("\n", ending).encode(encoding))
    whole = dataset_profile(read_delimited(path, "t.csv"), "t.csv")
    parts = profile_large(path, "t.csv")
    assert parts.facts.columns == whole.facts.columns
    assert (parts.facts.rows, parts.facts.sample) == (whole.facts.rows, whole.facts.sample)
    assert parts.values == whole.values


def test_only_the_first_rows_of_a_very_large_file_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text(HEADER + "".join(row(number) for number in range(5000)))
    monkeypatch.setattr(large, "MOST_ROWS", 1000)
    facts = profile_large(path, "t.csv").facts
    assert (facts.rows, facts.exact, facts.columns[0].maximum) == (5000, False, 999)


def test_a_way_of_writing_that_the_engine_does_not_know_is_read_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,title\n" + "".join(f'{number},"say \\"hi\\" {number % 7}"\n' for number in range(5000)))
    monkeypatch.setattr(large, "LARGE_BYTES", 50_000)
    facts = profile_large(path, "t.csv").facts
    assert (facts.rows, facts.exact, facts.read.escape) == (5000, False, "\\")
    assert facts.columns[1].samples[0] == 'say "hi" 0'


def test_a_quote_that_is_never_closed_far_down_means_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,v\n" + "".join(f"{number},1\n" for number in range(60_000)) + '60000,"2\n60001,3\n')
    facts = profile_large(path, "t.csv").facts
    assert (facts.rows, facts.read.quote, facts.columns[1].kind) == (60_002, None, "mixed")


@pytest.mark.parametrize("odd", ["007", "-", "+5", "1.5", "NA", "x", '"a\nb"'])
def test_a_column_that_is_whole_numbers_only_at_first_is_read_as_it_is(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "t.csv"
    lines = [f"{number},{number % 7},{number}\n" for number in range(60_000)]
    path.write_text("id,v,w\n" + "".join(lines) + f"60000,{odd},\n,,\n60001,,5\n")
    whole = dataset_profile(read_delimited(path, "t.csv"), "t.csv")
    parts = profile_large(path, "t.csv")
    assert (parts.facts.columns, parts.facts.rows) == (whole.facts.columns, whole.facts.rows)
    assert (parts.facts.read.as_text, parts.values) == (whole.facts.read.as_text, whole.values)
