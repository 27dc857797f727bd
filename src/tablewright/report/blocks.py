"""What a report consists of, as typed blocks. Only `IsolatedHtml` carries markup of whoever wrote the report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.domain.language import Language

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Text of one look; `href` is an http, https or mailto address. A line break is a newline in the text.

    A number of which it is known comes from the `origin` of that number.
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    href: str | None = None
    origin: Annotated[int | None, Field(exclude_if=lambda origin: origin is None)] = None


Inline = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    content: Inline
    type: Literal["heading"] = "heading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text."""

    content: Inline
    type: Literal["paragraph"] = "paragraph"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    """A list; each item is a tuple of blocks. `start` is the number of the first item if it is ordered."""

    items: tuple[tuple[Block, ...], ...]
    ordered: bool = False
    start: int = 1
    type: Literal["list"] = "list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Blocks that are quoted."""

    blocks: tuple[Block, ...]
    type: Literal["quote"] = "quote"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """Code or other text of fixed width; `language` is empty if unknown."""

    text: str
    language: str = ""
    type: Literal["code"] = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCode:
    """The place of code that was saved from the report. Only codes that the caller knows have such a block."""

    code_id: str
    description: str
    type: Literal["saved_code"] = "saved_code"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """A table, as wide as its header; `total_rows` counts also the rows that were left out."""

    header: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]
    total_rows: int
    type: Literal["table"] = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBlock:
    """A chart: an ECharts option that is data and nothing else. `dropped` are the paths of keys that were left out."""

    option: dict[str, Any]
    dropped: tuple[str, ...] = ()
    type: Literal["chart"] = "chart"


IsolationReason = Literal["script", "not_data", "no_chart", "too_large"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolatedHtml:
    """HTML that may run scripts. Show it only after an explicit click, in a frame without any access.

    `reason`: `script` is other than a chart, an option is `not_data`, is `no_chart` that is known, or is `too_large`.
    """

    html: str
    reason: IsolationReason
    type: Literal["isolated"] = "isolated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRef:
    """An image of the conversation, by the id of its artifact."""

    artifact_id: str
    alt: str = ""
    type: Literal["image"] = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across."""

    type: Literal["rule"] = "rule"


TextBlock = Heading | Paragraph | ItemList | Quote | Rule
Figure = CodeBlock | SavedCode | TableBlock | ChartBlock | IsolatedHtml | ImageRef
Block = TextBlock | Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A report as blocks. `cut`: it was longer than what is read of one, and ends early."""

    blocks: tuple[Block, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A step that numbers of a report come from: its number within the run, its name and its code."""

    number: int
    name: str
    code: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMeta:
    """What a document says besides the report: its title and language, the saved code by id, and the steps that its
    numbers come from."""

    title: str
    language: Language = "en"
    codes: dict[str, str] = field(default_factory=dict[str, str])
    images: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """PNG images by artifact id; those that are missing are named instead."""
    origins: tuple[Origin, ...] = ()


def plain(content: Inline) -> str:
    """Return the text of `content` without its look."""
    return "".join(span.text for span in content)


def origins_in(contents: Iterable[Inline]) -> tuple[int, ...]:
    """Return the numbers of the origins of texts, each once."""
    found = (span.origin for content in contents for span in content)
    return tuple(dict.fromkeys(origin for origin in found if origin is not None))


def is_titled(view: ReportView) -> bool:
    """Return whether the report begins with its own title."""
    first = view.blocks[0] if view.blocks else None
    return isinstance(first, Heading) and first.level == 1


def writable(words: str) -> str:
    """Return `words` without characters that XML cannot hold."""
    return _UNWRITABLE.sub("", words)
