"""Cells that name amounts: `总收入`, `支出最多的类别` where income and expense are kinds of rows and one column holds
the amounts."""

from __future__ import annotations

import re

from tablewright.analyst.linking.lexicon import additivity
from tablewright.analyst.linking.mentions import AnyMention, ColumnMention, ValueMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.parse import Parse

_STATES = ("余额", "结余", "balance", "目标", "预算", "target", "budget")
_SURE = 0.9
_KINDS = re.compile(r"哪些[？?。]?$")


def name_amounts(parse: Parse) -> None:
    """Add a mention of the only column of amounts if the question names a cell that is called like an amount, but no
    numeric column, and does not ask which kinds there are."""
    amounts = [
        column.name
        for column in parse.table.facts.columns
        if aggregate_for(column) == "sum" and not column.name.strip().lower().endswith(_STATES)
    ]
    if (
        len(amounts) != 1
        or _KINDS.search(parse.question.strip())
        or any(isinstance(mention, ColumnMention) and parse.numeric_reading(mention) for mention in parse.mentions)
    ):
        return
    named = [mention for mention in parse.mentions if isinstance(mention, ValueMention) and _flow(parse, mention)]
    marks: list[AnyMention] = [
        ColumnMention(start=mention.end - 1, end=mention.end, score=_SURE, column=amounts[0]) for mention in named[:1]
    ]
    parse.mentions = sorted([*parse.mentions, *marks], key=lambda mention: (mention.start, mention.end))


def _flow(parse: Parse, mention: ValueMention) -> bool:
    column, value = mention.places[0]
    said = "".join(lemmas(value))
    return mention.how == "exact" and said in additivity().sums and repeats(parse, column)
