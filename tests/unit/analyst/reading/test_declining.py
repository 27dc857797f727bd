"""What is not understood is said, with what can be asked instead."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import NORTH, SHOPS, Values, refusal_for

from tablewright.analyst.base import Understood
from tablewright.analyst.reading import read
from tablewright.analyst.suggesting import suggestions
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text


@pytest.mark.parametrize(
    "question",
    ["What colour is the sky on Tuesday?", "Write me a poem about bread.", "Why does the wind blow so loudly tonight?"],
)
async def test_a_question_about_something_else_is_declined(question: str) -> None:
    refusal = await refusal_for(question)
    assert refusal.suggestions


async def test_a_refusal_has_words_in_both_languages() -> None:
    refusal = await refusal_for("What colour is the sky on Tuesday?")
    for language in ("zh", "en"):
        assert "Revenue" in text(refusal.reason, language, **refusal.params)


async def test_columns_are_listed_as_the_language_does_it() -> None:
    reading = await read("明天会下雨吗？", "zh", (SHOPS,), Values())
    assert not isinstance(reading, Understood)
    assert "、" in str(reading.params["columns"])
    assert ", " not in str(reading.params["columns"])


async def test_of_many_unknown_words_each_is_told_once_and_the_first_only() -> None:
    refusal = await refusal_for("Why? " * 500 + " ".join(f"zyx{letter}" for letter in "abcdefghijklmnop") + "?")
    told = str(refusal.params["words"]).split()
    assert len(told) == len(set(told)) == 13
    assert told[-1] == "…"


async def test_without_a_table_nothing_is_read() -> None:
    reading = await read("How many rows are there?", "en", (), Values())
    assert not isinstance(reading, Understood)
    assert reading.reason == "reading.no_table"


@pytest.mark.requirement("analyst-suggestions-understood")
@pytest.mark.parametrize(("language", "facts"), [("en", SHOPS), ("zh", SHOPS), ("zh", NORTH)])
async def test_every_suggestion_is_understood(language: Language, facts: DatasetFacts) -> None:
    offered = suggestions(language, [facts])
    assert 2 <= len(offered) <= 3
    for question in offered:
        assert isinstance(await read(question, language, (facts,), Values()), Understood), question
