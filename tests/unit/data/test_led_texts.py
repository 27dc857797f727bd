"""What the first column of a text file says of a block of rows holds for those below, as in a workbook."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table_facts import Irregularity

DAYS = "Day,Kind,Count\n1 May,adult,3\n,child,4\n2 May,adult,5\n,child,1\n,dog,2\n3 May,adult,8\n,child,9\n"


def facts(folder: Path, text: str) -> DatasetFacts:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8")
    return profile_file(path, path.name).datasets[0].facts


def test_the_empty_cells_of_a_block_are_filled_and_counted(tmp_path: Path) -> None:
    found = facts(tmp_path, DAYS)
    assert found.read.fill_down == ("Day",)
    assert (found.columns[0].missing, found.columns[0].distinct) == (0, 3)
    assert Irregularity(kind="merged", cells=4, examples=()) in found.columns[0].irregular
    assert [row[0] for row in found.sample.rows] == ["1 May", "1 May", "2 May", "2 May", "2 May"]


@pytest.mark.parametrize(
    "text",
    [
        DAYS.replace("\n,child,4", "\n  ,child,4"),
        DAYS.replace("2 May", "NA"),
        DAYS.replace("3 May", "1 May"),
        DAYS.replace("1 May", ""),
        "Name,Group,Score\na,x,1\nb,y,2\nc,z,3\n,w,4\n",
        "Email,Name,City\na@x.org,,\n,,Bern\nb@x.org,,\n,Ann,\nc@x.org,,Rome\n,Bo,\n",
    ],
)
def test_cells_that_are_not_said_once_per_block_stay_empty(tmp_path: Path, text: str) -> None:
    assert facts(tmp_path, text).read.fill_down == ()
