"""Numbers of a report have the sign of their column, and those of one kind the same number of digits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.reporting.rounds import ORDERS, report, task, texts

from tablewright.analyst.reporting.figures import Figures, numbers


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([1286.49, 535.47, 466.505], ["1,286.49", "535.47", "466.50"]),
        ([5.5, 3.0, 12.25], ["5.50", "3.00", "12.25"]),
        ([18.0, 24.5], ["18.0", "24.5"]),
        ([34960.5, 17768.4], ["34,960", "17,768"]),
        ([0.99872, 0.999], ["0.999", "0.999"]),
        ([3, 500], ["3", "500"]),
        ([7.5, 0.0012], ["7.500", "0.001"]),
        ([float("nan")], ["nan"]),
        ([], []),
    ],
)
def test_numbers_of_one_kind_have_as_many_digits_as_each_other(values: list[float], written: list[str]) -> None:
    assert numbers(values) == written


def test_money_has_two_digits_behind_the_point_or_none() -> None:
    figures = Figures(units={"paid": "$", "Umsatz": "€"}, money=frozenset({"paid", "Umsatz"}))
    assert figures.alike("paid", [587.4, 12.0]) == ["$587.40", "$12.00"]
    assert figures.alike("Umsatz", [761572.3, 5000]) == ["€761,572", "€5,000"]
    assert figures.one("paid", -3.5) == "-$3.50"


DIFFERENCE: dict[str, Any] = {
    "group": "region", "column": "amount", "p": 1e-9, "explained": 0.4, "rows": 90, "apart": "N", "count": 40,
    "middle": "median", "value": 5.05, "others": 3.0, "middles": [["N", 5.05], ["S", 3.0], ["E", 0.99]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("notation", "unit", "written"),
    [("percent", "%", ("5.05%", "3.00%", "0.99%")), ("currency", "¥", ("¥5.05", "¥3.00", "¥0.99"))],
)
async def test_a_finding_and_its_table_keep_the_sign_that_the_cells_have(
    notation: Any, unit: str, written: tuple[str, ...]
) -> None:
    columns = [replace(one, notation=notation, unit=unit) if one.name == "amount" else one for one in ORDERS.columns]
    said, _ = await report(
        task(datasets=(replace(ORDERS, columns=tuple(columns)),)),
        texts(differences={"tests": 2, "differences": [DIFFERENCE], "shares": []}),
    )
    content = said["action"]["content"]
    assert f"a median of {written[0]}, of the others {written[1]}" in content
    assert "| N | {} |\n| S | {} |\n| E | {} |".format(*written) in content
