"""What kind of answer a question word asks for, and whether the result of a plan can be one."""

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
    r"^(?:on |in |for |of )?(?:how many|how often|(?:what|whats|what's) (?:is |was |are "
    r"|were )?the (?:total )?number of)\b"
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
"""Words for events, in groups of the same meaning; words of two groups mean two different dates."""
_GAMES = frozenset({"game", "match", "fixture", "fight", "bout"})
_OUTCOMES = frozenset({"win", "won", "lose", "lost", "draw", "drawn", "tie", "tied", "beat", "defeat", "defeated"})
_DIGITS = 0.5
_DAY = re.compile(
    r"\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)[a-z]* \d",
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
"""Words that add little to the noun for a table's subject."""


def misses_kind(offer: Offer) -> bool:
    """Return whether the plan's result cannot be the kind of thing that an English question asks for."""
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
    """Return the table columns that a result shows unchanged."""
    return [named.name for named in relation.columns] if isinstance(relation, Project) else []


def _no_number(parse: Parse, question: str, relation: Relation, asked: list[str]) -> bool:
    """Return whether `How many …` would be answered with something else than a number: names, several rows, or a
    percentage."""
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
    """Return whether `What is the average …` would be answered with names or several columns, or with a share
    instead of a mean."""
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
    """Return whether `Who has more …, A or B?` would be answered with neither name, or without a comparison."""
    if not _CHOICE.match(question) or not parse.has("or"):
        return False
    named: dict[str, int] = {}
    for clause in parse.clauses:
        named[clause.column] = named.get(clause.column, 0) + (1 if clause.values else 0)
    pairs = {column for column, count in named.items() if count > 1}
    return bool(pairs) and (not set(asked) & pairs or offer.family == "listing")


def _counts_instead(question: str, relation: Relation) -> bool:
    """Return whether `Which …` or `who …` would be answered with a count."""
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
    """Return whether the column dates another event than the question names (`when was it closed` answered with its
    opening)."""
    named = {place for place, group in enumerate(_EVENTS) if group & set(lemmas(facts.name))}
    unknown = {parse.tokens[place].norm for place in parse.unexplained()}
    said = {place for place, group in enumerate(_EVENTS) if group & unknown}
    return bool(named) and bool(said) and not named & said


def _facts(parse: Parse, column: str) -> ColumnFacts | None:
    """Return the facts of a column of the table; None for a column made by the plan, such as a group."""
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
    """Return whether a yes-or-no question, or one that offers two choices, would be answered with other columns."""
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
    """Return whether the result only repeats the one value given in the question."""
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
    """Return whether `Which nation …` would be answered with an unrelated column: without a column of that name,
    only the one that names the rows may answer."""
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
    """Return whether a count is pointless: of what a single name already identifies, or of things the table does not
    mention."""
    parse, relation = offer.parse, offer.part.relation
    if not isinstance(relation, Aggregate) or relation.groups:
        return False
    counts = relation.measures[0].function.startswith("count")
    if counts and any(_singles_out(parse, clause) for clause in parse.clauses):
        return True
    return not parse.clauses and _more_said(parse)


def _outcome_left(offer: Offer) -> bool:
    """Return whether games are counted although the outcome asked for was not read (`how many away games did they
    win`)."""
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
    """Return whether a plan over the whole table leaves a word unexplained that must be a condition, or does not
    know what is counted."""
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
