"""The refusal of a question that is not understood: what was recognised, what was not, and what can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.suggesting import suggestions
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

COLUMNS = 8
"""Most columns that a refusal names; nobody reads more."""
WORDS = 12
"""Most words of the question that a refusal repeats."""
_ALIKE = 70.0


def declined(
    readings: Sequence[GrammarReading], language: Language, datasets: Sequence[DatasetFacts], *, nearest: str = ""
) -> NotUnderstood:
    """Return the refusal of a question whose best readings are these; `nearest` says what the best understands."""
    if not datasets:
        params = {"words": "", "columns": ""}
        return NotUnderstood(understood=(), reason="reading.no_table", params=params, suggestions=())
    best = readings[0] if readings else None
    named = best.named if best is not None else ()
    unread = tuple(dict.fromkeys(best.unread)) if best is not None else ()
    hints = suggestions(language, datasets, named)
    comma = text("words.comma", language)
    understood = (nearest,) if nearest else named
    if not unread:
        reason = "offer.lost" if nearest else "reading.no_family"
        params = {"columns": comma.join(_nearest(datasets, "", named))}
        return NotUnderstood(understood=understood, reason=reason, params=params, suggestions=hints)
    words = comma.join(unread[:WORDS]) + (" …" if len(unread) > WORDS else "")
    columns = comma.join(_nearest(datasets, " ".join(unread), named))
    return NotUnderstood(
        understood=understood, reason="reading.words_unknown", params={"words": words, "columns": columns},
        suggestions=hints,
    )  # fmt: skip


def _nearest(datasets: Sequence[DatasetFacts], unread: str, named: Sequence[str]) -> list[str]:
    """Return the columns named, then those spelled most like the unread words, then the others."""
    every = [column.name for facts in datasets for column in facts.columns]
    alike = {name: fuzz.partial_ratio(unread.lower(), name.lower()) for name in every} if unread else {}
    near = sorted((name for name in alike if alike[name] >= _ALIKE), key=lambda name: -alike[name])
    said = [name for name in named if name in every]
    return list(dict.fromkeys([*said, *near, *every]))[:COLUMNS]
