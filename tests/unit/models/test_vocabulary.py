"""What a language model is told of the words of a tenant."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.analyst.facts import SALES

from tablewright.domain.message import TextPart
from tablewright.domain.task import AnalyzeTable
from tablewright.domain.vocabulary import Word
from tablewright.models.dialogue import first_turn

WORDS = (Word(phrase="GMV", meaning="amount"), Word(phrase="big order", meaning='amount over 1000 "x"'))


def told(question: str) -> str:
    """Return what the first turn says."""
    task = AnalyzeTable(question=question, language="en", datasets=(replace(SALES, words=WORDS),) * 2)
    return "".join(part.text for part in first_turn(task).parts if isinstance(part, TextPart))


def test_the_words_of_the_question_are_told_once_and_quoted() -> None:
    assert told("gmv of big  orders").count('"GMV" = "amount"') == 1
    assert '"big order" = "amount over 1000 \\"x\\""' in told("how much is a Big Order")


def test_other_words_are_not_told() -> None:
    assert "GMV" not in told("how many rows")
    assert "What words" not in told("how many rows")
