"""A report as one HTML file: charts are drawn, nothing is loaded, and there is no script in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path
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
    ReportMeta,
    ReportView,
    Rule,
    SavedCode,
    Span,
    TableBlock,
    is_titled,
)
from tablewright.report.chart_data import cell_text, chart_data, chart_table, title_of
from tablewright.report.origins import anchor, step_title
from tablewright.report.svg import svg_of
from tablewright.texts.catalogue import text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of the file: its own style and pictures, nothing else."""

_STYLE = """
body{font-family:"Noto Sans CJK SC","Microsoft YaHei","PingFang SC",Arial,sans-serif;color:#222;line-height:1.6;
max-width:860px;margin:2em auto;padding:0 1em;overflow-wrap:anywhere}
table{border-collapse:collapse;margin:.8em 0;font-size:.92em}
th,td{border:1px solid #ccc;padding:.25em .6em;text-align:left}
th{background:#f3f5f8}pre{background:#f6f6f6;padding:.8em;white-space:pre-wrap}code{background:#f6f6f6}
blockquote{border-left:3px solid #ccc;margin-left:0;padding-left:1em;color:#555}svg,img{max-width:100%;height:auto}
a.origin{color:inherit;text-decoration:underline dotted #888;text-underline-offset:.2em}
.note{color:#666;font-size:.9em}figure{margin:1em 0;break-inside:avoid}tr{break-inside:avoid}
"""


def write_html(view: ReportView, meta: ReportMeta, path: Path) -> None:
    """Write the report as a file that shows the same without a network."""
    path.write_text(html_document(view, meta), encoding="utf-8")


def html_document(view: ReportView, meta: ReportMeta) -> str:
    """Return the report as an HTML document."""
    title = escape(meta.title)
    body = "\n".join(html_of(block, meta) for block in view.blocks)
    if view.cut:
        body += "\n" + _note(text("document.cut", meta.language))
    body += _origins(meta)
    heading = "" if is_titled(view) else f"<h1>{title}</h1>\n"
    return (
        f'<!DOCTYPE html>\n<html lang="{meta.language}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>\n{heading}{body}\n</body></html>\n"
    )


def html_of(block: Block, meta: ReportMeta) -> str:
    """Return a block as HTML that is safe in any page: every text is escaped, every tag is ours."""
    match block:
        case Heading():
            return f"<h{block.level}>{inline_html(block.content)}</h{block.level}>"
        case Paragraph():
            return f"<p>{inline_html(block.content)}</p>"
        case ItemList():
            return _list(block, meta)
        case Quote():
            return f"<blockquote>{_all(block.blocks, meta)}</blockquote>"
        case Rule():
            return "<hr>"
        case _:
            return _figure(block, meta)


def _figure(block: Figure, meta: ReportMeta) -> str:
    match block:
        case CodeBlock():
            return f"<pre><code>{escape(block.text)}</code></pre>"
        case SavedCode():
            return _saved(block, meta)
        case TableBlock():
            return _table(block, meta)
        case ChartBlock():
            return _chart(block, meta)
        case IsolatedHtml():
            return _note(text("document.isolated", meta.language))
        case ImageRef():
            return _image(block, meta)
        case _:
            assert_never(block)


def inline_html(content: Inline) -> str:
    """Return running text as HTML."""
    return "".join(map(_span, content))


def _span(span: Span) -> str:
    made = escape(span.text).replace("\n", "<br>\n")
    for tag, wanted in (("code", span.code), ("s", span.strike), ("em", span.italic), ("strong", span.bold)):
        if wanted:
            made = f"<{tag}>{made}</{tag}>"
    if span.href is None:
        return made if span.origin is None else f'<a class="origin" href="#{anchor(span.origin)}">{made}</a>'
    return f'<a href="{escape(span.href)}" rel="noopener noreferrer nofollow" target="_blank">{made}</a>'


def _origins(meta: ReportMeta) -> str:
    """Return the steps that numbers come from, each where the links to it lead."""
    if not meta.origins:
        return ""
    steps = (
        f'<h3 id="{anchor(origin.number)}">{escape(step_title(origin, meta.language))}</h3>\n'
        f"<pre><code>{escape(origin.code)}</code></pre>"
        for origin in meta.origins
    )
    return f"\n<h2>{escape(text('document.origins', meta.language))}</h2>\n" + "\n".join(steps)


def _all(blocks: tuple[Block, ...], meta: ReportMeta) -> str:
    return "\n".join(html_of(block, meta) for block in blocks)


def _list(block: ItemList, meta: ReportMeta) -> str:
    tag = "ol" if block.ordered else "ul"
    start = f' start="{block.start}"' if block.ordered and block.start != 1 else ""
    items = (_item(item, meta) for item in block.items)
    return f"<{tag}{start}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"


def _item(item: tuple[Block, ...], meta: ReportMeta) -> str:
    first = item[0]
    if isinstance(first, Paragraph):
        return inline_html(first.content) + _all(item[1:], meta)
    return _all(item, meta)


def _saved(block: SavedCode, meta: ReportMeta) -> str:
    code = meta.codes.get(block.code_id)
    name = _note(text("document.saved_code", meta.language, id=block.code_id, description=block.description))
    return name if code is None else f"{name}<pre><code>{escape(code)}</code></pre>"


def _table(block: TableBlock, meta: ReportMeta) -> str:
    head = "".join(f"<th>{inline_html(cell)}</th>" for cell in block.header)
    rows = "\n".join("<tr>" + "".join(f"<td>{inline_html(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
    made = (
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>"
        if any(block.header)
        else f"<table>{rows}</table>"
    )
    if block.total_rows > len(block.rows):
        made += _note(text("document.rows_cut", meta.language, shown=len(block.rows), total=block.total_rows))
    return made


def _chart(block: ChartBlock, meta: ReportMeta) -> str:
    data = chart_data(block.option)
    if data is not None:
        return f"<figure>{svg_of(data)}</figure>"
    title = title_of(block.option)
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    return (
        f"<figure>{caption}{_note(text('document.chart_as_table', meta.language))}{''.join(_figures(block))}</figure>"
    )


def _figures(block: ChartBlock) -> Iterator[str]:
    table = chart_table(block.option)
    yield "<table><tr>" + "".join(f"<th>{escape(name)}</th>" for name in table.header) + "</tr>\n"
    for row in table.rows:
        yield "<tr>" + "".join(f"<td>{escape(cell_text(cell))}</td>" for cell in row) + "</tr>\n"
    yield "</table>"


def _image(block: ImageRef, meta: ReportMeta) -> str:
    content = meta.images.get(block.artifact_id)
    if content is None:
        return _note(text("document.image", meta.language, name=block.alt or block.artifact_id))
    return f'<figure><img alt="{escape(block.alt)}" src="data:image/png;base64,{b64encode(content).decode()}"></figure>'


def _note(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>'
