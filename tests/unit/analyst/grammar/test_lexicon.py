"""The vocabulary: forms in both languages, several meanings of one form."""

from __future__ import annotations

import json
from importlib.resources import files

from tests.unit.analyst.grammar.clinic import seen

from tablewright.analyst.grammar import lexicon
from tablewright.analyst.grammar.lexicon import LANGUAGES, entries, words
from tablewright.analyst.grammar.naming import phrases
from tablewright.analyst.linking.tokens import tokenize


def test_both_languages_have_words_of_every_important_type() -> None:
    wanted = {"not", "compare", "count", "aggregate", "superlative", "each", "share", "missing", "wh", "chart"}
    for language in LANGUAGES:
        text = files(lexicon).joinpath(f"{language}.json").read_text(encoding="utf-8")
        assert wanted <= {row["type"] for row in json.loads(text)["entries"]}


def test_a_form_may_have_several_meanings() -> None:
    assert {entry.type for entry in entries()["most",]} >= {"superlative", "aggregate"}


def test_longer_forms_are_found_beside_the_words_in_them() -> None:
    found = {(word.type, word.end - word.start) for word in words(tokenize("no more than 5"))}
    assert ("compare", 3) in found
    assert ("not", 1) in found


def test_characters_of_a_chinese_form_stand_together() -> None:
    assert "aggregate" in {word.type for word in words(tokenize("平均金额"))}
    assert not [word for word in words(tokenize("平、均")) if word.end - word.start > 1]


def test_what_is_said_exists_in_both_languages() -> None:
    assert phrases("en").keys() == phrases("zh").keys()


def test_a_question_is_linked_to_columns_and_cells() -> None:
    found = seen("total fee of Dr Novak")
    assert [link.column.name for link in found.links if link.score == 1.0] == ["fee"]
    assert any(("vet", "Dr Novak") in cell.places for cell in found.cells)


def test_a_sign_is_a_word_of_a_form() -> None:
    assert "share" in {word.type for word in words(tokenize("what % of visits"))}
    assert "share" not in {word.type for word in words(tokenize("what is the fee of cats"))}
