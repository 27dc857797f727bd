"""A report as slides: one HTML file that loads nothing; keys turn its pages, and without scripts it is scrolled."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from tablewright.report.blocks import (
    Block,
    ChartBlock,
    CodeBlock,
    Heading,
    ImageRef,
    ItemList,
    Paragraph,
    Quote,
    ReportMeta,
    ReportView,
    Rule,
    SavedCode,
    Span,
    TableBlock,
    plain,
)
from tablewright.report.html_file import html_of, inline_html
from tablewright.texts.catalogue import text

DEEPEST = 2
"""Headings up to this level begin a slide."""
ROOM = 700
"""What fits on a slide, in characters of running text."""
TABLE_ROWS = 10
"""The rows of a table that a slide has; the others follow on further ones."""
MOST = 200
"""The slides that are made of one report."""

_STYLE = """
html{scroll-snap-type:y mandatory}
body{margin:0;color:#1d2733;background:#e9edf2;line-height:1.5;counter-reset:slide;
font-family:"Noto Sans CJK SC","Microsoft YaHei","PingFang SC",Arial,sans-serif;overflow-wrap:anywhere}
section{box-sizing:border-box;min-height:100vh;padding:5vh 7vw 7vh;scroll-snap-align:start;position:relative;
background:#fff;border-bottom:1px solid #d5dce4;font-size:clamp(14px,2.2vmin,26px);counter-increment:slide}
section::after{content:counter(slide);position:absolute;right:2vw;bottom:2vh;color:#8a97a6;font-size:.8em}
section.first{display:flex;flex-direction:column;justify-content:center;background:#14324f;color:#fff}
h1{font-size:2.2em;margin:0}h2{font-size:1.5em;margin:0 0 .6em;color:#14324f}.first h2{color:#fff}
table{border-collapse:collapse;font-size:.85em}th,td{border:1px solid #ccd4dd;padding:.25em .7em;text-align:left}
th{background:#eef2f6}pre{background:#f4f6f8;padding:.8em;white-space:pre-wrap;font-size:.8em}
figure{margin:0}svg,img{max-width:100%;max-height:68vh;height:auto}
blockquote{border-left:4px solid #ccd4dd;margin-left:0;padding-left:1em}.note{color:#667;font-size:.8em}
@media print{section{break-after:page;border:0}}
"""
_SCRIPT = """
(function(){
var all=document.querySelectorAll('section');
function at(){var found=0;all.forEach(function(one,n){if(one.getBoundingClientRect().top<innerHeight/2)found=n});
return found}
var by={ArrowRight:1,ArrowDown:1,PageDown:1,' ':1,ArrowLeft:-1,ArrowUp:-1,PageUp:-1,Home:-1e9,End:1e9};
addEventListener('keydown',function(event){
var step=by[event.key];
if(!step||event.ctrlKey||event.metaKey||event.altKey)return;
if(event.key===' '&&event.shiftKey)step=-1;
event.preventDefault();
all[Math.max(0,Math.min(all.length-1,at()+step))].scrollIntoView();
});
})();
"""
_HASH = b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; script-src 'sha256-{_HASH}'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of the file: its own style, pictures and script, nothing else."""


@dataclass(slots=True, kw_only=True)
class Slide:
    """A slide: its heading, and what stands below it. `weight` is how full it is, in characters."""

    title: Heading
    blocks: list[Block] = field(default_factory=list[Block])
    weight: int = 0


def write_slides(view: ReportView, meta: ReportMeta, path: Path) -> None:
    """Write the report as slides that show the same without a network."""
    path.write_text(slides_document(view, meta), encoding="utf-8")


def slides_document(view: ReportView, meta: ReportMeta) -> str:
    """Return the report as an HTML document of slides."""
    title, blocks = _title(view, meta)
    made = slides_of(blocks, title)
    cut = view.cut or len(made) > MOST
    body = "\n".join((_first(title, meta, cut=cut), *(_section(slide, meta) for slide in made[:MOST])))
    name = escape(plain(title.content))
    return (
        f'<!DOCTYPE html>\n<html lang="{meta.language}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">\n'
        f"<title>{name}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n"
        f"<script>{_SCRIPT}</script>\n</body></html>\n"
    )


def slides_of(blocks: tuple[Block, ...], title: Heading) -> list[Slide]:
    """Return blocks as slides. A heading begins one, and what has no room on a slide the next one of its heading."""
    slides: list[Slide] = []
    current = Slide(title=title)
    for block in blocks:
        if isinstance(block, Heading) and block.level <= DEEPEST:
            slides.append(current)
            current = Slide(title=block)
            continue
        if isinstance(block, Rule):
            continue
        for part in _parts(block):
            weight = _weight(part)
            if current.blocks and current.weight + weight > ROOM:
                slides.append(current)
                current = Slide(title=current.title)
            current.blocks.append(part)
            current.weight += weight
    slides.append(current)
    return [slide for slide in slides if slide.blocks or slide.title is not title]


def _title(view: ReportView, meta: ReportMeta) -> tuple[Heading, tuple[Block, ...]]:
    """Return the title of the slides, and the blocks after it."""
    first = view.blocks[0] if view.blocks else None
    if isinstance(first, Heading) and first.level == 1:
        return first, view.blocks[1:]
    return Heading(level=1, content=(Span(text=meta.title),)), view.blocks


def _parts(block: Block) -> Iterator[Block]:
    """Yield what a block is divided into where it is longer than a slide; nothing is left out."""
    if isinstance(block, TableBlock) and len(block.rows) > TABLE_ROWS:
        left_out = block.total_rows - len(block.rows)
        pieces = [block.rows[at : at + TABLE_ROWS] for at in range(0, len(block.rows), TABLE_ROWS)]
        for number, rows in enumerate(pieces, start=1):
            total = len(rows) + (left_out if number == len(pieces) else 0)
            yield replace(block, rows=rows, total_rows=total)
    elif isinstance(block, ItemList) and _weight(block) > ROOM:
        for number, item in enumerate(block.items):
            yield replace(block, items=(item,), start=block.start + number)
    else:
        yield block


def _weight(block: Block) -> int:
    match block:
        case Heading() | Paragraph():
            return 40 + len(plain(block.content))
        case ItemList():
            return sum(20 + sum(map(_weight, item)) for item in block.items)
        case Quote():
            return sum(map(_weight, block.blocks))
        case CodeBlock():
            return len(block.text)
        case TableBlock():
            return 60 * (len(block.rows) + 1)
        case ChartBlock() | ImageRef() | SavedCode():
            return ROOM
        case _:
            return 80


def _first(title: Heading, meta: ReportMeta, *, cut: bool) -> str:
    note = f'<p class="note">{escape(text("document.cut", meta.language))}</p>' if cut else ""
    return f'<section class="first"><h1>{inline_html(title.content)}</h1>{note}</section>'


def _section(slide: Slide, meta: ReportMeta) -> str:
    body = "\n".join(html_of(block, meta) for block in slide.blocks)
    return f"<section><h2>{inline_html(slide.title.content)}</h2>\n{body}</section>"
