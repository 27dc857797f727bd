"""What is known before any reading that makes a right one more or less likely: the question's length, the tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tablewright.analyst.linking.tokens import lemmas
from tablewright.domain.dataset import DatasetFacts

MOST_WORDS = 30
MOST_COLUMNS = 30
"""Longer questions and wider tables than were learned from count as these."""


def circumstances(question: str, datasets: Sequence[DatasetFacts]) -> dict[str, float]:
    """Return the evidence by name: sizes as logarithms, and the share of columns with irregular cells."""
    columns = [column for facts in datasets for column in facts.columns]
    dirty = sum(
        bool(any(one.kind != "absent" for one in column.irregular) or column.clean or column.kind == "mixed")
        for column in columns
    )
    return {
        "asked:words": math.log1p(min(len(lemmas(question)), MOST_WORDS)),
        "tables:columns": math.log1p(min(len(columns), MOST_COLUMNS)),
        "tables:several": float(len(datasets) > 1),
        "tables:irregular": dirty / max(1, len(columns)),
    }
