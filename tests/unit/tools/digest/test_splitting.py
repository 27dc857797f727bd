"""Long texts are divided at their natural borders, and nothing of them is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablewright.models.tokens import estimate_text
from tablewright.tools.digest.splitting import fitting, pieces_of

TEXTS = st.text(alphabet="ab 茶叶。.!\n\r\f#1é", max_size=400)


@given(TEXTS, st.floats(min_value=1.0, max_value=60.0))
def test_the_pieces_are_the_text_and_none_is_larger_than_the_budget(text: str, budget: float) -> None:
    pieces = pieces_of(text, budget, estimate_text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(estimate_text(piece.text) <= budget + 1e-6 for piece in pieces)


@given(TEXTS, st.floats(min_value=1.0, max_value=60.0))
def test_the_place_of_each_piece_is_where_it_stands(text: str, budget: float) -> None:
    for piece in pieces_of(text, budget, estimate_text):
        span = piece.span
        assert text[span.start : span.stop] == piece.text
        before = text[: span.start].replace("\r\n", "\n").replace("\r", "\n")
        if not (text[: span.start].endswith("\r") and piece.text.startswith("\n")):
            assert span.first_line == before.count("\n") + 1
        assert span.first_page == (text[: span.start].count("\f") + 1 if "\f" in text else None)
        assert span.first_line <= span.last_line


def test_pages_go_before_headings_headings_before_paragraphs_and_those_before_lines() -> None:
    lines = "word word word word\n" * 3
    for border in ("\f", "\n# Two\n", "\n", ""):
        text = lines + "one more\n" + border + lines
        first = pieces_of(text, estimate_text(text) - 1, estimate_text)[0]
        wanted = lines + "one more\n" + (border if border in {"\f", "\n"} else border[:1])
        assert first.text == wanted or border == ""
        assert first.text.endswith(("\n", "\f"))


def test_a_line_longer_than_a_piece_is_divided_at_sentences_and_a_word_only_where_it_must() -> None:
    pieces = pieces_of("Tea rose by far. Coffee fell a little. " * 20, 20, estimate_text)
    assert all(piece.text.rstrip().endswith(".") for piece in pieces)
    assert {piece.span.first_line for piece in pieces} == {1}
    whole = pieces_of("x" * 1_000, 20, estimate_text)
    assert len(whole) > 10


def test_of_too_many_pieces_those_are_read_that_have_the_words_of_the_question() -> None:
    text = "".join(f"line {number} about {'tea' if number == 70 else 'nothing'}\n" for number in range(100))
    pieces = pieces_of(text, 20, estimate_text)
    chosen = fitting(pieces, "how much tea?", 3)
    assert len(chosen) == 3
    assert any("tea" in piece.text for piece in chosen)
    assert [piece.span.start for piece in chosen] == sorted(piece.span.start for piece in chosen)
    assert fitting(pieces, "tea", len(pieces)) == pieces
