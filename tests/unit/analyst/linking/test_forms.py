"""The forms of a vocabulary, which are read without making tokens where that comes to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.analyst.linking.text import fold, fold_character
from tablewright.analyst.linking.tokens import form_of, tokenize

TEXTS = st.text(
    st.sampled_from("ab sSé三侯豈１2%-_.,'’\t\u3000ſKﬁ") | st.characters(exclude_categories=["Cs"]), max_size=8
)


@given(TEXTS)
def test_a_form_has_the_lemmas_of_its_tokens(text: str) -> None:
    assert form_of(text, lambda token: token.kind != "mark") == tuple(
        token.lemma for token in tokenize(text) if token.kind != "mark"
    )
    assert form_of(text, lambda _: True) == tuple(token.lemma for token in tokenize(text))


@pytest.mark.parametrize(
    ("text", "form"),
    [("total sales", ("total", "sale")), ("销售额", ("销", "售", "额")), ("year-end", ("year", "end")), ("", ())],
)
def test_words_characters_and_what_stands_between_them(text: str, form: tuple[str, ...]) -> None:
    assert form_of(text, lambda token: token.kind != "mark") == form


@given(TEXTS)
def test_a_text_is_folded_character_by_character(text: str) -> None:
    assert fold(text) == "".join(map(fold_character, text))
