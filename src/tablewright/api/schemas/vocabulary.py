"""The words of a tenant over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from tablewright.api.schemas.native import WireModel
from tablewright.domain.vocabulary import LONGEST_MEANING, LONGEST_PHRASE


class NewWord(WireModel):
    """A word or phrase, and what it stands for: a column, a value, a test (`amount over 1000`) or a formula."""

    phrase: Annotated[str, Field(min_length=1, max_length=LONGEST_PHRASE)]
    meaning: Annotated[str, Field(min_length=1, max_length=LONGEST_MEANING)]


class WordOut(WireModel):
    """A word with its meaning, or (`kind: reading`) a question with the reading that was chosen for it."""

    id: str
    kind: Literal["word", "reading"]
    phrase: str
    meaning: str
    created_at: datetime
    created_by: str


class KeptWordOut(WordOut):
    """A word as it is kept. `found`: a file of the caller has a column or a value that the meaning names."""

    found: bool


class WordsOut(WireModel):
    """All words and chosen readings of the tenant, the oldest first."""

    items: list[WordOut]
