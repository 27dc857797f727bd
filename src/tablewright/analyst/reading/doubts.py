"""Reasons to distrust a plan: words that it skips, and an answer of the wrong kind.

A skipped word may reverse the answer (`not`, `after`, a number, a name), and a plan whose result cannot be what the
question word asks for has misread something. Such plans are given up; those with a weaker flaw get a lower fit.
"""

from __future__ import annotations

import itertools
import re

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, PeriodMention, ValueMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import quoted_spans
from tablewright.analyst.plan import Procedure
from tablewright.analyst.reading.answers import LIGHT, misses_kind
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.figures_asked import measure_undrawn, other_figure
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.overlooked import overlooks
from tablewright.analyst.reading.parse import Parse

GIVEN_UP = 0.0
WEAKER = 0.8

_TURNING = frozenset(
    {
        "not",
        "zero",
        "superlative",
        "comparative",
        "difference",
        "before",
        "after",
        "consecutive",
        "same",
        "contains",
        "missing",
    }
)
"""Words that change what is asked, in either language."""
_TURNING_ENGLISH = frozenset({"compare", "share", "growth", "row", "aggregate"})
_HARMLESS = frozenset({"sum"})
"""`total` and `overall` mostly add nothing."""
_FEW = 2
_OWN_AVERAGE = re.compile(
    r"(?:该|所在|自己|本)[\u4e00-\u9fff]{1,4}平均|\b(?:its|their) own \w+(?:'s)? (?:average|mean)"
    r"|\b(?:average|mean)\b[\w ]{0,24}? (?:of|in|for) (?:its|their|his|her|the same)\b"
)
_COUNTERS = frozenset("个名位家条款种件项人")
_NEVER = re.compile(r"\b(?:never|only ever)\b|从未|从来没|从没|只[\u4e00-\u9fff]{1,3}过")
_MEASURES = (
    "金额",
    "成本",
    "利润",
    "毛利",
    "工资",
    "工龄",
    "天数",
    "单价",
    "均价",
    "总价",
    "增长",
    "差距",
    "人均",
    "率",
)
_COMPUTING = frozenset(
    {
        "change", "changed", "equal", "equals", "additional", "remaining", "twice", "double", "half", "decrease",
        "decreases",
        "decreased", "increase", "increases", "increased", "ratio", "rate", "rates", "fold", "respectively", "assuming",
        "if", "ahead", "behind", "lost", "gained", "average", "mean", "median",
    }
)  # fmt: skip
"""Words that ask for a computation of their own."""
_COMPUTED = frozenset({"summing", "amounts", "shares", "counting"})
"""Families that compute over all rows, and so would be wrong if the name of some rows were skipped."""
_WITHIN = frozenset({"in", "from", "at", "by", "against", "for", "with", "on"})
_BY_CHANGE = frozenset({"runs", "growth", "contrasts", "difference"})
_CHART_NOUN = re.compile(
    r"\b(?:on|in|for|from|of)\s+(?:(?:the|a|an|any|this|each|which|what)\s+)?(?:[\w.&]+\s+){0,2}charts?\b"
)
_CHARTED = re.compile(r"\b(?:not|never|did|to|that|which) charts?\b|\bcharted\b")
_DRAWING = re.compile(
    r"\b(?:draw|plot|show|visuali[sz]e|create|make|give|bar|pie|line|scatter|graph|display|return|histogram)\b"
)
_BY_THE_METRE = re.compile(r"\d ?x ?\d")
_ASKING = re.compile(r"^(?:which|what|who|when|where|how (?:many|much|long))\b")
_SOME_ROWS = 8
_NEARLY_ALL = 0.85
_LOW, _HIGH = 0.1, 0.4


def doubt(offer: Offer) -> float:
    """Return the factor for a plan's fit: 1 without flaws, 0 if it must not be used."""
    parse = offer.parse
    if any(_at_present(parse, word) for word in parse.words("now")) or _period_left(parse):
        return GIVEN_UP
    if offer.part.drawing is not None:
        return GIVEN_UP if _chart_named(parse) or measure_undrawn(offer) else 1.0
    flaws = (
        _own_average(parse),
        _measure_left(parse),
        _never(parse),
        _loose_place(offer),
        _noun_as_name(parse),
        _computation_left(offer),
        _place_left(offer),
        _ends_as_values(offer),
        _grades_left(parse),
        other_figure(offer),
        overlooks(offer),
    )
    other_kind = misses_kind(offer) and not isinstance(offer.part.relation, Procedure)  # these state their finding
    if _passes_over(parse) or other_kind or any(flaws) or (offer.family in _COMPUTED and _name_left(parse)):
        return GIVEN_UP
    return WEAKER if _name_left(parse) else 1.0


def _at_present(parse: Parse, word: WordMention) -> bool:
    """Return whether a word depends on today's date: `last year` does, `the last year` is the last in the table."""
    return word.start == 0 or parse.tokens[word.start - 1].norm != "the"


def _period_left(parse: Parse) -> bool:
    """Return whether the plan leaves out a date; a bare year does not count, since it may describe the whole table."""
    return any(mention.months for mention in parse.free(PeriodMention))


def _passes_over(parse: Parse) -> bool:
    return any(_turns(parse, word) for word in parse.free(WordMention)) or _number_left(parse) or _quotation_left(parse)


def _turns(parse: Parse, word: WordMention) -> bool:
    if word.value in _HARMLESS:
        return False
    han = is_han(parse.tokens[word.start].norm[0])
    if word.code == "top" and parse.after(word.end, NumberMention, 0) is not None:
        return True
    if word.code in _TURNING:
        return not (han and word.code in {"before", "after", "comparative"})
    if han or word.code not in _TURNING_ENGLISH:
        return False
    if word.code == "share":
        return parse.before(word.start, WordMention, 0) is not None or not parse.has("superlative")
    if word.code == "compare":
        return parse.after(word.end, NumberMention, 1) is not None
    return True


def _number_left(parse: Parse) -> bool:
    """Return whether the plan leaves out a number. Small numbers in words (`the one that`, `the two`) are grammar,
    as are those in Chinese ranks and lists."""
    if parse.language == "zh":
        bounds = {place for word in parse.words("compare") for place in (word.start - 1, word.start, word.end)}
        return any(
            mention.percent or _plain_count(parse, mention) or bounds & {mention.start, mention.end}
            for mention in parse.free(NumberMention)
        )
    left = [*parse.free(NumberMention), *parse.free(PeriodMention)]
    for mention in left:
        spelled = not any(character.isdigit() for character in parse.gap(mention.start, mention.end))
        small = isinstance(mention, NumberMention) and not mention.ordinal and mention.value <= _FEW
        if not (spelled and small):
            return True
    covered = {place for mention in left for place in range(mention.start, mention.end)}
    return any(parse.tokens[place].kind == "number" and place not in covered for place in parse.unexplained())


def _plain_count(parse: Parse, mention: NumberMention) -> bool:
    """Return whether digits say how many things are wanted: `最近入库的5个商品`."""
    digits = any(character.isdigit() for character in parse.gap(mention.start, mention.end))
    counted = mention.end < len(parse.tokens) and parse.tokens[mention.end].norm in _COUNTERS
    return digits and counted and not mention.year and not mention.ordinal


def _quotation_left(parse: Parse) -> bool:
    """Return whether a quoted name contains an unexplained word."""
    unknown = {place for place in parse.unexplained() if len(parse.tokens[place].norm) > 1}
    return any(
        unknown & set(range(start, end))
        for start, end in quoted_spans(parse.question, parse.tokens)
        if end - start < 12
    )


def _name_left(parse: Parse) -> bool:
    """Return whether a capitalised word inside the sentence is unexplained."""
    return any(
        place > 0 and parse.tokens[place].text[:1].isupper() and parse.tokens[place].kind == "word"
        for place in parse.unexplained()
    )


def _place_left(offer: Offer) -> bool:
    """Return whether an unexplained word follows `in` or `from`, which makes it an unread condition: `towns in
    dale`."""
    parse = offer.parse
    if parse.language != "en" or offer.family not in _COMPUTED:
        return False
    unknown = [place for place in parse.unexplained() if parse.tokens[place].lemma not in LIGHT]
    for place in unknown:
        before = parse.gap(max(0, place - 2), place).split()
        if before[-1:] and (before[-1] in _WITHIN or (before[-1] == "the" and before[0] in _WITHIN)):
            return True
    return False


def _own_average(parse: Parse) -> bool:
    """Return whether rows are compared with the average of their own group, which is not the average of all:
    `超过该部门平均值`."""
    return _OWN_AVERAGE.search(parse.question.lower()) is not None


def _measure_left(parse: Parse) -> bool:
    """Return whether an unexplained word names a measure: `库存金额` answered with a number of pieces."""
    if parse.language != "zh":
        return False
    left = "".join(parse.tokens[place].norm for place in parse.unexplained())
    return any(word in left for word in _MEASURES)


def _never(parse: Parse) -> bool:
    """Return whether things with several rows each are selected by `never` or `only`, which no condition on single
    rows expresses: `products that were never returned`, `只买过纸的客户`."""
    said = _NEVER.search(parse.question.lower()) is not None
    asked = next((mention for mention in parse.mentions if isinstance(mention, ColumnMention)), None)
    return said and asked is not None and repeats(parse, asked.column)


def _grades_left(parse: Parse) -> bool:
    """Return whether a cell stands for all grades from it upwards or downwards, which has no order here:
    `本科及以上`."""
    ends = {clause.end for clause in parse.clauses if clause.values}
    return any(
        word.value in {">=", "<="} and {word.start, word.start - 1} & ends
        for word in parse.free(WordMention)
        if word.code == "compare"
    )


def _loose_place(offer: Offer) -> bool:
    """Return whether first or last is meant by an unknown measure: `the top city for victims`."""
    parse = offer.parse
    if offer.family != "neighbours" or parse.language != "en":
        return False
    tops = any(isinstance(word, WordMention) and word.code == "top" and word.value == "max" for word in parse.mentions)
    said_top = tops and {"top", "best"} & {token.norm for token in parse.tokens}
    return bool(said_top) and any(parse.tokens[place].lemma not in LIGHT for place in parse.unexplained())


def _noun_as_name(parse: Parse) -> bool:
    """Return whether the noun for the rows was taken for a cell: `how many games …` linked to the one title with
    `Game` in it, or to nearly all."""
    for place, mention in enumerate(parse.mentions):
        if (
            place not in parse.taken
            or not isinstance(mention, ValueMention)
            or mention.how == "exact"
            or mention.end - mention.start > 1
        ):
            continue
        token = parse.tokens[mention.start]
        columns = {name for name, _ in mention.places}
        asked = parse.tokens[mention.start - 1].norm in {"which", "what"} if mention.start else False
        plural = token.norm != token.lemma
        if token.kind != "word" or token.text[:1].isupper() or not (plural or asked) or len(columns) > 1:
            continue
        facts = parse.facts(next(iter(columns)))
        rows = parse.table.facts.rows
        share = len(mention.places) / max(facts.distinct or 1, 1)
        counted = parse.gap(max(0, mention.start - 2), mention.start).split()
        if asked or (
            plural and len(mention.places) <= _FEW and {"of", "most", "many", "fewest", "least"} & set(counted)
        ):
            return True
        if rows >= _SOME_ROWS and (facts.distinct or 0) >= _NEARLY_ALL * rows and not _LOW < share < _HIGH:
            return True
    return False


def _chart_named(parse: Parse) -> bool:
    """Return whether `chart` is no drawing: `the highest position on any chart` is about music."""
    question = parse.question.lower().strip()
    asks = _ASKING.match(question) is not None and _DRAWING.search(question) is None
    if asks and not parse.has("chart") and _BY_THE_METRE.search(question):
        return True  # a race such as `the 4x400 relay`
    return asks and (_CHART_NOUN.search(question) or _CHARTED.search(question)) is not None


def _computation_left(offer: Offer) -> bool:
    """Return whether a word asks for a computation that the plan lacks."""
    parse = offer.parse
    if parse.language != "en" or offer.family in _BY_CHANGE:
        return False
    return any(parse.tokens[place].norm in _COMPUTING for place in parse.unexplained())


def _ends_as_values(offer: Offer) -> bool:
    """Return whether the ends of a range of rows were taken for two values: `from 1950-1955 to 1975-1980`."""
    parse = offer.parse
    if parse.language != "en" or offer.family in _BY_CHANGE:
        return False
    named = sorted((clause for clause in parse.clauses if clause.values), key=lambda clause: clause.start)
    for low, high in itertools.pairwise(named):
        opened = parse.gap(max(0, low.start - 3), low.start).split()
        joined = {token.norm for token in parse.tokens[low.end : high.start]}
        if low.column == high.column and "from" in opened and joined & {"to", "through", "until"}:
            return True
    return False
