"""Nouns for the rows that the table itself does not contain: `how many bridges are listed?`, or `which game` in a
table of opponents and scores."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.reading.parse import Parse

_LISTED = re.compile(
    r"^(?:how many|what is the (?:total )?number of)(?: total| different)? (?P<noun>[a-z]+s)(?: are| were| is)?"
    r"(?: there| listed| shown| named| included| recorded| mentioned)*(?: (?:in|on) (?:the|this) (?:table|list"
    r"|chart))?\s*\??$"
)
_UNLIKE = frozenset(
    {"years", "columns", "wins", "losses", "ties", "times", "days", "months", "points", "games", "others"}
)
_ROWS_OF = (
    ({"game", "match", "fixture"}, ("opponent", "visitor", "visiting", "home team", "away team", "opposition")),
    ({"film", "movie", "picture"}, ("film", "movie", "title")),
    ({"song", "track", "single", "tune"}, ("song", "track", "single", "title")),
    ({"album", "record", "release"}, ("album", "title")),
    ({"race"}, ("grand prix", "race", "race name", "circuit", "event")),
    ({"fight", "bout"}, ("opponent",)),
    ({"episode"}, ("title", "episode title")),
    ({"book", "novel"}, ("title", "book")),
)
"""Nouns for rows, and the names of columns in tables of such rows; the first such column present names the rows."""
_SUBJECTS = frozenset(
    {
        "athlete", "driver", "player", "team", "club", "artist", "singer", "actor", "actress", "band", "group", "rider",
        "cyclist", "swimmer", "boxer", "fighter", "wrestler", "runner", "party", "company", "competitor", "legislator",
    }
)  # fmt: skip
_AUXILIARIES = frozenset(
    {"did", "does", "do", "has", "have", "had", "was", "is", "were", "that", "by", "when", "where"}
)
_DONE = frozenset({"played", "play", "held", "contested", "released", "made", "published", "aired"})
"""Things done with all such rows, which add no condition."""


def read_nouns(parse: Parse) -> None:
    """Take an unknown noun as the noun for the rows, if the columns suggest such things or the question only says
    that they are in the table."""
    if parse.language == "en":
        _read_kinds(parse)
        _read_subjects(parse)
    match = _LISTED.match(parse.question.lower().strip())
    if match is None or match["noun"] in _UNLIKE:
        return
    for place, token in enumerate(parse.tokens):
        if token.start == match.start("noun") and _free(parse, place):
            noun = RowsMention(start=place, end=place + 1, score=0.6, column=None)
            parse.mentions.append(noun)
            parse.take(noun)
            return


def _read_kinds(parse: Parse) -> None:
    names = {" ".join(lemmas(facts.name)): facts.name for facts in parse.table.facts.columns if facts.kind == "text"}
    for place, token in enumerate(parse.tokens):
        kind = next((columns for nouns, columns in _ROWS_OF if token.lemma in nouns), ())
        column = next((names[name] for name in kind if name in names), None)
        if column is None or not _free(parse, place) or _of_columns(parse, token.lemma):
            continue
        parse.mentions.append(RowsMention(start=place, end=place + 1, score=0.7, column=column))
        done = [near for near in range(place + 1, min(place + 4, len(parse.tokens))) if _free(parse, near)]
        if done and parse.tokens[done[0]].norm in _DONE:
            parse.mentions.append(RowsMention(start=done[0], end=done[0] + 1, score=0.5, column=None))


def _read_subjects(parse: Parse) -> None:
    """Take the subject of the whole table (`did the athlete win`), and any plural after `all` (`of all regions`), as
    nouns for the rows."""
    linked = {place for found in parse.table.candidates for place in range(found.start, found.end)}
    for place, token in enumerate(parse.tokens):
        before = parse.gap(max(0, place - 2), place).split()
        subject = token.norm in _SUBJECTS and before[-1:] in (["the"], ["this"]) and before[0] in _AUXILIARIES
        plural = token.norm != token.lemma and (before[-1:] == ["all"] or before == ["all", "the"])
        if (subject or plural) and place not in linked and _free(parse, place):
            parse.mentions.append(RowsMention(start=place, end=place + 1, score=0.5, column=None))


def _of_columns(parse: Parse, noun: str) -> bool:
    """Return whether a numeric column counts such things (`Games`), so that they are not the rows."""
    return any(noun in lemmas(facts.name) for facts in parse.table.facts.columns if parse.numeric(facts.name))


def _free(parse: Parse, place: int) -> bool:
    covered = any(mention.start <= place < mention.end for mention in parse.mentions)
    return not covered and parse.tokens[place].kind == "word" and place in parse.unexplained()
