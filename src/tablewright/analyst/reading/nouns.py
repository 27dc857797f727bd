"""The noun for the rows where the table does not have the word: `how many bridges are listed?`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.reading.parse import Parse

_LISTED = re.compile(
    r"^(?:how many|what is the (?:total )?number of)(?: total| different)? (?P<noun>[a-z]+s)(?: are| were| is)?"
    r"(?: there| listed| shown| named| included| recorded| mentioned)*(?: (?:in|on) (?:the|this) (?:table|list|chart))?\s*\??$"
)
_UNLIKE = frozenset(
    {"years", "columns", "wins", "losses", "ties", "times", "days", "months", "points", "games", "others"}
)


def read_nouns(parse: Parse) -> None:
    """Take an unknown noun as the rows where nothing else is said of them than that they stand in the table."""
    match = _LISTED.match(parse.question.lower().strip())
    if match is None or match["noun"] in _UNLIKE:
        return
    free = set(parse.unexplained())
    for place, token in enumerate(parse.tokens):
        covered = any(mention.start <= place < mention.end for mention in parse.mentions)
        if token.start == match.start("noun") and place in free and not covered:
            noun = RowsMention(start=place, end=place + 1, score=0.6, column=None)
            parse.mentions.append(noun)
            parse.take(noun)
            return
