"""Whatever is said, reading it never breaks."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.unit.analyst.operating.instructing.shop import reading

_SUITES = sorted((Path(__file__).parents[4] / "suites").glob("edits-*/suite.jsonl"))
_PROMPTS = [json.loads(line)["prompt"] for suite in _SUITES for line in suite.read_text("utf-8").splitlines()]
_STRANGE = (
    "²",
    "½",
    "٣",
    "①",
    "A²",
    "B٣",
    "[",
    "=",
    "“",
    "()",
    "A1:",
    "$",
    "0",
    "9" * 400,
    "１２",
    "２０２５年底",
    "\u200b",
)
_COUNT = 24


def _pieces(seed: int) -> str:
    """Return pieces of instructions with strange signs among them."""
    chance = random.Random(seed)
    found: list[str] = []
    for _ in range(chance.randint(1, 3)):
        said = chance.choice(_PROMPTS)
        start = chance.randrange(len(said))
        found += [said[start : start + chance.randint(3, 30)], chance.choice(_STRANGE)]
    return chance.choice((" ", "")).join(found)


@pytest.mark.parametrize("seed", range(_COUNT))
def test_pieces_of_instructions_never_break(seed: int) -> None:
    said = _pieces(seed)
    found = reading(said)
    assert found is None or found.cost < float("inf"), said


def test_digits_that_are_no_numbers_are_read_as_signs() -> None:
    found = reading("New column Area m² = Price x Cost")
    assert found is not None
    assert found.ops[0].parameters["formula"] == "=[Price]*[Cost]"
