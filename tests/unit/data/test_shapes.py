"""How the values of columns are distributed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tablewright.analyst.evaluating.heads import head_of
from tablewright.data.files import stored_columns
from tablewright.data.files.dialect import Dialect, split
from tablewright.data.files.profiler import profile_file
from tablewright.data.files.shapes import shapes
from tablewright.domain.codec import from_json, to_python
from tablewright.domain.column_shape import BARS, COMMON, ColumnShape
from tablewright.domain.dataset import DatasetFacts
from tablewright.errors import FileTooLarge


def shaped(path: Path) -> dict[str, ColumnShape]:
    [found] = profile_file(path, path.name).datasets
    told = shapes(path, name=path.name, dataset=to_python(DatasetFacts, found.facts))
    return {shape.column: shape for shape in from_json(tuple[ColumnShape, ...], told)}


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    lines = ["id,day,amount,paid,city,level"]
    cities = ["Oslo"] * 8 + ["Bergen"] * 4 + [f"Town {place}" for place in range(12)]
    for place, city in enumerate(cities):
        amount = "" if place == 3 else f'"${place * 1000:,}"'
        paid = "yes" if place % 3 else "no"
        lines.append(f"A{place:03},2024-{place % 12 + 1:02}-15,{amount},{paid},{city},7")
    path = tmp_path / "orders.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_numbers_as_they_are_written_and_dates_have_parts_of_their_range(orders: Path) -> None:
    found = shaped(orders)
    assert len(found["amount"].parts) == len(found["day"].parts) == BARS
    assert sum(found["amount"].parts) == 23
    assert found["day"].parts == (2,) * BARS
    assert found["amount"].parts[0] == found["amount"].parts[-1] == 2
    assert found["level"].parts == (24,)


def test_texts_have_their_most_frequent_values_and_the_rest_is_counted(orders: Path) -> None:
    found = shaped(orders)
    assert found["city"].common[:2] == (("Oslo", 8), ("Bergen", 4))
    assert len(found["city"].common) == len(found["id"].common) == COMMON
    assert found["city"].others == 9
    assert found["id"].others == 19
    assert sum(count for _, count in found["paid"].common) == 24


def test_a_table_too_large_for_it_is_refused(orders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_columns, "MOST_CELLS", 10)
    with pytest.raises(FileTooLarge):
        shaped(orders)


def test_the_first_rows_of_a_text_file_are_read_without_the_rest(orders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [found] = profile_file(orders, orders.name).datasets
    taken = list[list[str]]()

    def counted(text: str, dialect: Dialect) -> Iterator[list[str]]:
        for record in split(text, dialect):
            taken.append(record)
            yield record

    monkeypatch.setattr(stored_columns, "split", counted)
    head = stored_columns.stored_columns(orders, head_of(found.facts, 5))
    assert [column[:5] for column in stored_columns.stored_columns(orders, found.facts)] == [*head]
    assert len(taken) == 6 + 25


def test_a_column_of_nothing_has_no_shape(tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,\n2,\n", encoding="utf-8")
    found = shaped(path)
    assert found["b"].parts == ()
    assert found["b"].common == ()
    assert sum(found["a"].parts) == 2


def test_a_table_is_read_once_until_its_file_or_how_it_is_read_changes(
    orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [found] = profile_file(orders, orders.name).datasets
    reading, read = stored_columns._READERS["csv"], list[str]()

    def counted(path: Path, dataset: DatasetFacts) -> tuple[stored_columns.Column, ...]:
        read.append(dataset.name)
        return reading(path, dataset)

    monkeypatch.setitem(stored_columns._READERS, "csv", counted)
    first = stored_columns.stored_columns(orders, found.facts)
    assert stored_columns.stored_columns(orders, replace(found.facts, name="by another name")) is first
    assert len(read) == 1
    as_text = replace(found.facts, read=replace(found.facts.read, as_text=("level",)))
    assert stored_columns.stored_columns(orders, as_text)[-1][0] == "7"
    orders.write_text(orders.read_text(encoding="utf-8").replace("Oslo", "Turku"), encoding="utf-8")
    assert stored_columns.stored_columns(orders, found.facts)[4][0] == "Turku"
    assert len(read) == 3


def test_rows_of_unequal_length_have_no_cells_where_they_end(tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("a,b,c\n1,x,y\n2,z\n3\n", encoding="utf-8")
    [found] = profile_file(path, path.name).datasets
    assert stored_columns.stored_columns(path, found.facts) == ((1, 2, 3), ("x", "z", None), ("y", None, None))
