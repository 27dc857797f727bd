"""Where the numbers of a report come from: the steps, and marks in its text from which documents link to them."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tablewright.domain.language import Language
from tablewright.report.blocks import Origin
from tablewright.texts.catalogue import text

_FIRST, _SEPARATOR, _LAST = "\ue000", "\ue002", "\ue001"
_UNTOUCHED = re.compile(
    r"""
    (?P<fence>^[ \t>]{0,20}(?P<sign>`{3,20}|~{3,20})[^\n]*\n.*?(?:^[ \t>]{0,20}(?P=sign)[`~]{0,20}[ \t]*$|\Z))
    | <(?P<tag>script|style|textarea|title|xmp)\b.*?(?:</(?P=tag)|\Z)
    | <!--.*?(?:-->|\Z)
    | </?[a-zA-Z][^<>]*>
    | (?<!`)(?P<ticks>`{1,20})(?!`)[^\n]{0,500}?(?<!`)(?P=ticks)(?!`)
    | !?\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)
    | (?:https?://|mailto:)\S+
    | &[\#\w]{1,20};
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
"""Code, markup and links: what is a number there is no text, or is part of something else.

What may fail to end is bounded, so that a text of openings alone takes a time that grows with its length.
"""
MOST_CHARACTERS = 150_000
"""No number behind this many characters is linked."""


_Make = Callable[[int, str, int], str]
"""Makes what stands in a text from the number of an origin, the words of a link, and where they stood."""
_HTML_BLOCK = re.compile(r"^ {0,3}</?[a-z!][^\n]*(?:\n(?![ \t]*$)[^\n]*)*", re.MULTILINE | re.IGNORECASE)
"""A block that begins with a tag: markdown is not read in it before an empty line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginLink:
    """The number that stands between `start` and `end` of a report comes from the origin `number`."""

    start: int
    end: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedText:
    """A text with marks around its linked numbers; `pattern` finds them: the number of the origin, then the words."""

    text: str
    pattern: re.Pattern[str]


def linked_text(report: str, links: Sequence[OriginLink]) -> LinkedText:
    """Return a report with marks that nobody can foresee around the numbers of `links`."""
    nonce = hashlib.sha256(f"origins {report}".encode("utf-8", "replace")).hexdigest()[:20]
    made = _with(report, links, lambda number, words, _: f"{_FIRST}{nonce}{number}{_SEPARATOR}{words}{_LAST}")
    return LinkedText(text=made, pattern=re.compile(f"{_FIRST}{nonce}(\\d+){_SEPARATOR}([^{_LAST}]*){_LAST}"))


def linked_markdown(report: str, links: Sequence[OriginLink]) -> str:
    """Return a report with links around the numbers, as markdown has them; in blocks of HTML, where markdown is not
    read, as HTML has them."""
    html = [found.span() for found in _HTML_BLOCK.finditer(report)]

    def made(number: int, words: str, at: int) -> str:
        place = bisect_right(html, (at, len(report)))
        in_html = place > 0 and at < html[place - 1][1]
        return f'<a href="#{anchor(number)}">{words}</a>' if in_html else f"[{words}](#{anchor(number)})"

    return _with(report, links, made)


def anchor(number: int) -> str:
    """Return the name of the place where an origin stands in a document."""
    return f"origin-{number}"


def step_title(origin: Origin, language: Language) -> str:
    """Return the heading above the code of an origin."""
    return text("document.origin", language, number=origin.number, name=origin.name)


def linked(report: str, links: Sequence[OriginLink]) -> tuple[OriginLink, ...]:
    """Return the links of which the number stands in the text of a report, in order."""
    return tuple(_placed(report, links))


def used(origins: Sequence[Origin], links: Sequence[OriginLink]) -> tuple[Origin, ...]:
    """Return the origins that a link leads to."""
    numbers = {link.number for link in links}
    return tuple(origin for origin in origins if origin.number in numbers)


def _with(report: str, links: Sequence[OriginLink], make: _Make) -> str:
    pieces: list[str] = []
    at = 0
    for link in _placed(report, links):
        pieces += [report[at : link.start], make(link.number, report[link.start : link.end], link.start)]
        at = link.end
    return "".join([*pieces, report[at:]])


def _placed(report: str, links: Sequence[OriginLink]) -> Iterator[OriginLink]:
    ordered = sorted(links, key=lambda link: link.start)
    closed = [found.span() for found in _UNTOUCHED.finditer(report, 0, MOST_CHARACTERS)] if ordered else []
    at = place = 0
    for link in ordered:
        while place < len(closed) and closed[place][1] <= link.start:
            place += 1
        inside = place < len(closed) and closed[place][0] < link.end
        if not inside and link.start >= at and "\n" not in report[link.start : link.end] and link.end < MOST_CHARACTERS:
            yield link
            at = link.end
