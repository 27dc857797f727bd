"""Links a question to one table: finds all mentions and the best choice among overlapping ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.columns import ColumnName, column_names, columns
from tablewright.analyst.linking.mentions import (
    AnyMention,
    ColumnMention,
    RowsMention,
    TableMention,
    ValueMention,
    WordMention,
    choose,
)
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.phrases import rows, words
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, lemmas, quoted_spans
from tablewright.analyst.linking.values import TextColumn, values
from tablewright.analyst.linking.vocabulary import worded_values
from tablewright.analyst.plan import Relation
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_TOTAL = re.compile(
    r"(?:(?:grand|sub|career|overall)[ -]?)?totals?(?: \(.*\))?:?|[\w.'-]+ totals|career|合计|总计|小计", re.IGNORECASE
)
_PART = re.compile(
    r"(?:sub)?totals?(?: (?:of|for))?[ :：-]+(?P<after>.+)|(?P<before>.+?)[ :：-]*(?:\b(?:sub)?totals?|小计|合计|总计)"
    r"|(?:小计|合计)[ :：-]*(?P<named>.+)",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b\.?", re.IGNORECASE)
_LABELS = 3
_NEAR = 3
_DETERMINERS = frozenset({"the", "many", "of", "which", "what", "all", "each", "a", "these", "those"})
_SEVERAL = 5
"""With fewer distinct cells than this, a part that most cells share may still mean one of them."""
_READ_BY_EYE = 1000
"""In tables with more rows than this, a cell called total is more likely a name."""
_SURE = 0.9
_SURE_IN_PART = 0.7
"""Score at which a Chinese count noun that ends a column's name (`参会人数`) still names the column."""
_ALSO_NOUNS = frozenset({"mode", "range"})
_HEADS = frozenset(
    {"score", "value", "amount", "mark", "result", "level", "reading", "point", "number", "figure", "medal"}
)
_NUMBERS = frozenset({"number", "integer"})
_TEXT = frozenset({"text", "mixed", "boolean"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedTable:
    """A table and the question's mentions of it; `relation` is set if the table is made of several data sets."""

    facts: DatasetFacts
    names: tuple[ColumnName, ...]
    mentions: tuple[AnyMention, ...]
    candidates: tuple[AnyMention, ...]
    relation: Relation | None = None
    totals: TextColumn | None = None
    """The label column that also holds total rows, with the labels of those rows."""

    def column(self, name: str) -> ColumnFacts:
        """Return the facts of a column. Raises KeyError if the table has no such column."""
        for column in self.facts.columns:
            if column.name == name:
                return column
        raise KeyError(name)


async def link(
    question: str, tokens: tuple[Token, ...], facts: DatasetFacts, lookup: ValueLookup, tables: tuple[TableMention, ...]
) -> LinkedTable:
    """Link `question` to the table `facts`; `tables` are mentions of words that only name tables."""
    names = column_names(facts.columns)
    text_columns = [await _text_column(facts, column, lookup) for column in facts.columns if _holds_words(column)]
    dated = any(column.kind in {"date", "datetime"} or tells_months(column) for column in facts.columns)
    candidates: list[AnyMention] = [
        *columns(tokens, names),
        *values(tokens, text_columns, quoted_spans(question, tokens)),
        *worded_values(tokens, facts.words, text_columns),
        *numbers(tokens),
        *(period for period in periods(question, tokens) if period.low is not None or dated),
        *words(tokens),
        *rows(tokens),
        *tables,
    ]
    candidates = [
        _noun(mention, tokens, facts)
        for mention in candidates
        if not _counted(mention, candidates, tokens, facts) and not _only_counts(mention, candidates, tokens)
    ]
    chosen = _heads_dropped(_kinds_told(_parts_dropped(choose(candidates, tokens)), tokens, facts), tokens, facts)
    return LinkedTable(
        facts=facts,
        names=names,
        mentions=tuple(chosen),
        candidates=tuple(candidates),
        totals=total_lines(facts, text_columns),
    )


def _holds_words(column: ColumnFacts) -> bool:
    """Return whether cells of a column are words: all of them, or marks among its values."""
    return column.kind in _TEXT or (column.clean is not None and bool(column.clean.marks))


def tells_months(column: ColumnFacts) -> bool:
    """Return whether most sample texts of a column contain the name of a month (`Thu., Feb. 6`, `December 13`)."""
    told = [str(sample) for sample in column.samples if sample is not None]
    named = [sample for sample in told if _MONTH.search(sample)]
    return column.kind in {"text", "mixed"} and len(named) * 2 > len(told)


def total_lines(facts: DatasetFacts, text_columns: Sequence[TextColumn]) -> TextColumn | None:
    """Return the label column and labels of total rows within the table; None if there are none."""
    labels = {column.name for column in facts.columns[:_LABELS]}
    for column in text_columns if facts.rows <= _READ_BY_EYE else ():
        parts = _parts_totalled(column.values)
        said = {value for value in column.values if _TOTAL.fullmatch(value.strip())} - parts
        said -= set(facts.read.named_totals)
        if (said or parts) and column.column in labels and len(said) < (len(column.values) - len(parts)) / 2:
            return TextColumn(
                column=column.column, values=tuple(value for value in column.values if value in said | parts)
            )
    return None


def _parts_totalled(cells: Sequence[str]) -> set[str]:
    """Return the cells that name the total of another cell of the column: `Subtotal North` and `North 小计` beside
    `North`."""
    known = {cell.strip().casefold() for cell in cells}
    found = ((cell, _PART.fullmatch(cell.strip())) for cell in cells)
    return {
        cell for cell, part in found if part and (part["after"] or part["before"] or part["named"]).casefold() in known
    }


def _parts_dropped(chosen: list[AnyMention]) -> list[AnyMention]:
    """Turn a word after a fully named cell into a row noun if it is only part of another cell of that column:
    `organic search` is Organic, not Paid Search."""
    whole = {
        (mention.end, column)
        for mention in chosen
        if isinstance(mention, ValueMention) and mention.how == "exact"
        for column, _ in mention.places
    }
    return [
        RowsMention(start=mention.start, end=mention.end, score=mention.score, column=None)
        if isinstance(mention, ValueMention)
        and mention.how == "contained"
        and any((mention.start, column) in whole for column, _ in mention.places)
        else mention
        for mention in chosen
    ]


def _kinds_told(chosen: list[AnyMention], tokens: tuple[Token, ...], facts: DatasetFacts) -> list[AnyMention]:
    """Turn a word that is part of most cells of a column into the noun for the rows: `how many squadrons` of cells
    such as `601 Squadron`."""
    distinct = {column.name: column.distinct or 0 for column in facts.columns}
    return [
        RowsMention(start=mention.start, end=mention.end, score=mention.score, column=mention.places[0][0])
        if isinstance(mention, ValueMention)
        and mention.how == "contained"
        and mention.end - mention.start == 1
        and len({name for name, _ in mention.places}) == 1
        and tokens[mention.start].text.islower()
        and mention.start > 0
        and tokens[mention.start - 1].norm in _DETERMINERS
        and _SEVERAL <= distinct[mention.places[0][0]] <= 2 * len(mention.places)
        else mention
        for mention in chosen
    ]


def _heads_dropped(chosen: list[AnyMention], tokens: tuple[Token, ...], facts: DatasetFacts) -> Iterator[AnyMention]:
    """Turn the head noun after a numeric column into a row noun: in `math scores`, `scores` is not a column of its
    own (Grade)."""
    numeric = {column.name for column in facts.columns if column.kind in _NUMBERS}
    ends = {mention.end for mention in chosen if isinstance(mention, ColumnMention) and mention.column in numeric}
    for mention in chosen:
        headed = mention.start in ends and isinstance(mention, ColumnMention) and mention.score < _SURE
        if headed and tokens[mention.start].lemma in _HEADS:
            yield RowsMention(start=mention.start, end=mention.end, score=mention.score, column=None)
        else:
            yield mention


def _counted(mention: AnyMention, every: list[AnyMention], tokens: tuple[Token, ...], facts: DatasetFacts) -> bool:
    """Return whether a count phrase (`quantity of`, `人数`) is really the name of a numeric column."""
    if isinstance(mention, WordMention) and mention.code == "aggregate" and mention.value in _ALSO_NOUNS:
        return any(isinstance(other, ColumnMention) and _same_words(other, mention) for other in every)
    if not isinstance(mention, WordMention) or mention.code != "count":
        return False
    numeric = {column.name for column in facts.columns if column.kind in {"number", "integer"}}
    return any(
        isinstance(other, ColumnMention)
        and other.column in numeric
        and other.score >= (_SURE_IN_PART if is_han(tokens[other.start].norm[0]) else _SURE)
        and mention.start <= other.start
        and other.end <= mention.end
        for other in every
    )


def _only_counts(mention: AnyMention, every: list[AnyMention], tokens: tuple[Token, ...]) -> bool:
    """Return whether a word only looks like a column: Total in `the total number of silver medals`, `no` before a
    word (the sign No. only precedes numbers), or the verb of `count the orders`."""
    if not isinstance(mention, ColumnMention) or mention.end - mention.start != 1:
        return False
    said = tokens[mention.start].norm
    after = tokens[mention.end : mention.end + 3]
    if said == "no" or (said == "count" and mention.start == 0 and mention.score < 1.0):
        return bool(after) and after[0].kind == "word"
    counted = [token.norm for token in after[:2]] in (["number", "of"], ["amount", "of"])
    behind = any(isinstance(other, ColumnMention) and 2 <= other.start - mention.end <= _NEAR for other in every)
    return said == "total" and counted and behind


def _same_words(column: ColumnMention, word: WordMention) -> bool:
    """Return whether a column has exactly this name (`freight by mode` where a column is called Mode)."""
    return column.score == 1.0 and (column.start, column.end) == (word.start, word.end)


def _noun(mention: AnyMention, tokens: tuple[Token, ...], facts: DatasetFacts) -> AnyMention:
    """Turn a word that names a column only in part, but the table or its key in full, into the noun for the rows."""
    if isinstance(mention, TableMention):
        inside = tokens[mention.start : mention.end]
        single = len(inside) == 1 and inside[0].kind == "word" and facts.id in mention.dataset_ids
        return RowsMention(start=mention.start, end=mention.end, score=0.8, column=None) if single else mention
    if not isinstance(mention, ColumnMention) or mention.score >= 0.9 or mention.end - mention.start != 1:
        return mention
    said = tokens[mention.start].lemma
    if said == "medal" and mention.column.lower() == "total":
        return mention  # in a table of medals, this is the column Total
    options = [mention.column, *(column for column, _ in mention.others)]
    if said in lemmas(facts.name) or any(_is_key(facts, column, said) for column in options):
        kinds = {column.name: column for column in facts.columns}
        naming = next(
            (column for column in options if lemmas(column)[-1:] == ("name",) and kinds[column].kind == "text"), None
        )
        return RowsMention(start=mention.start, end=mention.end, score=mention.score + 0.05, column=naming)
    return mention


def _is_key(facts: DatasetFacts, column: str, said: str) -> bool:
    names = lemmas(column)
    known = next(candidate for candidate in facts.columns if candidate.name == column)
    return names[:-1] == (said,) and names[-1] in {"id", "no", "number", "code", "key"} and known.distinct == facts.rows


async def _text_column(facts: DatasetFacts, column: ColumnFacts, lookup: ValueLookup) -> TextColumn:
    known = await lookup.values(facts.profile_ref, column.name)
    cells = known.values if known is not None else tuple(str(cell) for cell in column.samples if cell is not None)
    return TextColumn(column=column.name, values=cells)
