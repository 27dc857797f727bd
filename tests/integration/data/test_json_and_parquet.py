"""JSON and Parquet files."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts
from tablewright.errors import FileUnreadable


def facts_of(tmp_path: Path, content: Any, name: str = "t.json") -> dict[str, DatasetFacts]:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return {dataset.facts.id: dataset.facts for dataset in profile_file(path, name).datasets}


def names(facts: DatasetFacts) -> list[str]:
    return [column.name for column in facts.columns]


def test_a_list_of_records_is_a_table(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, [{"a": 1, "b": "x"}, {"a": 2, "c": None}])["t"]
    assert (facts.rows, names(facts), facts.columns[0].mean) == (2, ["a", "b", "c"], 1.5)


def test_objects_in_a_record_become_columns_after_the_plain_ones(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, [{"a": {"x": 1, "y": {"z": 2}}, "b": 3}])["t"]
    assert names(facts) == ["b", "a.x", "a.y.z"]


def test_every_list_of_records_inside_an_object_is_a_table(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, {"meta": {"v": 1}, "data": {"items": [{"id": 1}]}, "users": [{"n": "x"}]})
    assert {key: found.read.record_path for key, found in facts.items()} == {
        "data.items": ("data", "items"),
        "users": ("users",),
    }


def test_one_object_a_line_is_a_table(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, '{"a": 1}\n\n{"a": 2}\n', "t.jsonl")["t"]
    assert (facts.rows, facts.read.lines) == (2, True)


@pytest.mark.parametrize(
    "content", [{"a": [1, 2], "b": ["x", "y"]}, {"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}}]
)
def test_an_object_of_columns_is_a_table(tmp_path: Path, content: dict[str, Any]) -> None:
    facts = facts_of(tmp_path, content)["t"]
    assert (facts.rows, names(facts), facts.read.by_column) == (2, ["a", "b"], True)


def test_numbers_that_are_texts_need_cleaning(tmp_path: Path) -> None:
    column = facts_of(tmp_path, [{"v": "12"}, {"v": "30"}])["t"].columns[0]
    assert (column.kind, column.notation, column.mean) == ("integer", "thousands", 21)


@pytest.mark.parametrize(
    ("content", "reason"),
    [("{broken", "json_malformed"), ("[1, 2, 3]", "json_without_records"), ('"words"', "json_without_records")],
)
def test_json_without_a_table_says_what_is_missing(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(FileUnreadable) as refused:
        facts_of(tmp_path, content)
    assert refused.value.detail == reason


def test_parquet_columns_keep_their_types(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame(
        {
            "n": [1, None, 3],
            "f": [1.5, 2.5, None],
            "s": ["a", "b", "a"],
            "d": [date(2021, 1, 1), None, date(2021, 1, 3)],
            "m": [datetime(2021, 1, 1, 5), None, None],  # noqa: DTZ001
            "b": [True, False, None],
            "l": [[1], [2], [3]],
            " odd\nname ": ["1", "2", "3"],
        }
    ).write_parquet(path)
    profile = profile_file(path, "t.parquet")
    facts = profile.datasets[0].facts
    assert (profile.kind, facts.rows, facts.read.renamed) == ("parquet", 3, True)
    assert {column.name: (column.kind, column.notation, column.missing) for column in facts.columns} == {
        "n": ("integer", "plain", 1),
        "f": ("number", "plain", 1),
        "s": ("text", "plain", 0),
        "d": ("date", "date_text", 1),
        "m": ("datetime", "plain", 2),
        "b": ("boolean", "plain", 1),
        "l": ("text", "plain", 0),
        "odd name": ("integer", "thousands", 0),
    }
    assert profile.datasets[0].values["s"].values == ("a", "b")
