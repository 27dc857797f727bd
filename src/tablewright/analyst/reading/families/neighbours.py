"""Questions of place: `Who came after X?`, `what is the last city on the list?`, `the first year in which …`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, WordMention
from tablewright.analyst.plan import Aggregate, Col, Measure, Part, Position, Procedure, Relation, Sort, Top
from tablewright.analyst.reading.entities import entity, targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import remaining, show
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.stretches import tells_time

_NUMBER = re.compile(r"^(?:(?:what|tell me) (?:is |was )?)?the (?:total )?number of\b")


def neighbours(parse: Parse) -> Offer | None:
    """Offer the first or last of the selected rows, by time if the table has it."""
    word = _place_word(parse)
    if word is None or parse.has("count") or parse.has("difference"):
        return None
    last = _is_last(parse, word)
    parse.take(word)
    listed = _listed(parse)
    asked = targets(parse)
    asked = asked or remaining(parse)[:2]
    time = None if listed else tells_time(parse)
    if len(asked) > 1 and not parse.has("and"):
        asked = [column for column in asked if column != time]
    if (not asked and not parse.clauses) or (len(asked) > 1 and not parse.has("and")):
        return None
    source: Relation = parse.source()
    if time is not None and asked[:1] == [time]:
        measure = Measure(name=time, function="max" if last else "min", of=Col(name=time))
        return Offer(
            part=Part(relation=Aggregate(source=source, groups=(), measures=(measure,))),
            parse=parse,
            family="neighbours",
            fit=1.02,
        )
    chosen: Relation = Position(source=source, count=-1 if last else 1)
    if time is not None and last and _ascends(parse, time):
        chosen = Position(source=Sort(source=source, keys=((time, False),)), count=-1)
    elif time is not None:
        chosen = Top(source=source, by=time, count=1, descending=last, ties=False)
    part = show(chosen, asked or [entity(parse)], [])
    return Offer(part=part, parse=parse, family="neighbours", fit=1.0)


def _place_word(parse: Parse) -> WordMention | NumberMention | None:
    words: list[WordMention | NumberMention] = [word for word in parse.words("top", "row") if _said_alone(parse, word)]
    firsts = [
        number
        for number in parse.free(NumberMention)
        if number.ordinal and number.value == 1 and _said_alone(parse, number)
    ]
    return next(iter([*words, *firsts]), None)


def _said_alone(parse: Parse, word: WordMention | NumberMention) -> bool:
    """Return whether a word means a single place: not `first 5`, and not `next` or `previous`, which need a
    neighbour."""
    if isinstance(word, WordMention) and word.value in {"next", "previous"}:
        return False
    return parse.after(word.end, NumberMention, 0) is None


def _is_last(parse: Parse, word: WordMention | NumberMention) -> bool:
    if isinstance(word, NumberMention):
        return False
    said = parse.gap(word.start, word.end)
    return word.value in {"last", "min"} or "last" in said or "最后" in said


def _listed(parse: Parse) -> bool:
    text = parse.question.lower()
    return any(
        said in text
        for said in (
            "listed",
            "on the list",
            "in the list",
            "on the table",
            "in the table",
            "on this list",
            "on the chart",
            "表中",
            "列表",
        )
    )


def _ascends(parse: Parse, time: str) -> bool:
    """Return whether the table is in order of time, so that among the rows of its last year, the last row is the
    latest."""
    samples = [str(sample) for sample in parse.facts(time).samples if sample is not None]
    return len(samples) > 1 and samples == sorted(samples)


def following(parse: Parse) -> Offer | None:
    """Offer the row after or before a named one."""
    word = next(
        (
            word
            for word in [*parse.words("row"), *parse.words("after", "before")]
            if word.value in {"next", "previous", ""}
        ),
        None,
    )
    anchor = next((clause for clause in parse.clauses if clause.values and not clause.negated), None)
    if word is None or anchor is None or parse.has("count") or _NUMBER.match(parse.question.lower()):
        return None
    back = word.value == "previous" or word.code == "before"
    parse.take(*parse.words("row", "after", "before"))
    kind = next((named for named in parse.free(ColumnMention) if named.end <= word.start), None)
    same = kind is not None and kind.column == anchor.column and parse.has("wh", "who")
    asked = [anchor.column] if same else targets(parse) or remaining(parse)
    asked = [column for column in asked if column != anchor.column] or [anchor.column]
    for mention in list(parse.free(ColumnMention)):
        parse.take(mention)
    rest = [clause for clause in parse.clauses if clause is not anchor]
    if rest:
        return None
    source: Relation = Procedure(
        source=parse.base(),
        name="neighbour",
        columns=(anchor.column,),
        options={"value": anchor.values[0], "offset": -1 if back else 1},
    )
    return Offer(part=show(source, asked[:1], []), parse=parse, family="following", fit=1.03)
