"""References that are written otherwise than what they refer to."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.data.test_relations import Cells, table

from tablewright.data.facts.references import with_references
from tablewright.data.facts.relations import relations
from tablewright.domain.cleaning import clean_value
from tablewright.domain.table_facts import Irregularity, TableKey

LIFTS: Cells = {"lift": ["DT01", "DT02", "DT03"], "place": ["a", "a", "b"]}


def read(**tables: Cells) -> tuple[list[tuple[Irregularity, ...]], list[TableKey]]:
    """Return what is irregular in the first column of each table, and the keys between them."""
    counts = {
        (name, column): {text: texts.count(text) for text in texts}
        for name, cells in tables.items()
        for column, texts in cells.items()
    }
    told = with_references([table(name, cells) for name, cells in tables.items()], counts)
    keys = [one for one in relations(told, counts) if isinstance(one, TableKey)]
    return [one.columns[0].irregular for one in told], keys


def test_a_reference_in_another_case_or_width_is_what_it_refers_to() -> None:
    irregular, (key,) = read(lifts=LIFTS, orders={"lift": ["DT01", "dt02", "dt02", "ＤＴ03", "DT01"]})
    assert irregular == [
        (),
        (
            Irregularity(kind="spelling", cells=2, examples=("dt02",), meant="DT02"),
            Irregularity(kind="spelling", cells=1, examples=("ＤＴ03",), meant="DT03"),
        ),
    ]
    assert (key.one, key.many, key.unmatched, key.unused) == ("lifts", "orders", 0, 0)


def test_two_spellings_of_one_value_are_merged() -> None:
    irregular, _ = read(lifts=LIFTS, orders={"lift": ["DT01", "dt01", "DT02"]})
    assert irregular[1] == (Irregularity(kind="spelling", cells=1, examples=("dt01",), meant="DT01", merged=1),)


def test_what_merely_looks_alike_stays_as_it_is() -> None:
    both = {"code": ["a1", "A1", "b2"], "place": ["x", "x", "y"]}
    assert read(codes=both, orders={"code": ["a1", "A1", "B2", "b2"]})[0] == [(), ()]
    assert read(lifts=LIFTS, orders={"lift": ["dt01", "x", "y", "z"]})[0] == [(), ()]
    assert read(lifts=LIFTS, orders={"lift": ["DT01", "DT02", "DT02"]})[0] == [(), ()]


def test_a_spelling_is_cleaned_to_what_the_other_table_has() -> None:
    told = with_references(
        [table("lifts", LIFTS), table("orders", {"lift": ["dt01", "DT02"]})],
        {("lifts", "lift"): dict.fromkeys(LIFTS["lift"], 1), ("orders", "lift"): {"dt01": 1, "DT02": 1}},
    )
    assert clean_value("dt01", told[1].columns[0]) == "DT01"
    assert clean_value("DT02", told[1].columns[0]) == "DT02"
    assert told[0] == table("lifts", LIFTS)


def test_a_key_with_missing_cells_or_repeats_is_none() -> None:
    lifts, orders = table("lifts", LIFTS), table("orders", {"lift": ["dt01", "DT02", "DT02"]})
    counts = {("lifts", "lift"): {"DT01": 2, "DT02": 1}, ("orders", "lift"): {"dt01": 1, "DT02": 2}}
    assert with_references([lifts, orders], counts) == (lifts, orders)
    emptied = replace(lifts, columns=(replace(lifts.columns[0], missing=1), lifts.columns[1]))
    counts = {("lifts", "lift"): {"DT01": 1, "DT02": 1}, ("orders", "lift"): {"dt01": 1, "DT02": 2}}
    assert with_references([emptied, orders], counts)[1].columns[0].irregular
