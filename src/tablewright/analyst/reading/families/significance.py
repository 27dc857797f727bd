"""Tests and regressions: `男女员工的月薪是否有显著差异？`, `ANOVA of wage by team`, `A和B做卡方检验`,
`用A和B对C做线性回归`."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, WordMention
from tablewright.analyst.plan import Aggregate, Col, Math, Measure, Named, Part, Procedure, Project, Relation
from tablewright.analyst.reading.parse import Clause, Parse, merged
from tablewright.domain.table import Cell

_OUTCOME = ("为因变量", "作为因变量", "为目标", "作为目标")
_BEFORE_OUTCOME = ("对", "预测", "predict", "predicts", "predicting", "of", "explain")
_SPEAK = ("each", "by", "difference", "relation", "yes", "measure", "carry", "between", "and")
_FEW = 30
_QUARTILES: dict[str, tuple[float, ...]] = {"first": (0.25,), "third": (0.75,), "range": (0.25, 0.75)}


def test(parse: Parse) -> Part | None:
    """Return a test between groups: which one, of which measure, in which groups."""
    said = parse.words("test")
    if not said:
        return None
    builders: dict[str, Callable[[Parse], Part | None]] = {
        "anova": _anova,
        "chi_square": _chi_square,
        "related": _related,
    }
    named = next((word for word in said if word.value != "related"), said[0])
    part = builders.get(named.value, _two_groups)(parse)
    if part is not None:
        means = [word for word in parse.words("aggregate") if word.value == "mean"]
        parse.take(*said, *means, *parse.words(*_SPEAK))
    return part


def _related(parse: Parse) -> Part | None:
    """Return the test that fits two columns: of their correlation, of their independence, or of the groups' means."""
    mentions = [mention for mention in parse.free(ColumnMention) if mention.score >= 0.55]
    columns = list(dict.fromkeys(mention.column for mention in mentions))
    if len(columns) != 2:
        return None
    if not any(parse.numeric(column) for column in columns):
        return _chi_square(parse)
    if not all(parse.numeric(column) for column in columns):
        return _two_groups(parse)
    parse.take(*parse.words("method"))
    return _taken(parse, Procedure(source=parse.source(), name="correlation", columns=tuple(columns)), *mentions)


def regression(parse: Parse) -> Part | None:
    """Return a linear regression with its target and features."""
    said = parse.words("regression")
    mentions = [mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)]
    if len(mentions) < 2:
        return None
    outcome = next((mention for mention in mentions if _is_outcome(parse, mention)), None)
    if outcome is None:
        return None
    names = [parse.numeric_reading(mention) or mention.column for mention in mentions if mention is not outcome]
    target = parse.numeric_reading(outcome) or outcome.column
    features = [name for name in dict.fromkeys(names) if name != target]
    parse.take(*mentions, *said, *parse.words("role"))
    relation = Procedure(
        source=parse.source(),
        name="regression",
        columns=(target, *features),
        options={"model": "linear", "test_share": 0.0},
    )
    return Part(relation=relation) if features else None


def quantile(parse: Parse) -> Part | None:
    """Return a quantile of one column, or its interquartile range."""
    said, value = parse.words("quantile"), _number(parse)
    if value is None:
        return None
    number = re.search(
        r"(\d{1,2}(?:\.\d+)?)\s*(?:%|th|st|nd|rd|百)?\s*(?:分位|percentile|quantile)", parse.question, re.IGNORECASE
    )
    ends = (float(number.group(1)) / 100,) if number else _QUARTILES.get(said[0].value)
    if ends is None:
        return None
    parse.take(value[0], *said, *parse.free(NumberMention))
    name = (
        f"{value[1]}{'' if parse.language == 'zh' else ' '}"
        f"{parse.gap(said[0].start, said[0].end).replace(' ', '' if parse.language == 'zh' else ' ')}"
    )
    of = Col(name=value[1])
    measures = tuple(
        Measure(name=label, function="quantile", of=of, argument=end)
        for label, end in zip((name,) if len(ends) == 1 else ("q1", "q3"), ends, strict=True)
    )
    relation: Relation = Aggregate(source=parse.source(), groups=(), measures=measures)
    if len(ends) == 2:
        distance = Math(op="-", left=Col(name="q3"), right=Col(name="q1"))
        relation = Project(source=relation, columns=(Named(name=name, of=distance),))
    return Part(relation=relation)


def _is_outcome(parse: Parse, mention: ColumnMention) -> bool:
    after = parse.gap(mention.end, min(len(parse.tokens), mention.end + 5)).replace(" ", "")
    before = parse.gap(max(0, mention.start - 2), mention.start).replace(" ", "")
    return after.startswith(_OUTCOME) or before.endswith(_BEFORE_OUTCOME)


def _anova(parse: Parse) -> Part | None:
    group, value = _category(parse), _number(parse)
    if group is None or value is None:
        return None
    return _taken(
        parse, Procedure(source=parse.source(), name="anova", columns=(value[1], group[1])), group[0], value[0]
    )


def _chi_square(parse: Parse) -> Part | None:
    mentions = [mention for mention in parse.free(ColumnMention) if mention.score >= 0.55]
    columns = tuple(dict.fromkeys(mention.column for mention in mentions))
    if len(columns) != 2:
        return None
    return _taken(parse, Procedure(source=parse.source(), name="chi_square", columns=columns), *mentions)


def _two_groups(parse: Parse) -> Part | None:
    """Return a test of two cells named, or of a column with two values; of a column with more, an analysis of
    variance."""
    value = _number(parse)
    pair = next((clause for clause in merged(parse.clauses) if len(clause.values) == 2), None)
    if value is not None and pair is not None:
        return _taken(parse, _between(parse, value[1], pair), value[0])
    group = _category(parse)
    if group is None or value is None:
        return None
    if parse.facts(group[1]).distinct != 2:
        return _anova(parse)
    options: dict[str, Cell] = {"equal_var": False}
    relation = Procedure(source=parse.source(), name="t_test", columns=(value[1], group[1]), options=options)
    return _taken(parse, relation, group[0], value[0])


def _between(parse: Parse, value: str, pair: Clause) -> Procedure:
    parse.take_span(pair.start, pair.end)
    parse.clauses = [clause for clause in parse.clauses if clause.column != pair.column]
    options: dict[str, Cell] = {"first": pair.values[0], "second": pair.values[1], "equal_var": False}
    return Procedure(source=parse.source(), name="t_test", columns=(value, pair.column), options=options)


def _taken(parse: Parse, relation: Procedure, *mentions: ColumnMention | WordMention) -> Part:
    parse.take(*mentions)
    return Part(relation=relation)


def _category(parse: Parse) -> tuple[ColumnMention, str] | None:
    for mention in parse.free(ColumnMention):
        facts = parse.facts(mention.column)
        if not parse.numeric(mention.column) and (facts.distinct or _FEW + 1) <= _FEW and mention.score >= 0.55:
            return mention, mention.column
    return None


def _number(parse: Parse) -> tuple[ColumnMention, str] | None:
    """Return the most certain mention of a numeric column, and the column."""
    found = [
        (mention, column)
        for mention in parse.free(ColumnMention)
        if mention.score >= 0.55 and (column := parse.numeric_reading(mention)) is not None
    ]
    return max(found, key=lambda pair: pair[0].score, default=None)
