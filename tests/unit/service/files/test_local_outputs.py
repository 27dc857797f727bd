"""Where results may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.errors import OutputRefused
from tablewright.service.files.local_outputs import check_name, check_target


@pytest.mark.parametrize("name", ["sales.csv", "Sales.csv", "./SALES.CSV"])
def test_a_result_beside_its_input_does_not_have_its_name_in_any_spelling(tmp_path: Path, name: str) -> None:
    source = tmp_path / "sales.csv"
    source.write_text("a\n1\n")
    with pytest.raises(OutputRefused) as refused:
        check_target(str(tmp_path / name), [source])
    assert (refused.value.detail, refused.value.field) == ("output_is_input", "output_path")


def test_a_result_in_another_folder_may_be_called_like_its_input(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    source = tmp_path / "sales.csv"
    source.write_text("a\n1\n")
    assert check_target(str(tmp_path / "out" / "sales.csv"), [source]) == tmp_path / "out" / "sales.csv"


def test_a_name_alone_must_not_be_that_of_an_input() -> None:
    check_name("totals.csv", ["sales.csv", None])
    with pytest.raises(OutputRefused):
        check_name("deep/down/Sales.csv", ["totals.csv", "sales.csv"])
