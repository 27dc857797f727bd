"""`tablewright words`: a question in the words of a trade, before and after they are taught."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.commands import Commands

QUESTION = "total GMV by city"


@pytest.fixture
def takings(tmp_path: Path) -> Path:
    """Return a table of two cities with three columns of numbers."""
    path = tmp_path / "takings.csv"
    rows = (f"{city},{n},{n % 7},{n % 11}\n" for n, city in enumerate(["Bonn", "Cork"] * 20))
    path.write_text("city,takings,cost,weight\n" + "".join(rows), encoding="utf-8")
    return path


async def cities(commands: Commands, table: Path) -> list[list[object]] | None:
    """Ask for the total by city; return the rows of the answer, or None where it is no such answer."""
    said = await commands.run("ask", str(table), QUESTION, "--json")
    result = json.loads(said.out)["result"]
    rows: list[list[object]] | None = None if result is None else result["rows"]
    return rows


@pytest.mark.requirement("words-are-taught")
async def test_a_word_that_is_taught_is_understood_until_it_is_removed(commands: Commands, takings: Path) -> None:
    sums = [["Bonn", sum(range(0, 40, 2))], ["Cork", sum(range(1, 40, 2))]]
    before = await cities(commands, takings)
    assert before is None or sorted(map(list, before)) != sums
    added = await commands.run("words", "add", "GMV = takings", "goods = no such thing")
    assert (added.code, "GMV = takings" in added.out) == (0, True), added.err
    assert "no such thing" in added.err
    assert "takings" not in added.err
    assert sorted(map(list, await cities(commands, takings) or [])) == sums
    listed = json.loads((await commands.run("words", "list", "--json")).out)
    assert [(word["kind"], word["phrase"], word["meaning"]) for word in listed] == [
        ("word", "GMV", "takings"),
        ("word", "goods", "no such thing"),
    ]
    await commands.run("words", "remove", *(word["id"] for word in listed))
    assert json.loads((await commands.run("words", "list", "--json")).out) == []
    refused = await commands.run("words", "add", "no sign")
    assert refused.code != 0
    assert 'GMV = revenue"' in refused.err
