"""Reads a question with an answer form tag by tag: by the tag's name, what the form says about it, and the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Col, Compare, Lit, Plan, Project, Tag
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.analyst.reading.tagged.coding import coded_columns_of
from tablewright.analyst.reading.tagged.columns_said import is_numeric, quoted_columns, said_columns
from tablewright.analyst.reading.tagged.correlations import correlation
from tablewright.analyst.reading.tagged.distributions import METHODS, NORMAL, shaped
from tablewright.analyst.reading.tagged.extremes import asks_for_extreme, ranked, row_of_extreme
from tablewright.analyst.reading.tagged.form import Form, Wanted
from tablewright.analyst.reading.tagged.gaps import missing
from tablewright.analyst.reading.tagged.group_tests import TESTS, tested
from tablewright.analyst.reading.tagged.grouping import group_of
from tablewright.analyst.reading.tagged.making import Made, made_columns, undefined, with_number
from tablewright.analyst.reading.tagged.models import MODELS, model
from tablewright.analyst.reading.tagged.outliers import outlier, outlier_options
from tablewright.analyst.reading.tagged.preparing import preparations
from tablewright.analyst.reading.tagged.scene import Scene, staged
from tablewright.analyst.reading.tagged.stated import described, left_out
from tablewright.analyst.reading.tagged.statistics import counted, frequent, function_in, statistic
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

Topic = Callable[[Scene, Wanted], "Tag | None"]
_OUTLIERS = re.compile(r"outlier|anomal|异常值|离群", re.IGNORECASE)
_BOUNDS = re.compile(r"\biqr\b|\bq ?[13]\b|quartile|z ?-? ?scores?|standard deviation", re.IGNORECASE)
_QUARTILES = re.compile(r"\biqr\b|interquartile|quartile", re.IGNORECASE)
_LOGARITHM = re.compile(r"\blog ?(?:1 ?p|2|10)\b", re.IGNORECASE)
_CORRELATED = re.compile(r"correlat|relationship between|pearson|spearman|相关", re.IGNORECASE)
_TESTED = re.compile("|".join(pattern for pattern, _ in TESTS), re.IGNORECASE)
_SHAPED = re.compile(rf"{NORMAL.pattern}|skew|kurtosis|{'|'.join(said for said, _ in METHODS)}", re.IGNORECASE)


def with_made_columns(form: Form, facts: DatasetFacts) -> DatasetFacts:
    """Return the facts with the columns that the question makes, so that words can be linked to them."""
    made = made_columns(form.text, facts)
    known = {column.name for column in facts.columns}
    added = [
        ColumnFacts(name=column.name, kind="text" if column.labels else "number")
        for column in made
        if column.name not in known
    ]
    return replace(facts, columns=(*facts.columns, *added))


def tagged_plan(
    form: Form, parse: Parse, table: LinkedTable, plain: Offer | None, values: Mapping[str, tuple[str, ...]]
) -> Plan | None:
    """Return the plan with the tags that the form prescribes; None unless every tag can be read."""
    form = _without_columns(form, table.facts)
    if undefined(form.text, table.facts):
        return None
    scene = _scene(form, parse, table, values)
    _groups_are_no_conditions(scene)
    tags: list[Tag] = []
    for wanted in form.wanted:
        tag = _read(scene, wanted, plain)
        if tag is None:
            return None
        tags.append(tag)
    if _confused(tags):
        return None
    return Plan(parts=tuple(scene.parts), tags=tuple(tags))


def _without_columns(form: Form, facts: DatasetFacts) -> Form:
    """Drop quoted names of columns from the options of each tag."""
    names = {column.name.lower() for column in facts.columns}
    wanted = []
    for one in form.wanted:
        options = tuple(option for option in one.options if option.lower() not in names)
        wanted.append(replace(one, options=options if len(options) >= 2 else ()))
    return replace(form, wanted=tuple(wanted))


def _groups_are_no_conditions(scene: Scene) -> None:
    """Drop conditions on columns whose values distinguish the tags: these rows are compared, not selected."""
    groups = [group for wanted in scene.form.wanted if (group := group_of(scene, wanted)) is not None and group.column]
    columns = {
        one.column for one in groups for other in groups if one.column == other.column and one.value != other.value
    }
    scene.parse.clauses = [clause for clause in scene.parse.clauses if clause.column not in columns]


def _confused(tags: list[Tag]) -> bool:
    """Return whether two tags were read as the same cell although neither name mentions before or after."""
    seen: dict[tuple[int, int, int], str] = {}
    for tag in tags:
        place = (tag.part, tag.column, tag.row)
        if place in seen and not any(staged(name) for name in (tag.name, seen[place])):
            return True
        seen[place] = tag.name
    return False


def _read(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    tag = _counted_plainly(scene, wanted, plain)
    tag = tag or row_of_extreme(scene, wanted) or ranked(scene, wanted, plain)
    for topic in () if tag is not None else _topics(scene, wanted):
        tag = topic(scene, wanted)
        if tag is not None:
            break
    return tag or _from_plain(scene, wanted, plain)


def _topics(scene: Scene, wanted: Wanted) -> list[Topic]:
    """Return the readers to try, the most specific for this tag first."""
    text = scene.text
    verdict = bool(wanted.options)
    found: list[Topic] = [model] if MODELS.search(text) else []
    found.append(missing)
    if _OUTLIERS.search(f"{text} {wanted.name}"):
        found.append(outlier)
    if not verdict and function_in(wanted.words) not in {None, "count"}:
        found.append(statistic)
    if _CORRELATED.search(text):
        found.append(correlation)
    shaped_first = any("normal" in word or "skew" in word for word in wanted.words)
    later: list[Topic] = [topic for pattern, topic in ((_TESTED, tested), (_SHAPED, shaped)) if pattern.search(text)]
    found += later[::-1] if shaped_first else later
    return [*found, frequent, counted, *([] if verdict else [statistic])]


def _scene(form: Form, parse: Parse, table: LinkedTable, values: Mapping[str, tuple[str, ...]]) -> Scene:
    real = [column for column in table.facts.columns if column.distinct is not None or column.samples or column.missing]
    facts = replace(table.facts, columns=tuple(real))
    made = made_columns(form.text, facts)
    said = [name for name in _said(parse, form, facts) if all(name != column.name for column in made)]
    numeric = [name for name in said if is_numeric(table.column(name))]
    _binary_conditions(parse, numeric)
    _definitions_are_no_conditions(parse, made)
    scene = Scene(
        form=form,
        parse=parse,
        facts=facts,
        numeric=numeric,
        every=said,
        values=values,
        made=made,
        preparations=preparations(form.text, facts, said, outlier_options(form)),
    )
    without = left_out(scene)
    for condition in [*described(scene), *([without] if without is not None else [])]:
        if all(clause.condition != condition for clause in parse.clauses):
            name = condition.left.name if isinstance(condition.left, Col) else ""
            parse.clauses.append(Clause(condition=condition, start=0, end=0, column=name))
    return scene


def _definitions_are_no_conditions(parse: Parse, made: tuple[Made, ...]) -> None:
    """Drop conditions read from numbers that define categories, outliers or made columns."""
    if any(column.labels for column in made):
        parse.clauses = [clause for clause in parse.clauses if clause.values]
    coded = {name for column in made for name in coded_columns_of(column.of)}
    parse.clauses = [clause for clause in parse.clauses if clause.column not in coded]
    numbers = [f"{number:g}" for column in made if (number := with_number(column)) is not None]
    parse.clauses = [
        clause
        for clause in parse.clauses
        if not any(number in parse.gap(clause.start, clause.end).split() for number in numbers)
    ]
    parse.clauses = [
        clause
        for clause in parse.clauses
        if clause.values or not _LOGARITHM.search(parse.gap(max(0, clause.start - 2), clause.end + 1))
    ]
    if _OUTLIERS.search(parse.question) or _QUARTILES.search(parse.question):
        parse.clauses = [
            clause
            for clause in parse.clauses
            if clause.values or not _BOUNDS.search(parse.gap(max(0, clause.start - 4), clause.end + 4))
        ]


def _binary_conditions(parse: Parse, numeric: list[str]) -> None:
    """Take a 0/1 column said of the rows as a condition instead of a variable: `passengers who survived`."""
    for mention in parse.mentions:
        if not isinstance(mention, ColumnMention) or mention.start == 0 or mention.column not in numeric:
            continue
        facts = parse.facts(mention.column)
        if parse.tokens[mention.start - 1].norm in {"who", "that", "which"} and (facts.minimum, facts.maximum) == (
            0,
            1,
        ):
            condition = Compare(op="=", left=Col(name=mention.column), right=Lit(value=1))
            parse.clauses.append(
                Clause(condition=condition, start=mention.start, end=mention.end, column=mention.column)
            )
            numeric.remove(mention.column)


def _said(parse: Parse, form: Form, facts: DatasetFacts) -> list[str]:
    """Return the columns of the question, followed by the quoted ones of the constraints."""
    mentions = [
        mention
        for mention in parse.mentions
        if isinstance(mention, ColumnMention) and mention.score >= 0.55 and _spelled(parse, mention)
    ]
    own = [parse.numeric_reading(mention) or mention.column for mention in mentions]
    exact = quoted_columns(form.text, facts)
    further = said_columns(form.constraints[:600], facts, least=0.9)
    surely = any(mention.score >= 0.9 and parse.numeric(mention.column) for mention in mentions)
    in_question = [column for column in exact if column in form.question]
    sure = in_question or len(exact) >= 2 or (exact and not surely)
    ordered = [*in_question, *exact, *own] if sure else [*own, *exact]
    known = {column.name for column in facts.columns}
    every = dict.fromkeys([*ordered, *(further if len(own) < 2 else [])])
    return [column for column in every if column in known]


def _spelled(parse: Parse, mention: ColumnMention) -> bool:
    """Return whether a mention is long enough to be a column: a single letter must be its whole name (the `p` of
    `log1p` is not `pH`)."""
    said = parse.gap(mention.start, mention.end)
    return len(said) > 1 or mention.column.lower() == said


def _counted_plainly(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    """Read `How many …?` as without a form, if its only tag is a whole number and no procedure is meant."""
    if plain is None or plain.family != "counting" or len(scene.form.wanted) != 1 or wanted.decimals != 0:
        return None
    question = scene.form.question
    special = _OUTLIERS.search(scene.text) or re.search(r"missing|null|duplicate", question, re.IGNORECASE)
    if special or scene.made or scene.preparations or plain.parse.confidence() < 0.75:
        return None
    return scene.tag(wanted, plain.part.relation)


def _one_cell(plain: Offer) -> bool:
    relation = plain.part.relation
    return isinstance(relation, Project) and len(relation.columns) == 1


def _from_plain(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    """Read the only tag as what the question asks without its form."""
    if plain is None or plain.parse.confidence() < 0.6 or len(scene.form.wanted) != 1 or wanted.options:
        return None
    if plain.family in {"procedures", "charts"} or (plain.family == "listing" and not _one_cell(plain)):
        return None
    if asks_for_extreme(scene.form.question) and plain.family != "ranking" and function_in(wanted.words) is None:
        return None
    return scene.tag(wanted, plain.part.relation, every=plain.family == "ranking")
