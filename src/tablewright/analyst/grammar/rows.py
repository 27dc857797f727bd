"""What the rows of a table are called: by its name, its file and the column that numbers them."""

from __future__ import annotations

from functools import lru_cache

from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.row_noun import row_noun

_NUMBERS = frozenset({"id", "no", "number", "ref", "code", "nr", "num", "reference"})
_HAN_NUMBERS = ("编号", "单号", "号码", "号", "编码", "码")


def row_words(facts: DatasetFacts) -> frozenset[str]:
    """Return the words, as lemmas, for the rows of a table."""
    return frozenset({*lemmas(facts.name), *lemmas(row_noun(facts) or ""), *numbered(facts)})


def numbered(facts: DatasetFacts) -> list[str]:
    """Return what a column numbers that has another number in each row: `job` of Job No, 工单 of 工单号."""
    found: list[str] = []
    for column in facts.columns:
        if not column.distinct or column.distinct < facts.rows - column.missing:
            continue
        words = lemmas(column.name)
        if words and is_han(words[0][0]):
            found += _han_numbered("".join(words))
        elif len(words) > 1 and words[-1] in _NUMBERS:
            found += words[:-1]
    return found


@lru_cache(maxsize=256)
def _han_numbered(name: str) -> tuple[str, ...]:
    ending = next((one for one in _HAN_NUMBERS if name.endswith(one)), None)
    return () if ending is None else tuple(name.removesuffix(ending))
