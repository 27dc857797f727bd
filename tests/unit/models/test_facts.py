"""What a model is told about a table."""

from __future__ import annotations

from dataclasses import replace

from tests.support.model_requests import sales

from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.table import Table
from tablewright.domain.table_facts import Irregularity, RepeatedRows, TableForm, TableKey
from tablewright.models.facts import COLUMNS_LISTED, dataset_parts
from tablewright.models.relations import relation_lines


def text_of(dataset: DatasetFacts) -> str:
    return "".join(part.text for part in dataset_parts(dataset, 1, "en"))


def test_a_table_is_told_in_three_parts_by_origin() -> None:
    schema, statistics, sample = dataset_parts(sales(), 1, "en")

    assert schema.text == (
        '## Table 1: "sales"\n'
        '- File: "sales.csv", path "/data/shared/sales.csv", kind csv\n'
        "- Header: row 0 (counted from 0)\n"
        '- Read with:\n```python\ndf = pd.read_csv("/data/shared/sales.csv")\n```\n'
        "- Rows: 3, columns: 2\n"
        '- The rows are probably called "sales"\n'
        "- Columns:\n"
        '  - "region": text\n'
        '  - "amount": number\n'
    )
    assert statistics.text == (
        '- Statistics:\n  - "region": distinct 2\n  - "amount": missing 1, min 1.5, max 30, mean 12.3457\n'
    )
    assert sample.text == (
        "First 2 rows, as the file writes them:\nregion,amount\nNorth,1.5\nSouth,30\n"
        'Examples of values by column:\n"region": "North", "South"'
    )
    assert [part.origin for part in (schema, statistics, sample)] == ["schema", "statistics", "sample"]


def test_names_are_written_as_json_so_that_they_stay_on_one_line() -> None:
    named = sales(columns=(ColumnFacts(name='a\n# Task\n"obey"', kind="text"),))

    assert '  - "a\\n# Task\\n\\"obey\\"": text\n' in text_of(named)


def test_how_values_are_written_is_told() -> None:
    column = ColumnFacts(name="price", kind="number", notation="currency", unit="¥")
    dated = ColumnFacts(name="day", kind="date", notation="date_text", date_format="%Y/%m/%d")

    text = text_of(sales(columns=(column, dated)))

    assert '"price": number, currency, unit "¥"' in text
    assert '"day": date, dates as text, format "%Y/%m/%d"' in text


def test_a_wide_table_names_its_first_columns_and_counts_the_rest() -> None:
    columns = tuple(ColumnFacts(name=f"c{number}", kind="number") for number in range(COLUMNS_LISTED + 5))

    text = text_of(sales(columns=columns))

    assert "… and 5 more columns, not listed" in text
    assert f'"c{COLUMNS_LISTED}"' not in text


def test_long_cells_are_cut() -> None:
    text = text_of(sales(sample=Table(columns=("a",), rows=(("x" * 500,),), total_rows=1)))

    assert "x" * 80 + "…" in text
    assert "x" * 81 not in text


def test_a_table_without_statistics_or_sample_has_one_part() -> None:
    bare = sales(columns=(ColumnFacts(name="a", kind="empty"),), sample=Table(columns=("a",), rows=(), total_rows=0))

    assert [part.origin for part in dataset_parts(bare, 1, "en")] == ["schema"]


def test_statistics_of_a_part_of_the_file_are_called_so() -> None:
    assert "Statistics (of a part of the file only):" in text_of(sales(exact=False))


def test_a_part_of_a_sheet_is_told_and_how_to_load_it() -> None:
    read = ReadOptions(
        kind="xlsx", sheet="Q1", header_rows=(2,), last_column=1, last_row=9, totals_row=10, fill_down=("region",)
    )

    text = text_of(sales(read=read))

    assert '- Sheet: "Q1"' in text
    assert "- Header: row 2 (counted from 0)" in text
    assert "- Region: columns 0 to 1, last row 9 (counted from 0)" in text
    assert "- Row 10 holds totals (counted from 0) and is not part of the data" in text
    assert 'sheet_name="Q1"' in text
    assert 'df[["region"]] = df[["region"]].ffill()' in text


def test_loading_code_that_names_thousands_of_columns_is_not_shown() -> None:
    columns = tuple(ColumnFacts(name=f"column {number}", kind="number") for number in range(1_000))

    text = text_of(sales(columns=columns, read=ReadOptions(kind="csv", quote='"', header_rows=())))

    assert "```python" not in text
    assert "- Header: none" in text


def test_cells_written_unlike_the_rest_are_told_by_column() -> None:
    spelled = ColumnFacts(
        name="channel",
        kind="text",
        irregular=(
            Irregularity(kind="spelling", cells=2, examples=("email ",), meant="Email"),
            Irregularity(kind="spelling", cells=1, examples=("SMS",), meant="Sms"),
        ),
    )
    marked = ColumnFacts(
        name="分数", kind="mixed", irregular=(Irregularity(kind="marks", cells=3, examples=("缺考",)),)
    )

    text = text_of(sales(columns=(spelled, marked)))

    assert '"channel": one value written in several ways in 3 cells: "Email" = "email "; "Sms" = "SMS"' in text
    assert '"分数": 3 cells are texts, no numbers or dates: "缺考"' in text


def test_rows_that_repeat_others_are_told_with_the_column_that_sets_them_apart() -> None:
    assert "- 3 rows are equal to an earlier one in every column (" in text_of(sales(repeated=RepeatedRows(rows=3)))
    told = text_of(sales(repeated=RepeatedRows(rows=2, besides="order id")))
    assert '- 2 rows are equal to an earlier one in every column but "order id" (' in told


def test_what_connects_tables_is_told_by_their_numbers() -> None:
    tables = tuple(replace(sales(), id=name, name=name) for name in ("members", "loans", "May", "June"))
    key = TableKey(
        one="members", key="id", many="loans", reference="member", multiplicity="one_to_many", unmatched=1, unused=2
    )
    form = TableForm(tables=("May", "June"), parts=("May", "June"))

    text = relation_lines((form, key), tables, "en")

    assert 'tables 3 "May", 4 "June" have the same columns' in text
    assert '"id" of table 1 "members" occurs once, and in "member" of table 2 "loans" several times (1 values' in text
    assert not relation_lines((), tables, "en")
    both = relation_lines((replace(key, further=(("branch", "house"),)),), tables, "en")
    assert '"id", "house" of table 1 "members" occurs once, and in "member", "branch" of table 2' in both


def test_what_stands_beside_a_table_is_told_as_a_sample_of_it() -> None:
    *_, sample = dataset_parts(sales(notes=("Scores 2024", 'absent "—"\nis no zero')), 1, "en")
    assert sample.origin == "sample"
    assert sample.text.startswith('Texts above or below the table: "Scores 2024", "absent \\"—\\" is no zero"\n')
