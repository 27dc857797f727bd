"""What kind of answer a question word asks for, and whether a plan's result can be one."""

from __future__ import annotations

import re

from tablewright.analyst.linking.columns import concepts_of
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Aggregate, Case, Combine, Compare, Project, Relation
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.entities import entity
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_COUNTS = re.compile(
    r"^(?:on |in |for |of )?(?:how many|how often|(?:what|whats|what's) (?:is |was |are |were )?the (?:total )?number of)\b"
)
_WHO = re.compile(r"^(?:who|whom)\b")
_AMOUNT = re.compile(r"^what (?:is|was) the (?:average|mean|median|sum|total)\b")
_CHOICE = re.compile(r"^(?:who|which)\b.*, .*\bor\b")
_THING = re.compile(r"^(?:who|whom|which)\b")
_WHERE = re.compile(r"^where\b")
_WHEN = re.compile(
    r"^(?:(?:in|on|during) )?(?:when|what year|which year|what date|which date|what season|which season)\b"
)
_CLOSED = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can)\b")
_NOUN = re.compile(r"^(?:in |on |at |for |from )?(?:which|what) (?P<noun>[a-z]+)\b")
_TIME_NOUNS = frozenset({"month", "day", "weekday", "decade", "century", "quarter"})
_DATED_NAMES = ("year", "date", "season", "time", "when", "period", "month", "day", "era", "years")
_EVENTS = (
    frozenset({"born", "birth", "birthday", "birthdate"}),
    frozenset({"died", "death", "dead"}),
    frozenset({"married", "marriage", "wedding"}),
    frozenset(
        {"founded", "founding", "established", "opened", "opening", "formed", "created", "launched", "built", "begun"}
    ),
    frozenset({"closed", "closing", "dissolved", "retired", "demolished", "ended", "withdrawn", "left"}),
)
"""Words for what happened, by what they have in common; two groups mean two dates."""
_GAMES = frozenset({"game", "match", "fixture", "fight", "bout"})
_OUTCOMES = frozenset({"win", "won", "lose", "lost", "draw", "drawn", "tie", "tied", "beat", "defeat", "defeated"})
_DIGITS = 0.5
_DAY = re.compile(
    r"\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d",
    re.IGNORECASE,
)
LIGHT = frozenset(
    {
        "appear", "appears", "appeared", "appearing", "board", "career", "chart", "contain", "contained", "current",
        "different", "entire", "ever", "game", "games", "given", "group", "held", "hold", "holds",
        "individual", "made", "match", "matches", "money", "occurred", "overall", "person", "place", "placed",
        "played", "players", "portion", "position", "ran", "ranked", "received", "recorded", "represented", "scored",
        "season", "shown", "spent", "team", "teams", "total", "type", "types", "used", "win",
        "won", "year", "years",
    }
)  # fmt: skip
"""Words that say little of their own beside the name of a table's subject."""


def misses_kind(offer: Offer) -> bool:
    """Tell whether the plan's result cannot be the kind of thing that an English question asks for."""
    parse = offer.parse
    if parse.language != "en":
        return False
    question = parse.question.lower().strip()
    asked = _columns(offer.part.relation)
    return (
        _no_number(parse, question, offer.part.relation, asked)
        or _wrong_shape(parse, question, offer, asked)
        or _one_of_two(parse, question, offer, asked)
        or _counts_instead(question, offer.part.relation)
        or _wrong_column(parse, question, asked)
        or _not_told(parse, question, offer.part.relation)
        or (offer.family != "following" and _echoes(parse, asked))
        or _other_noun(parse, question, asked)
        or _idle_count(offer)
        or _outcome_left(offer)
    )


def _columns(relation: Relation) -> list[str]:
    """The columns of the table that a result shows as they stand."""
    return [named.name for named in relation.columns] if isinstance(relation, Project) else []


def _no_number(parse: Parse, question: str, relation: Relation, asked: list[str]) -> bool:
    """`How many …` is answered with a number: not with names, nor with several rows, nor with a percentage."""
    if not _COUNTS.match(question):
        return False
    if isinstance(relation, Combine) and relation.op == "percent":
        return True
    if isinstance(relation, Aggregate | Combine) or not asked:
        return False
    facts = _facts(parse, asked[0])
    if facts is None:
        return False
    return (
        _percentage(facts)
        or _years(facts)
        or (facts.kind in {"text", "date", "datetime", "boolean"} and not _mostly_digits(facts))
    )


def _years(facts: ColumnFacts) -> bool:
    return isinstance(facts.minimum, int | float) and identifying(facts.name, facts.minimum, facts.maximum)


def _percentage(facts: ColumnFacts) -> bool:
    return facts.unit == "%" or "%" in facts.name or "percent" in facts.name.lower()


def _wrong_shape(parse: Parse, question: str, offer: Offer, asked: list[str]) -> bool:
    """`What is the average …` answered with names, or with several columns; a mean taken for a share."""
    if offer.family == "shares":
        return parse.has("aggregate", "mean")
    relation = offer.part.relation
    if isinstance(relation, Aggregate):
        return len(relation.measures) > 1 and _COUNTS.match(question) is not None and " and " not in question
    if not asked or not _AMOUNT.match(question):
        return False
    facts = _facts(parse, asked[0])
    return len(asked) > 1 or (facts is not None and facts.kind == "text" and not _mostly_digits(facts))


def _one_of_two(parse: Parse, question: str, offer: Offer, asked: list[str]) -> bool:
    """`Who has more …, A or B?` is answered with A or B, after a comparison."""
    if not _CHOICE.match(question) or not parse.has("or"):
        return False
    named: dict[str, int] = {}
    for clause in parse.clauses:
        named[clause.column] = named.get(clause.column, 0) + (1 if clause.values else 0)
    pairs = {column for column, count in named.items() if count > 1}
    return bool(pairs) and (not set(asked) & pairs or offer.family == "listing")


def _counts_instead(question: str, relation: Relation) -> bool:
    """`Which …` and `who …` want things, not how many there are."""
    counts = (
        isinstance(relation, Aggregate) and not relation.groups and relation.measures[0].function.startswith("count")
    )
    return counts and _THING.match(question) is not None


def _wrong_column(parse: Parse, question: str, asked: list[str]) -> bool:
    if not asked:
        return False
    facts = _facts(parse, asked[0])
    if facts is None:
        return False
    if _WHO.match(question) or _WHERE.match(question):
        dates = [sample for sample in facts.samples if _DAY.search(str(sample))]
        return (
            len(dates) * 2 > len(facts.samples)
            or facts.kind in {"number", "integer", "date", "datetime", "time"}
            or _mostly_digits(facts)
        )
    if _other_event(parse, facts):
        return True
    if _WHEN.match(question):
        return facts.kind == "text" and not _mentions_time(facts)
    return False


def _other_event(parse: Parse, facts: ColumnFacts) -> bool:
    """`when was it closed` answered with when it opened."""
    named = {place for place, group in enumerate(_EVENTS) if group & set(lemmas(facts.name))}
    unknown = {parse.tokens[place].norm for place in parse.unexplained()}
    said = {place for place, group in enumerate(_EVENTS) if group & unknown}
    return bool(named) and bool(said) and not named & said


def _facts(parse: Parse, column: str) -> ColumnFacts | None:
    """The facts of a column of the table; a group's own column has none."""
    return next((known for known in parse.table.facts.columns if known.name == column), None)


def _mentions_time(facts: ColumnFacts) -> bool:
    named = any(word in facts.name.lower() for word in _DATED_NAMES)
    return named or any(re.search(r"\b(?:1[5-9]|20)\d\d\b", str(sample)) for sample in facts.samples[:5])


def _mostly_digits(facts: ColumnFacts) -> bool:
    text = "".join(str(sample) for sample in facts.samples[:8] if sample is not None)
    letters = sum(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return digits > letters and digits >= _DIGITS * len(text.replace(" ", ""))


def _not_told(parse: Parse, question: str, relation: Relation) -> bool:
    """A question for yes or no, or for one of two things, is not answered with other columns."""
    if not _CLOSED.match(question) or (isinstance(relation, Project) and isinstance(relation.columns[0].of, Case)):
        return False
    shown = _columns(relation)
    if shown == ["correlation"]:  # its sign, size and significance are the answer
        return False
    named = {clause.column for clause in parse.clauses if clause.values}
    if parse.has("or"):
        return not shown or shown[0] not in named
    other = re.match(r"^(?:is|are|was|were) there any other\b", question) is not None
    return not shown or not (other and shown[0] in named)


def _echoes(parse: Parse, asked: list[str]) -> bool:
    """The result only repeats the one value that the question gave."""
    fixed = {
        clause.column
        for clause in parse.clauses
        if not clause.negated
        and isinstance(clause.condition, Compare)
        and (len(clause.values) == 1 or clause.condition.op == "=")
    }
    count = sum(clause.column in asked for clause in parse.clauses)
    return len(asked) == 1 and asked[0] in fixed and count == 1


def _other_noun(parse: Parse, question: str, asked: list[str]) -> bool:
    """`Which nation …` where no column is called so: only the column that names the rows may answer."""
    match = _NOUN.match(question)
    if match is None or not asked:
        return False
    if match["noun"] in _TIME_NOUNS:
        facts = _facts(parse, asked[0])
        return facts is not None and not _mentions_time(facts)
    unknown = {parse.tokens[place].norm for place in parse.unexplained()}
    if match["noun"] not in unknown:
        return False
    facts = _facts(parse, asked[0])
    kinds = concepts_of(lemmas(match["noun"]))
    of_kind = any(kinds & name.concepts for name in parse.table.names if name.column == asked[0])
    if kinds and not of_kind and ("country" in kinds or asked[0] != entity(parse)):
        return True
    return (
        facts is not None
        and asked[0] != entity(parse)
        and (facts.kind not in {"text", "mixed"} or _mostly_digits(facts))
    )


def _idle_count(offer: Offer) -> bool:
    """A count of what one name already singles out, or of a thing that the table does not speak of."""
    parse, relation = offer.parse, offer.part.relation
    if not isinstance(relation, Aggregate) or relation.groups:
        return False
    counts = relation.measures[0].function.startswith("count")
    if counts and any(_singles_out(parse, clause) for clause in parse.clauses):
        return True
    return not parse.clauses and _more_said(parse)


def _outcome_left(offer: Offer) -> bool:
    """`how many away games did they win`: games counted, whoever won them."""
    parse, relation = offer.parse, offer.part.relation
    counts = isinstance(relation, Aggregate) and relation.measures[0].function == "count"
    unknown = {parse.tokens[place].lemma for place in parse.unexplained()}
    games = any(
        isinstance(mention, RowsMention) and parse.tokens[mention.start].lemma in _GAMES for mention in parse.mentions
    )
    return counts and games and bool(unknown & _OUTCOMES)


def _singles_out(parse: Parse, clause: Clause) -> bool:
    facts = parse.facts(clause.column)
    rows = parse.table.facts.rows
    return (
        len(clause.values) == 1
        and not clause.negated
        and isinstance(clause.condition, Compare)
        and facts.kind in {"text", "mixed"}
        and facts.distinct == rows > 1
    )


def _more_said(parse: Parse) -> bool:
    """Of the whole table: a word is left that would have been a condition, or what is counted is unknown."""
    unknown = [place for place in parse.unexplained() if parse.tokens[place].lemma not in LIGHT]
    heads = {
        word.end for word in parse.mentions if isinstance(word, WordMention) and word.code in {"count", "aggregate"}
    }
    nouns = [place for place in unknown if place in heads]
    rows = any(isinstance(mention, RowsMention) for mention in parse.mentions)
    if len(unknown) > len(nouns) + (0 if rows else 1):
        return True
    known = any(isinstance(mention, ColumnMention | RowsMention) for mention in parse.mentions)
    listed = re.search(r"\b(?:listed|table|list|there|chart)\b", parse.question.lower()) is not None
    return bool(nouns) and not known and not listed
