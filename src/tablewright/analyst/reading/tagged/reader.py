"""Reads a question with an answer form: tag by tag, each by the topic of the question and its own name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Compare, Lit, Named, Plan, Project, Tag, Top
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.analyst.reading.tagged.correlations import correlation
from tablewright.analyst.reading.tagged.derived import derived, said_columns
from tablewright.analyst.reading.tagged.distributions import normality, outlier
from tablewright.analyst.reading.tagged.form import Form, Wanted
from tablewright.analyst.reading.tagged.models import metric_of, model, t_test
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in, statistic
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

Topic = Callable[[Scene, Wanted], "Tag | None"]
_TOPICS: tuple[tuple[str, Topic], ...] = (
    (r"outlier|anomal|异常值|离群", outlier),
    (r"normal(?:ly)? distribut|normality|adhere\w* to a normal|follows? a normal|正态", normality),
    (r"correlat|relationship between|相关", correlation),
    (r"t-test|t test|significant difference|检验", t_test),
    (r"missing|null values|缺失", statistic),
)
_NUMBERS = frozenset({"number", "integer"})


def with_made_column(form: Form, facts: DatasetFacts) -> DatasetFacts:
    """Return the facts with the column that the question makes, so that its words find it."""
    made = derived(f"{form.question}\n{form.constraints}", facts)
    if made is None:
        return facts
    column = ColumnFacts(name=made.column.name, kind="text" if made.labels else "number")
    return replace(facts, columns=(*facts.columns, column))


def tagged_plan(form: Form, parse: Parse, table: LinkedTable, plain: Offer | None) -> Plan | None:
    """Return the plan whose tags are what the form wants; as many as can be read, but never none."""
    scene = _scene(form, parse, table)
    tags: list[Tag] = []
    for wanted in form.wanted:
        tag = _ranked(scene, wanted, plain) if len(form.wanted) == 1 else _row_of_extreme(scene, wanted)
        tag = tag or next((tag for topic in _topics(scene, wanted) if (tag := topic(scene, wanted)) is not None), None)
        tag = tag or _from_plain(scene, wanted, plain, form.wanted)
        if tag is not None:
            tags.append(tag)
    if not tags:
        return None
    share = len(tags) / len(form.wanted)
    return Plan(parts=tuple(scene.parts), tags=tuple(tags), confidence=round(0.5 + 0.5 * share, 3))


def _scene(form: Form, parse: Parse, table: LinkedTable) -> Scene:
    real = [
        column.name for column in table.facts.columns if column.distinct is not None or column.samples or column.missing
    ]
    facts = replace(table.facts, columns=tuple(column for column in table.facts.columns if column.name in real))
    made = derived(f"{form.question}\n{form.constraints}", facts)
    said = _said(parse, form, table.facts)
    numeric = [column for column in said if parse.facts(column).kind in _NUMBERS]
    if made is not None and not made.labels:
        numeric = [made.column.name, *(column for column in numeric if column != made.column.name)]
        numeric = _parts_dropped(numeric, form, made.column.name)
    _binary_conditions(parse, numeric)
    return Scene(
        form=form, parse=parse, facts=table.facts, numeric=numeric, every=said, made=made.column if made else None
    )


def _binary_conditions(parse: Parse, numeric: list[str]) -> None:
    """`passengers who survived`: a 0/1 column said of the rows is a condition, not a variable."""
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


def _parts_dropped(numeric: list[str], form: Form, made: str) -> list[str]:
    """After a column is made, the question is about it: what it was made from is named before it is used."""
    lower = form.question.lower()
    later = lower.rfind(made.lower())
    after = [column for column in numeric[1:] if column.lower() in lower[later:] or lower.find(column.lower()) < 0]
    return [made, *after]


def _said(parse: Parse, form: Form, facts: DatasetFacts) -> list[str]:
    """The columns of the question, quoted ones of the constraints after them."""
    own = [
        _numeric_first(parse, mention)
        for mention in parse.mentions
        if isinstance(mention, ColumnMention) and mention.score >= 0.55
    ]
    quoted = re.findall(r"[\"“'‘]([^\"”'’\n]{1,60})[\"”'’]", f"{form.question}\n{form.constraints}")
    names = {column.name.lower().strip(): column.name for column in facts.columns}
    exact = [names[text.lower().strip()] for text in quoted if text.lower().strip() in names]
    further = said_columns(form.constraints[:600], facts, least=0.9)
    sure = len(set(exact)) >= 2 or (
        exact and not any(mention.score >= 0.9 for mention in parse.mentions if isinstance(mention, ColumnMention))
    )
    in_question = [column for column in exact if column in form.question]
    ordered = [*in_question, *exact, *own] if sure or in_question else [*own, *exact]
    return list(dict.fromkeys([*ordered, *(further if len(own) < 2 else [])]))


def _numeric_first(parse: Parse, mention: ColumnMention) -> str:
    return parse.numeric_reading(mention) or mention.column


def _topics(scene: Scene, wanted: Wanted) -> Sequence[Topic]:
    if metric_of(wanted) is not None and scene.holds("predict", "regress", "classif", "model"):
        return (model,)
    found = [topic for pattern, topic in _TOPICS if re.search(pattern, scene.text, re.IGNORECASE)]
    if function_in(wanted.words) is not None and outlier not in found and normality not in found:
        found.insert(0, statistic)
    return [*found, statistic]


def _ranked(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    """`Which brand has the highest rating?` as the only thing asked for: all that tie."""
    if plain is None or plain.family != "ranking" or plain.parse.confidence() < 0.6 or metric_of(wanted) is not None:
        return None
    if not isinstance(plain.part.relation, Project):
        return None
    return scene.tag(wanted, plain.part.relation, every=True)


def _row_of_extreme(scene: Scene, wanted: Wanted) -> Tag | None:
    """`@max_price_city`: the city of the row with the highest price, when the tag's name ends with a column."""
    ends = [word for word in ("max", "highest", "maximum", "min", "lowest", "minimum") if word in wanted.words]
    if not ends or not scene.numeric:
        return None
    last = wanted.words[-1]
    column = next((facts.name for facts in scene.facts.columns if lemmas(facts.name)[-1:] == (last,)), None)
    if column is None or column == scene.numeric[0] or last in lemmas(scene.numeric[0]):
        return None
    top = Top(source=scene.source(), by=scene.numeric[0], count=1, descending=ends[0] in {"max", "highest", "maximum"})
    return scene.tag(wanted, Project(source=top, columns=(Named(name=column, of=Col(name=column)),)))


def _from_plain(scene: Scene, wanted: Wanted, plain: Offer | None, every: Sequence[Wanted]) -> Tag | None:
    """What the question asks apart from its form: the result's columns in the order of the tags."""
    if plain is None or plain.parse.confidence() < 0.5:
        return None
    return scene.tag(wanted, plain.part.relation, 0, every=False) if len(every) == 1 else None
