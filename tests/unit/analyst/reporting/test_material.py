"""Tables of one form are looked at as one, by the facts of all of them."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.analyst.reporting.rounds import LOOK, ORDERS, report, task, texts

from tablewright.analyst.reporting.agenda import agenda_of
from tablewright.analyst.reporting.material import Material, materials
from tablewright.analyst.reporting.subject import subject_of
from tablewright.analyst.writing.naming import Names
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.table_facts import Irregularity, TableForm


def sheet(name: str, **columns: ColumnFacts) -> DatasetFacts:
    """Return a sheet of 30 rows."""
    read = replace(ORDERS.read, kind="xlsx", sheet=name, totals_row=31)
    facts = replace(ORDERS, id=name, name=name, file_name="year 2024.xlsx", path="/data/year 2024.xlsx", read=read)
    return replace(facts, rows=30, columns=tuple(columns.values()))


NUMBER = ColumnFacts(name="no", kind="integer", distinct=30, minimum=1, maximum=30)
REGION = ColumnFacts(name="region", kind="text", distinct=2, samples=("East", "West"))
MERGED = (Irregularity(kind="merged", cells=5, examples=()),)
Q1 = sheet(
    "Q1", no=NUMBER, region=replace(REGION, irregular=MERGED),
    paid=ColumnFacts(name="paid", kind="integer", distinct=9, minimum=5, maximum=90, samples=(5, 6)),
)  # fmt: skip
Q2 = sheet(
    "Q2", no=NUMBER, region=replace(REGION, samples=("East", "North"), irregular=MERGED),
    paid=ColumnFacts(
        name="paid", kind="number", notation="thousands", distinct=11, minimum=-1.5, maximum=1200.0, samples=(7, 8)
    ),
)  # fmt: skip
FORM = TableForm(tables=("Q1", "Q2"), parts=("Q1", "Q2"))


def whole() -> Material:
    """Return the two sheets as one."""
    (found,) = materials([Q1, Q2], [FORM])
    return found


def test_sheets_of_one_form_are_one_table_called_after_their_file() -> None:
    facts = whole().facts
    assert (facts.name, facts.rows) == ("year 2024", 60)
    assert [column.name for column in facts.columns] == ["no", "region", "paid", "sheet"]
    _, region, paid, _ = facts.columns
    assert region.distinct == 3
    assert (paid.kind, paid.distinct, paid.minimum, paid.maximum) == ("number", 11, -1.5, 1200.0)


def test_files_of_one_form_are_called_after_all_of_them() -> None:
    (found,) = materials([Q1, replace(Q2, path="/data/other.xlsx")], [FORM])
    assert found.facts.name == "Q1 + Q2"


def test_numbers_in_two_units_are_not_put_together() -> None:
    paid = replace(Q2.columns[2], notation="unit", unit="万")
    (found,) = materials([Q1, replace(Q2, columns=(*Q2.columns[:2], paid))], [FORM])
    assert found.facts.columns[2].kind == "mixed"


def test_a_sheet_without_rows_is_no_part() -> None:
    assert [one.part for one in materials([Q1, replace(Q2, rows=0)], [FORM])] == [None, None]


def test_what_numbers_the_rows_of_each_part_numbers_those_of_the_whole() -> None:
    subject = subject_of(whole(), Names())
    assert subject.left == ("no",)
    assert subject.groups == ("sheet", "region")
    assert subject.measures == ("paid",)


def test_each_part_is_loaded_by_its_own_facts() -> None:
    code = "\n".join(subject_of(whole(), Names()).load())
    assert code.count("pd.to_numeric(") == 1
    assert code.index('.assign(**{"sheet": "Q1"})') < code.index("pd.to_numeric(") < code.index('{"sheet": "Q2"}')
    assert code.endswith("= pd.concat(table_parts, ignore_index=True)")


def test_a_wish_for_one_sheet_is_about_that_sheet() -> None:
    lagos, bergen = replace(Q1, name="Lagos"), replace(Q2, name="Bergen")
    agenda = agenda_of(task(datasets=(lagos, bergen), relations=(FORM,), question="how is Lagos doing"))
    assert [subject.facts.name for subject in agenda.subjects] == ["Lagos"]
    assert [facts.name for facts in agenda.left_out] == ["Bergen"]


async def test_the_report_says_what_was_put_together_left_out_and_filled() -> None:
    printed = texts(look={**LOOK, "rows": 60})
    said, rounds = await report(task(datasets=(Q1, Q2), relations=(FORM,)), printed)
    content = said["action"]["content"]
    assert rounds[0] == ["look-1"]
    assert 'year 2024 is 2 tables of one form, one below the other (Q1, Q2); "sheet" says of which' in content
    assert "2 rows of year 2024 sum others and are left out" in content
    assert "10 cells of region take their value from above" in content
