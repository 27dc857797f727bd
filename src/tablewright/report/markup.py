"""From markdown with raw HTML to a tree of allowed elements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

MOST_DEPTH = 40
"""Elements below this depth are siblings of their parents."""
MOST_TAGS = 8_000
"""The most elements that a report may open itself, without cells, rows, items and paragraphs, which end each other."""
MOST_WORK = 150_000
"""The most places at which markdown is looked for; a place counts each time it is looked at."""

_DOCUMENT = re.compile(r"\s*(?:<!doctype|<html)", re.IGNORECASE)
_OPENING = re.compile(r"<(?!(?:td|th|tr|li|p|br|hr|img|dt|dd)\b)[a-z]", re.IGNORECASE)
_INLINE = {
    "a",
    "b",
    "code",
    "del",
    "em",
    "i",
    "img",
    "ins",
    "kbd",
    "mark",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "u",
    "br",
}
_BLOCK = {
    "article", "blockquote", "caption", "center",
    "dd", "details", "div", "dl", "dt", "figcaption", "figure", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_DROPPED = {
    "applet",
    "audio", "canvas", "embed", "frame", "frameset", "head", "iframe", "math", "noembed", "noframes", "noscript",
    "object",
    "plaintext", "script", "select", "style", "svg", "template", "textarea", "title", "video", "xmp",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"id"}, "a": {"href"}, "img": {"src", "alt"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"},
    "ol": {"start"}, "code": {"class"},
}  # fmt: skip
_CLEANER = nh3.Cleaner(
    tags=_INLINE | _BLOCK,
    clean_content_tags=_DROPPED,
    attributes=_ATTRIBUTES,
    url_schemes={"http", "https", "mailto", "artifact"},
    strip_comments=True,
)
_VOID = {"br", "hr", "img"}


@dataclass(slots=True, kw_only=True)
class Element:
    """An element with its attributes; children are elements and texts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list[Element | str] = field(default_factory=list["Element | str"])


def tree_of(text: str) -> Element:
    """Return the root of what `text` shows: markdown, or HTML alone if it is a whole document.

    A text that exceeds `MOST_WORK` or `MOST_TAGS` is one paragraph per line.
    """
    if sum(1 for _ in _OPENING.finditer(text)) > MOST_TAGS:
        # The cleaner takes quadratic time for what is nested very deep.
        html = _lines(text)
    else:
        html = text if _DOCUMENT.match(text) else _rendered(text)
    builder = _Builder()
    builder.feed(_CLEANER.clean(html))
    builder.close()
    return builder.root


class _TooMuch(Exception):  # only raised and caught here
    """The text takes too long to read."""


def _rendered(text: str) -> str:
    work = 0

    def counted(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # the signature of markdown-it's rules
        nonlocal work
        del state, silent
        work += 1
        if work > MOST_WORK:
            raise _TooMuch
        return False

    markdown = MarkdownIt("commonmark", {"html": True, "breaks": True, "maxNesting": MOST_DEPTH})
    markdown.enable(["table", "strikethrough"]).disable("code")
    markdown.inline.ruler.before("text", "counted", counted)
    try:
        return str(markdown.render(text))
    except (_TooMuch, RecursionError):
        return _lines(text)


def _lines(text: str) -> str:
    # What was escaped before stays so.
    lines = (escape(line).replace("&amp;lt;", "&lt;") for line in text.split("\n"))
    return "".join(f"<p>{line}</p>" for line in lines if line.strip())


class _Builder(HTMLParser):
    """Builds the tree of HTML that is well formed, as the cleaner writes it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element(tag="root")
        self._open = [self.root]
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag=tag, attributes={name: value or "" for name, value in attrs})
        if tag in _VOID:
            self._open[-1].children.append(made)
        elif len(self._open) > MOST_DEPTH:
            self._skipped += 1
        else:
            self._open[-1].children.append(made)
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if self._skipped:
            self._skipped -= 1
        elif len(self._open) > 1:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)
