"""Things that a plan fails to separate, measure or compare: reasons to give it up."""

from __future__ import annotations

import re
from itertools import pairwise

from tablewright.analyst.linking.mentions import ColumnMention, PeriodMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Aggregate, Case, Col, Combine, Compare, Lit, Measure, Project, Statistic, Top
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.groups import TOGETHER
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.twofold import halves
from tablewright.domain.dataset import ColumnFacts

_OPENING = re.compile(r"^\s*(?:what|how) about\b|^那.*呢[？?]?\s*$|^\s*(?:why\b|为什么|为何|怎么会)")
"""Beginnings of questions that continue another one, or ask for a reason, which no table gives."""
_WHICH_ONE = re.compile(r"^(?:which|who)\b")
_WHICH_THINGS = re.compile(r"哪些|^(?:哪个|哪家|哪位|哪一|谁)")
_FIGURES = re.compile(r"多少|几")
_COMPARED = re.compile(r"(?:比|高于|低于|超过|大于|小于|多于|少于|高出).+吗[？?]?$")
_COMPARING = frozenset({"contrasts", "comparing", "verdicts", "overall"})
_HIGHER = re.compile(r"比.+[高低多少大小](?:的|.?多少)")
_SIDE_BY_SIDE = frozenset({"contrasts", "comparing", "difference", "growth", "charts"})
_SET_BESIDE = re.compile(r"\bcompar(?:e[ds]?|ison)\b|\bversus\b|\bvs\b|对比|相比|比较")
_FIGURE = re.compile(r"\b(?:how much|how many|by what|what percent)\b")
_RATES = frozenset({"rate", "ratio", "margin"})
_PLAIN = frozenset(
    {"the", "a", "an", "average", "mean", "total", "highest", "lowest", "overall", "of", "and", "by", "best", "worst"}
)
_HALF_A_YEAR = 6
_LISTED = frozenset("和与、及")
_STEM = 6
_AVERAGE = re.compile(r"\b(?:average|avg|mean|per)\b")
_WORD = re.compile(r"[^\W\d_]{3}")
_OWN_GROUPS = frozenset({"charts", "procedures", "growth", "runs", "neighbours", "following"})
_JOINERS = frozenset({"by", "per", "for each", "of each", "in each", "each", "every"})


def overlooks(offer: Offer) -> bool:
    """Return whether the plan leaves out a group, a measure, a value or the thing asked for."""
    parse = offer.parse
    return (
        _OPENING.search(parse.question.lower()) is not None
        or halves(parse.question) is not None
        or _group_left(offer)
        or _figure_for_thing(offer)
        or _unanswered(offer)
        or _other_rate(parse)
        or _listed_left(parse)
        or _kindred_value(parse)
        or _rows_for_things(offer)
        or _periods_as_one(offer)
        or _share_left(offer)
        or _asked_unknown(parse)
        or _columns_uncompared(offer)
        or _of_own_group(parse)
        or _all_listed(offer)
        or bool(parse.words("cumulative"))
        or _words_ranked(offer)
        or _not_averaged(offer)
        or _half_left(parse)
    )


def _group_left(offer: Offer) -> bool:
    """Return whether the groups are unknown or were ignored: `average cost by visit type`, `各设备的收入`, `cost per
    kg`."""
    parse = offer.parse
    if offer.family in _OWN_GROUPS:
        return False
    unknown = set(parse.unexplained())
    for word in parse.mentions:
        if not isinstance(word, WordMention) or word.code not in {"each", "by"} or word.end not in unknown:
            continue
        said = parse.gap(word.start, word.end)
        if is_han(said[0]) or said in _JOINERS:
            return True
    return False


def _figure_for_thing(offer: Offer) -> bool:
    """Return whether a single figure would answer a question for a thing: `which device grew most`."""
    question = offer.parse.question.lower().strip()
    relation = offer.part.relation
    figure = isinstance(relation, Combine) or (isinstance(relation, Aggregate) and not relation.groups)
    if offer.parse.language == "zh":
        return figure and _WHICH_THINGS.search(question) is not None and _FIGURES.search(question) is None
    return figure and _WHICH_ONE.match(question) is not None and _FIGURE.search(question) is None


def _unanswered(offer: Offer) -> bool:
    """Return whether rows would answer a comparison that needs a yes or no: `上半年支出比下半年多吗`."""
    question = offer.parse.question.strip()
    if offer.parse.language != "zh" or _COMPARED.search(question) is None or offer.family in _COMPARING:
        return False
    relation = offer.part.relation
    return not (isinstance(relation, Project) and isinstance(relation.columns[0].of, Case))


def _other_rate(parse: Parse) -> bool:
    """Return whether a rate was linked to a different one: `conversion rate` to the bounce rate."""
    for mention in parse.mentions:
        if not isinstance(mention, ColumnMention) or mention.score == 1.0 or mention.end - mention.start > 1:
            continue
        said = parse.tokens[mention.start].norm
        before = parse.tokens[mention.start - 1] if mention.start else None
        if said not in _RATES or before is None or before.kind != "word" or before.norm in _PLAIN:
            continue
        if before.lemma not in mention.column.lower():
            return True
    return False


def _listed_left(parse: Parse) -> bool:
    """Return whether the first of two measures is unknown: `接诊量和总费用`."""
    if parse.language != "zh":
        return False
    unknown = set(parse.unexplained())
    measures = {
        mention.start
        for mention in parse.mentions
        if (isinstance(mention, WordMention) and mention.code in {"aggregate", "count"})
        or (isinstance(mention, ColumnMention) and parse.numeric_reading(mention))
    }
    return any(
        place - 1 in unknown and place - 2 in unknown and parse.tokens[place].norm in _LISTED and place + 1 in measures
        for place in range(2, len(parse.tokens) - 1)
    )


def _rows_for_things(offer: Offer) -> bool:
    """Return whether single rows would answer for things with many rows each: `which device has above average
    revenue`."""
    parse, relation = offer.parse, offer.part.relation
    against = any(
        isinstance(clause.condition, Compare) and isinstance(clause.condition.right, Statistic)
        for clause in parse.clauses
    )
    if not against or not isinstance(relation, Project) or offer.family == "overall":
        return False
    first = relation.columns[0].of
    known = {column.name for column in parse.table.facts.columns}
    return isinstance(first, Col) and first.name in known and repeats(parse, first.name)


def _periods_as_one(offer: Offer) -> bool:
    """Return whether two periods would be answered with the sum of both: `how does revenue in Q2 compare to Q1`,
    `上半年和下半年的金额`."""
    relation, said = offer.part.relation, offer.parse.question.lower()
    together = not (isinstance(relation, Aggregate) and relation.groups) and offer.family not in _SIDE_BY_SIDE
    stretches = [mention for mention in offer.parse.mentions if isinstance(mention, PeriodMention) and mention.months]
    if not together or len(stretches) < 2:
        return False
    if len({stretch.months for stretch in stretches if len(stretch.months) == _HALF_A_YEAR}) > 1:
        return True  # no row is in both halves of a year
    joined = {offer.parse.gap(one.end, other.start) for one, other in pairwise(stretches)} <= _LISTED
    return _SET_BESIDE.search(said) is not None or (joined and TOGETHER.search(said) is None)


def _share_left(offer: Offer) -> bool:
    """Return whether a ranking by share would be answered by amount: `医保支付比例最高的科室`."""
    parse = offer.parse
    if parse.language != "zh" or offer.family not in {"ranking", "summing", "amounts", "listing", "counting"}:
        return False
    return bool(parse.words("share"))


def _asked_unknown(parse: Parse) -> bool:
    """Return whether the thing asked for, directly before the question word, is unknown: `收入来源有哪些` without a
    column of sources."""
    if parse.language != "zh":
        return False
    unknown = set(parse.unexplained())
    said = [token.norm for token in parse.tokens]
    return any(said[place : place + 2] == ["有", "哪"] and place - 1 in unknown for place in range(2, len(said)))


def _columns_uncompared(offer: Offer) -> bool:
    """Return whether two columns would be listed instead of compared: `二月比一月产量高的车间`."""
    parse = offer.parse
    if parse.language != "zh" or offer.family != "listing" or _HIGHER.search(parse.question) is None:
        return False
    return not any(
        isinstance(clause.condition, Compare) and not isinstance(clause.condition.right, Lit)
        for clause in parse.clauses
    )


def _words_ranked(offer: Offer) -> bool:
    """Return whether rows are ranked by texts that contain words (`12 March 1985 (aged 29)`), whose order is only
    alphabetical."""
    worded = {facts.name for facts in offer.parse.table.facts.columns if _worded(facts)}
    return any(isinstance(node, Top) and node.by in worded for node in nodes(offer.part.relation))


def _worded(facts: ColumnFacts) -> bool:
    samples = [str(sample) for sample in facts.samples if sample is not None]
    said = [sample for sample in samples if _WORD.search(sample)]
    return facts.kind in {"text", "mixed"} and len(said) * 2 > len(samples)


def _not_averaged(offer: Offer) -> bool:
    """Return whether an average would be answered with a sum: `the average total points`, or with counts:
    `平均每个客户每月下多少单`."""
    parse = offer.parse
    used = list(nodes(offer.part.relation))
    if parse.language == "zh":
        left = any(word.code == "aggregate" and word.value == "mean" for word in parse.free(WordMention))
        return left and any(isinstance(node, Measure) and node.function in {"count", "sum"} for node in used)
    if not parse.has("aggregate", "mean"):
        return False
    means = any(isinstance(node, Measure | Statistic) and _mean(node) for node in used)
    named = any(isinstance(node, Col) and _AVERAGE.search(node.name.lower()) for node in used)
    sums = any(isinstance(node, Measure) and node.function == "sum" for node in used)
    return sums and not means and not named


def _mean(node: Measure | Statistic) -> bool:
    return (node.function if isinstance(node, Measure) else node.name) == "mean"


def _half_left(parse: Parse) -> bool:
    """Return whether the second of two things joined by `and` is unknown: `enrolled men and women` answered with the
    men."""
    if parse.language != "en":
        return False
    unknown = set(parse.unexplained())
    ends = {
        mention.end
        for place, mention in enumerate(parse.mentions)
        if place in parse.taken and isinstance(mention, ColumnMention) and parse.numeric(mention.column)
    }
    return any(
        token.norm == "and" and place in ends and place + 1 in unknown for place, token in enumerate(parse.tokens)
    )


def _all_listed(offer: Offer) -> bool:
    """Return whether everything would be listed because the condition was not read: `哪些公司由盈转亏`."""
    parse = offer.parse
    if parse.language != "zh" or offer.family != "listing" or parse.clauses:
        return False
    unknown = set(parse.unexplained())
    return any({place, place + 1} <= unknown for place in unknown if is_han(parse.tokens[place].norm[0]))


def _of_own_group(parse: Parse) -> bool:
    """Return whether rows are to be compared with the average of their own group, not of all:
    `营业收入超过行业平均`."""
    means = {word.start for word in parse.mentions if isinstance(word, WordMention) and word.value == "mean"}
    against = any(
        isinstance(clause.condition, Compare) and isinstance(clause.condition.right, Statistic)
        for clause in parse.clauses
    )
    return against and any(
        isinstance(mention, ColumnMention) and mention.end in means and not parse.numeric_reading(mention)
        for mention in parse.mentions
    )


def _kindred_value(parse: Parse) -> bool:
    """Return whether an unexplained word has the stem of a cell: `engineers` where a department is called
    Engineering."""
    if parse.language != "en":
        return False
    words = [parse.tokens[place].norm for place in parse.unexplained()]
    stems = {word[:_STEM] for word in words if len(word) >= _STEM}
    if not stems:
        return False
    rows = max(parse.table.facts.rows, 1)
    return any(
        str(sample).lower()[:_STEM] in stems
        for column in parse.table.facts.columns
        if column.kind == "text" and (column.distinct or rows) <= rows / 4
        for sample in column.samples
    )
