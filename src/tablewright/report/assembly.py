"""From a tree of allowed elements to blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from tablewright.report.blocks import (
    Block,
    ChartBlock,
    CodeBlock,
    Heading,
    ImageRef,
    Inline,
    ItemList,
    Paragraph,
    Quote,
    Rule,
    Span,
    TableBlock,
)
from tablewright.report.marks import MarkedText
from tablewright.report.markup import Element
from tablewright.report.tables import Row, grid

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f\x7f]{1,2000}", re.IGNORECASE)
_LANGUAGE = re.compile(r"language-([\w+#-]{1,30})")
_BOLD, _ITALIC, _STRIKE, _CODE = {"b", "strong", "summary"}, {"em", "i"}, {"del", "s"}, {"code", "kbd"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_TEXT = _BOLD | _ITALIC | _STRIKE | _CODE | {"a", "br", "img", "ins", "mark", "small", "span", "sub", "sup", "u"}
_TEXT -= {"summary"}
_PLAIN = Span(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """What is put in: the blocks of each mark by its index, charts by the id of their element, images by source."""

    marked: MarkedText
    by_mark: Mapping[int, tuple[Block, ...]]
    by_element: dict[str, tuple[ChartBlock, ...]]
    """Emptied as the elements are found."""
    images: Mapping[str, str]
    traced: re.Pattern[str]
    """Finds numbers of which the origin is known: that, and the words."""


def blocks_of(root: Element, inserted: Inserted) -> tuple[Block, ...]:
    """Return the blocks of everything below `root`; charts whose element is nowhere come last."""
    blocks = _Assembly(inserted).blocks(root)
    return (*blocks, *chain.from_iterable(inserted.by_element.values()))


class _Assembly:
    """Collects blocks; what stands inside a heading or a cell and is a block itself comes after it."""

    def __init__(self, inserted: Inserted) -> None:
        self._inserted = inserted
        self._late: list[Block] = []

    def blocks(self, element: Element) -> tuple[Block, ...]:
        """Return the blocks of the children of `element`."""
        made: list[Block] = []
        spans: list[Span] = []
        for child in element.children:
            if isinstance(child, str) or child.tag in _TEXT:
                self._run(child, spans, made)
                continue
            _flush(spans, made)
            made.extend(self._block(child))
        _flush(spans, made)
        return tuple(made)

    def _run(self, child: Element | str, spans: list[Span], made: list[Block]) -> None:
        """Add a text to `spans`; the blocks in it end the paragraph."""
        for piece in self._pieces(child, _PLAIN):
            if isinstance(piece, Span):
                spans.append(piece)
            else:
                _flush(spans, made)
                made.append(piece)

    def _block(self, element: Element) -> Iterator[Block]:
        yield from self._inserted.by_element.pop(element.attributes.get("id", ""), ())
        yield from self._own(element)
        yield from self._late
        self._late.clear()

    def _own(self, element: Element) -> Iterator[Block]:
        tag = element.tag
        if tag in _HEADINGS:
            content = _tidy(self._inline(element, _PLAIN))
            if content:
                yield Heading(level=int(tag[1]), content=content)
        elif tag in {"ul", "ol"}:
            yield self._list(element)
        elif tag == "blockquote":
            yield Quote(blocks=self.blocks(element))
        elif tag == "pre":
            yield self._code(element)
        elif tag == "table":
            yield self._table(element)
        elif tag == "hr":
            yield Rule()
        else:
            yield from self.blocks(element)

    def _list(self, element: Element) -> ItemList:
        items = [self.blocks(child) for child in element.children if isinstance(child, Element) and child.tag == "li"]
        start = element.attributes.get("start", "")
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
        return ItemList(items=tuple(item for item in items if item), ordered=element.tag == "ol", start=number)

    def _code(self, element: Element) -> CodeBlock:
        inner = [child for child in element.children if isinstance(child, Element) and child.tag == "code"]
        language = _LANGUAGE.search(inner[0].attributes.get("class", "")) if len(inner) == 1 else None
        return CodeBlock(text=self._raw(element).strip("\n"), language=language[1] if language else "")

    def _table(self, element: Element) -> TableBlock:
        rows = [
            Row(
                header=within == "thead" or all(cell.tag == "th" for cell in cells),
                cells=tuple((_tidy(self._inline(cell, _PLAIN)), cell.attributes) for cell in cells),
            )
            for within, cells in _rows(element)
        ]
        return grid(rows)

    def _inline(self, element: Element, look: Span) -> Iterator[Span]:
        """Yield the text of `element`; blocks in it are kept for later."""
        for child in element.children:
            for piece in self._pieces(child, look):
                if isinstance(piece, Span):
                    yield piece
                else:
                    self._late.append(piece)

    def _pieces(self, child: Element | str, look: Span) -> Iterator[Span | Block]:
        if isinstance(child, str):
            yield from self._text(child, look)
        elif child.tag == "br":
            yield replace(look, text="\n")
        elif child.tag == "img":
            yield from self._image(child, look)
        else:
            yield from self._inserted.by_element.pop(child.attributes.get("id", ""), ())
            if child.tag not in _TEXT:
                yield replace(look, text="\n")
            inner = _look(child, look)
            for one in child.children:
                yield from self._pieces(one, inner)

    def _text(self, words: str, look: Span) -> Iterator[Span | Block]:
        parts = self._inserted.marked.pattern.split(words)
        for at, part in enumerate(parts):
            if at % 2 == 0:
                yield from self._words(part, look)
            elif look.code:
                yield replace(look, text=self._inserted.marked.marks[int(part)].raw)
            else:
                yield from self._inserted.by_mark.get(int(part), ())

    def _words(self, words: str, look: Span) -> Iterator[Span]:
        plain, *traced = self._inserted.traced.split(words)
        if plain:
            yield replace(look, text=plain)
        for at in range(0, len(traced), 3):
            origin, number, after = traced[at : at + 3]
            yield replace(look, text=number, origin=None if look.code else int(origin))
            if after:
                yield replace(look, text=after)

    def _image(self, element: Element, look: Span) -> Iterator[Span | Block]:
        source = element.attributes.get("src", "")
        known = self._inserted.images.get(source.removeprefix("artifact:"))
        alt = element.attributes.get("alt", "")[:500]
        if known is not None:
            yield ImageRef(artifact_id=known, alt=alt)
        elif alt:
            yield replace(look, text=alt)

    def _raw(self, element: Element) -> str:
        """Return the text of code, with what was taken out of it put back."""
        marked = self._inserted.marked
        text = "".join(child if isinstance(child, str) else self._raw(child) for child in element.children)
        whole = marked.pattern.sub(lambda found: marked.marks[int(found[1])].raw, text)
        return self._inserted.traced.sub(lambda found: found[2], whole)


def _look(element: Element, look: Span) -> Span:
    tag = element.tag
    href = element.attributes.get("href", "") if tag == "a" else ""
    return replace(
        look,
        bold=look.bold or tag in _BOLD,
        italic=look.italic or tag in _ITALIC,
        code=look.code or tag in _CODE,
        strike=look.strike or tag in _STRIKE,
        href=href if _ADDRESS.fullmatch(href) else look.href,
    )


def _rows(element: Element, within: str = "") -> Iterator[tuple[str, list[Element]]]:
    """Yield the part of the table and the cells of each row."""
    for child in element.children:
        if not isinstance(child, Element):
            continue
        if child.tag == "tr":
            yield within, [cell for cell in child.children if isinstance(cell, Element) and cell.tag in {"td", "th"}]
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from _rows(child, child.tag)


def _flush(spans: list[Span], made: list[Block]) -> None:
    content = _tidy(spans)
    spans.clear()
    if content:
        made.append(Paragraph(content=content))


def _tidy(spans: Iterator[Span] | list[Span]) -> Inline:
    """Return `spans` with spaces as a browser shows them, and neighbours of one look joined."""
    joined: list[Span] = []
    for span in spans:
        broken = span.text == "\n"
        words = "\n" if broken else re.sub(r"[ \t\n\f\r]+", " ", span.text)
        before = joined[-1].text if joined else "\n"
        if before.endswith(("\n", " ")) and not broken:
            words = words.lstrip(" ")
        if not words:
            continue
        if joined and replace(joined[-1], text="") == replace(span, text=""):
            joined[-1] = replace(span, text=before + words)
        else:
            joined.append(replace(span, text=words))
    return _trimmed(joined)


def _trimmed(spans: list[Span]) -> Inline:
    while spans and not spans[-1].text.strip():
        spans.pop()
    while spans and not spans[0].text.strip():
        spans.pop(0)
    if spans:
        spans[0] = replace(spans[0], text=spans[0].text.lstrip())
        spans[-1] = replace(spans[-1], text=spans[-1].text.rstrip())
    return tuple(spans)
