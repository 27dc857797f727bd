"""`Histogram of pages with bins of 100`, `年龄的直方图`: a numeric column cut into bins of equal width."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.plan import Col, Lit, Math, Named
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.parse import Parse

_WIDTH = re.compile(
    r"\b(?:bins?|buckets?|intervals?|bands?|steps?) (?:size |width )?of (?:size |width )?|每隔?|间隔为?|组距为?"
)
_HISTOGRAM = re.compile(r"\bhistogram\b|直方图")
_BINS = 10
_MANY = 20
_STEPS = (1, 2, 5, 10)


def in_bins(parse: Parse, columns: Sequence[str]) -> Named | None:
    """Return the single column drawn, with each number replaced by the lower end of its bin; None if it has few
    distinct values."""
    question = parse.question.lower()
    if len(columns) != 1 or columns[0] not in {facts.name for facts in parse.table.facts.columns}:
        return None
    facts = parse.facts(columns[0])
    said = next((number for number in parse.free(NumberMention) if _is_width(parse, number)), None)
    wanted = said is not None or (_HISTOGRAM.search(question) is not None and (facts.distinct or 0) > _MANY)
    low, high = facts.minimum, facts.maximum
    measures = parse.numeric(facts.name) and not identifying(facts.name, low, high)
    if not wanted or not measures or not isinstance(low, int | float) or not isinstance(high, int | float):
        return None
    width = said.value if said is not None else _even((high - low) / _BINS)
    parse.take(said, *parse.words("bin", "each"))
    rest = Math(op="%", left=Col(name=facts.name), right=Lit(value=width))
    return Named(name=facts.name, of=Math(op="-", left=Col(name=facts.name), right=rest))


def _is_width(parse: Parse, number: NumberMention) -> bool:
    before = parse.question[: parse.tokens[number.start].start].lower()
    return any(match.end() == len(before) for match in _WIDTH.finditer(before))


def _even(width: float) -> int | float:
    """Return the next larger round width: 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(width)) if width > 0 else 1
    step = next(step for step in _STEPS if step * power >= width)
    return step * power
