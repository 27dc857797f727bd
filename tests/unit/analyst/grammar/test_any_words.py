"""Whatever columns are called and whatever is asked about them: readings, or none, and no error."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.analyst.grammar.clinic import BILLS, VISITS, Words

from tablewright.analyst.grammar import readings
from tablewright.analyst.grammar.lexicon import entries
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import language_of

MOST = 10
ODD = st.sampled_from(
    [
        "Area (km2, 2011)",
        ",",
        "%",
        "¥",
        "A/B",
        "'",
        '"',
        "Δ",
        "1,000",
        "- ",
        "No.",
        "金额（元）",
        "占比%",
        "2024年",
        "x_y",
        "…",
    ]
)
NAMES = st.one_of(ODD, st.text(min_size=1, max_size=12).filter(str.strip))
FORMS = st.sampled_from(sorted(" ".join(form) for form in entries()))
NUMBERS = st.sampled_from(
    ["5", "1,200", "50%", "¥80", "3.5万", "二十", "half a million", "2024", "May 2024", "24 hours", "'7"]
)


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, DatasetFacts]:
    """Return a question made of words of the lexicon, numbers and names of columns, and its table."""
    table = draw(st.sampled_from([VISITS, BILLS]))
    names = draw(st.lists(NAMES, min_size=1, max_size=len(table.columns), unique=True))
    columns: list[ColumnFacts] = [
        replace(column, name=name) for column, name in zip(table.columns, names, strict=False)
    ]
    words = draw(st.lists(st.one_of(FORMS, NUMBERS, st.sampled_from(names), ODD), min_size=1, max_size=9))
    joined = draw(st.sampled_from([" ", "", ", "])).join(words)
    return joined, replace(table, columns=tuple(columns))


@settings(max_examples=60)
@given(asked())
def test_any_words_about_any_columns_have_readings_or_none(drawn: tuple[str, DatasetFacts]) -> None:
    question, table = drawn
    found = asyncio.run(readings(question, language_of(question), [table], Words(), most=MOST))
    assert len(found) <= MOST
    assert all(reading.said for reading in found)
