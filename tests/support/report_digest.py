"""What became of a report, in a line: the kinds of its blocks with the beginnings of their texts."""

from __future__ import annotations

from typing import assert_never

from tablewright.report.blocks import (
    Block,
    ChartBlock,
    CodeBlock,
    Figure,
    Heading,
    ImageRef,
    Inline,
    IsolatedHtml,
    ItemList,
    Paragraph,
    Quote,
    ReportView,
    Rule,
    SavedCode,
    TableBlock,
)

MOST_BLOCKS = 6


def digest(view: ReportView) -> str:
    """Return the first blocks of `view` as text, and how many follow."""
    shown = [_block(block) for block in view.blocks[:MOST_BLOCKS]]
    if len(view.blocks) > MOST_BLOCKS:
        shown.append(f"and {len(view.blocks) - MOST_BLOCKS} more")
    return "; ".join([*shown, *(["cut"] if view.cut else [])]) or "nothing"


def _block(block: Block) -> str:
    match block:
        case Heading() | Paragraph():
            return f"{block.type}({_inline(block.content)})"
        case ItemList():
            return f"list({len(block.items)} items)"
        case Quote():
            return f"quote({len(block.blocks)} blocks)"
        case Rule():
            return "rule"
        case _:
            return _figure(block)


def _figure(block: Figure) -> str:
    match block:
        case CodeBlock():
            return f"code({_short(block.text)})"
        case SavedCode():
            return f"saved code({block.code_id}, {block.description})"
        case TableBlock():
            first = " | ".join(_inline(cell) for cell in (block.rows or ((),))[0][:4])
            return f"table({len(block.rows)} of {block.total_rows} rows × {len(block.header)}: {_short(first)})"
        case ChartBlock():
            kinds = ", ".join(series["type"] for series in block.option["series"])
            return f"chart({kinds}{', without ' + ', '.join(block.dropped) if block.dropped else ''})"
        case IsolatedHtml():
            return f"behind a click({block.reason})"
        case ImageRef():
            return f"image({block.artifact_id})"
        case _:
            assert_never(block)


def _inline(content: Inline) -> str:
    return _short("".join(f"[{span.text}]({span.href})" if span.href else span.text for span in content))


def _short(words: str) -> str:
    return (words if len(words) <= 60 else f"{words[:40]}… of {len(words)}").encode("unicode_escape").decode("ascii")
