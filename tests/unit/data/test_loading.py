"""The pandas code for a table, as text."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.loading import date_expression, load_lines, number_expression
from tablewright.domain.spans import Spans
from tablewright.domain.table import Table

AMOUNT = ColumnFacts(name="金额", kind="number")
COLUMNS = (ColumnFacts(name="id", kind="integer"), AMOUNT)


def facts(read: ReadOptions, columns: tuple[ColumnFacts, ...] = COLUMNS) -> DatasetFacts:
    return DatasetFacts(
        id="t",
        name="t",
        file_name="t.x",
        path="/data/shared/t.x",
        read=read,
        rows=3,
        columns=columns,
        sample=Table(columns=(), rows=(), total_rows=3),
        profile_ref="",
    )


def lines(read: ReadOptions, columns: tuple[ColumnFacts, ...] = COLUMNS) -> str:
    return "\n".join(load_lines(facts(read, columns)))


def test_a_plain_file_is_loaded_plainly() -> None:
    read = ReadOptions(kind="csv", encoding="utf-8", delimiter=",", quote='"')
    assert lines(read) == 'df = pd.read_csv("/data/shared/t.x")'


def test_a_dialect_is_spelled_out() -> None:
    read = ReadOptions(kind="csv", encoding="gb18030", delimiter=";", quote=None, decimal=",", damaged=True)
    assert lines(read) == (
        'df = pd.read_csv("/data/shared/t.x", encoding="gb18030", encoding_errors="replace", sep=";", quoting=3, '
        'decimal=",")'
    )


def test_a_region_of_a_sheet_is_cut_out() -> None:
    read = ReadOptions(kind="xlsx", sheet="销售", header_rows=(2, 3), first_column=1, last_row=9, renamed=True)
    assert lines(read) == (
        'df = pd.read_excel("/data/shared/t.x", sheet_name="销售", header=3, usecols=range(1, 3), nrows=6, '
        'engine="calamine")\n'
        'df.columns = ["id", "金额"]'
    )


def test_without_a_header_the_names_are_given() -> None:
    read = ReadOptions(kind="csv", quote='"', header_rows=(), first_row=2, blank_lines=1, renamed=True)
    assert lines(read) == 'df = pd.read_csv("/data/shared/t.x", header=None, names=["id", "金额"], skiprows=3)'


def test_rows_longer_than_the_header_need_the_names_too() -> None:
    read = ReadOptions(kind="csv", quote='"', ragged=True, last_column=1)
    assert lines(read) == (
        'df = pd.read_csv("/data/shared/t.x", header=None, names=["id", "金额"], skiprows=1, usecols=range(0, 2))'
    )


def test_texts_and_missing_values_are_told_to_pandas() -> None:
    read = ReadOptions(kind="csv", quote='"', as_text=("id",))
    columns = (COLUMNS[0], replace(AMOUNT, missing_texts=("-",)))
    assert lines(read, columns) == (
        'df = pd.read_csv("/data/shared/t.x", dtype={"id": "str"}, na_values={"金额": ["-"]})'
    )


def test_blank_rows_are_dropped_before_merged_cells_are_filled_down() -> None:
    read = ReadOptions(kind="xlsx", blank_rows=True, fill_down=("id",))
    assert lines(read).splitlines()[1:] == [
        'df = df.dropna(how="all").reset_index(drop=True)',
        'df[["id"]] = df[["id"]].ffill()',
        'df = df.astype(dict.fromkeys(["id"], "int64"))',
    ]


def test_rows_that_sum_others_are_dropped_before_blank_ones() -> None:
    read = ReadOptions(kind="csv", quote='"', blank_rows=True, inner_totals=(3, 7))
    assert lines(read).splitlines()[1:] == [
        "df = df.drop(index=[3, 7]).reset_index(drop=True)",
        'df = df.dropna(how="all").reset_index(drop=True)',
        'df = df.astype(dict.fromkeys(["id"], "int64"))',
    ]


def test_json_is_loaded_by_its_shape() -> None:
    opened = 'open("/data/shared/t.x", encoding="utf-8")'
    assert lines(ReadOptions(kind="json", record_path=("data", "items"))) == (
        f'df = pd.json_normalize(json.load({opened})["data"]["items"])'
    )
    assert lines(ReadOptions(kind="json", by_column=True)) == f"df = pd.DataFrame(json.load({opened}))"
    assert lines(ReadOptions(kind="json", lines=True)) == (
        f"df = pd.json_normalize([json.loads(line) for line in {opened} if line.strip()])"
    )


def test_names_cannot_leave_their_quotes() -> None:
    read = ReadOptions(kind="xlsx", sheet='x"); import os; ("', renamed=True)
    code = lines(read, (ColumnFacts(name='a"\n]', kind="text"),))
    compile(code, "loading", "exec")
    assert 'sheet_name="x\\"); import os; (\\""' in code
    assert 'df.columns = ["a\\"\\n]"]' in code


def test_plain_numbers_and_real_dates_need_no_cleaning() -> None:
    assert number_expression("s", AMOUNT) == "s"
    assert date_expression("s", ColumnFacts(name="d", kind="date")) == "s"


def test_digits_become_text_before_they_become_dates() -> None:
    column = ColumnFacts(name="d", kind="date", notation="date_text", date_format="%Y%m%d")
    assert date_expression("s", column) == (
        'pd.to_datetime(s.astype("Int64").astype("str"), format="%Y%m%d", errors="coerce")'
    )


def test_spans_are_added_up_from_their_parts() -> None:
    spans = Spans(ways=(("个月", 1), ("岁", 12)), each=12)
    clean = CleanFacts(kind="number", notation="unit", unit="岁", spans=spans)
    column = ColumnFacts(name="a", kind="number", notation="unit", unit="岁", clean=clean)
    assert number_expression("s", column) == (
        r'pd.to_numeric(s.astype("str").str.findall(r"(\d+(?:\.\d+)?)\s*(个月|岁)").map(lambda parts: '
        'sum(float(number) * {"个月": 1, "岁": 12}[unit] for number, unit in parts) / 12 if parts else None, '
        'na_action="ignore"), errors="coerce")'
    )


def test_dates_without_a_year_are_parsed_with_the_year_in_front() -> None:
    formats = ("%Y-%m-%d", "%m月%d日")
    clean = CleanFacts(kind="date", notation="date_text", date_formats=formats, year=2025)
    column = ColumnFacts(name="d", kind="date", notation="date_text", clean=clean)
    assert date_expression("s", column) == (
        'pd.to_datetime(s, format="%Y-%m-%d", errors="coerce")'
        '.fillna(pd.to_datetime("2025 " + s.astype("str"), format="%Y %m月%d日", errors="coerce"))'
    )


def test_words_for_powers_of_ten_are_read_as_exponents() -> None:
    clean = CleanFacts(kind="integer", notation="currency", unit="£", powers=(("million", 6), ("k", 3)))
    column = ColumnFacts(name="n", kind="integer", notation="currency", unit="£", clean=clean)
    assert number_expression("s", column) == (
        'pd.to_numeric(s.astype("str").str.replace("£", "", regex=False).str.replace(r"[,\\s\'’]", "", regex=True)'
        '.str.replace("million", "e6", regex=False).str.replace("k", "e3", regex=False), errors="coerce")'
    )
