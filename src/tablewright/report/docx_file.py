"""A report as a Word document. Charts are tables of their figures: a picture would need a browser."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, assert_never

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt

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
    writable,
)
from tablewright.report.chart_data import cell_text, chart_table, title_of
from tablewright.report.origins import anchor, step_title
from tablewright.texts.catalogue import text

LATIN, HAN, FIXED = "Calibri", "Microsoft YaHei", "Consolas"
MOST_ROWS = 500
"""The most rows of a table in the document; Word takes seconds for thousands."""
MOST_COLUMNS = 63
"""What Word allows."""

_LISTS = ("", " 2", " 3")


def write_docx(view: ReportView, meta: ReportMeta, path: Path) -> None:
    """Write the report with headings, lists, tables and links as Word has them."""
    document = docx.Document()
    _Writer(document, meta).document(view)
    document.save(str(path))


class _Writer:
    """Adds blocks to a document one after the other."""

    def __init__(self, document: Any, meta: ReportMeta) -> None:
        self._document, self._meta = document, meta

    def document(self, view: ReportView) -> None:
        """Write the whole report."""
        properties = self._document.core_properties
        properties.title = writable(self._meta.title)[:250]
        properties.author, properties.language = "Tablewright", self._meta.language
        for style in ("Normal", "Title", *(f"Heading {level}" for level in range(1, 7))):
            _set_fonts(self._document.styles[style].element.get_or_add_rPr())
        self._document.styles["Normal"].font.size = Pt(10.5)
        if not is_titled(view):
            self._document.add_heading(writable(self._meta.title), 0)
        self._blocks(view.blocks, 0)
        if view.cut:
            self._note(text("document.cut", self._meta.language))
        self._origins()

    def _origins(self) -> None:
        """Write the steps that numbers come from, each at the bookmark that the links to it name."""
        if self._meta.origins:
            self._document.add_heading(text("document.origins", self._meta.language), 2)
        for origin in self._meta.origins:
            heading = self._document.add_heading(writable(step_title(origin, self._meta.language)), 3)
            _mark(heading, origin.number)
            self._code(origin.code)

    def _blocks(self, blocks: Sequence[Block], depth: int) -> None:
        for block in blocks:
            self._block(block, depth)

    def _block(self, block: Block, depth: int) -> None:
        match block:
            case Heading():
                self._inline(self._document.add_heading("", block.level), block.content)
            case Paragraph():
                paragraph = self._document.add_paragraph()
                paragraph.paragraph_format.left_indent = Cm(0.75 * depth) if depth else None
                self._inline(paragraph, block.content)
            case ItemList():
                self._list(block, depth)
            case Quote():
                self._blocks(block.blocks, depth + 1)
            case Rule():
                self._document.add_paragraph("—" * 12)
            case _:
                self._figure(block)

    def _figure(self, block: Figure) -> None:
        match block:
            case CodeBlock():
                self._code(block.text)
            case SavedCode():
                self._saved(block)
            case TableBlock():
                self._table(block)
            case ChartBlock():
                self._chart(block)
            case IsolatedHtml():
                self._note(text("document.isolated", self._meta.language))
            case ImageRef():
                self._image(block)
            case _:
                assert_never(block)

    def _list(self, block: ItemList, depth: int) -> None:
        for number, item in enumerate(block.items, block.start):
            for at, part in enumerate(item):
                if at == 0 and isinstance(part, Paragraph):
                    self._entry(part.content, number if block.ordered else None, depth)
                else:
                    self._block(part, depth + 1)

    def _entry(self, content: Inline, number: int | None, depth: int) -> None:
        if number is None:
            paragraph = self._document.add_paragraph(style=f"List Bullet{_LISTS[min(depth, 2)]}")
        else:
            # Numbers are written out: Word would number all lists of the document as one.
            paragraph = self._document.add_paragraph()
            paragraph.paragraph_format.left_indent = Cm(0.75 * (depth + 1))
            paragraph.paragraph_format.first_line_indent = Cm(-0.75)
            paragraph.add_run(f"{number}.\t")
        self._inline(paragraph, content)

    def _inline(self, paragraph: Any, content: Inline) -> None:
        for span in content:
            parent = _parent(paragraph, span)
            run = _run(paragraph, parent, span)
            fonts = FIXED if span.code else LATIN
            _set_fonts(run._element.get_or_add_rPr(), fonts)  # noqa: SLF001  # docx names no other

    def _code(self, words: str) -> None:
        paragraph = self._document.add_paragraph()
        run = paragraph.add_run(writable(words))
        run.font.size = Pt(9)
        _set_fonts(run._element.get_or_add_rPr(), FIXED)  # noqa: SLF001  # docx names no other

    def _saved(self, block: SavedCode) -> None:
        self._note(text("document.saved_code", self._meta.language, id=block.code_id, description=block.description))
        if block.code_id in self._meta.codes:
            self._code(self._meta.codes[block.code_id])

    def _table(self, block: TableBlock) -> None:
        rows = [block.header, *block.rows[:MOST_ROWS]] if any(block.header) else list(block.rows[:MOST_ROWS])
        if rows and rows[0]:
            table = _new_table(self._document, len(rows), min(len(rows[0]), MOST_COLUMNS))
            for made, row in zip(table.rows, rows, strict=True):
                for cell, content in zip(made.cells, row, strict=False):
                    self._inline(cell.paragraphs[0], content)
        if block.total_rows > min(len(block.rows), MOST_ROWS):
            self._rows_cut(min(len(block.rows), MOST_ROWS), block.total_rows)

    def _chart(self, block: ChartBlock) -> None:
        figures = chart_table(block.option)
        title = title_of(block.option)
        self._note(title or text("document.chart_as_table", self._meta.language))
        rows = [figures.header, *figures.rows[:MOST_ROWS]]
        table = _new_table(self._document, len(rows), len(figures.header))
        for made, row in zip(table.rows, rows, strict=True):
            for cell, words in zip(made.cells, row, strict=False):
                cell.text = writable(cell_text(words))
        if len(figures.rows) > MOST_ROWS:
            self._rows_cut(MOST_ROWS, len(figures.rows))

    def _rows_cut(self, shown: int, total: int) -> None:
        self._note(text("document.rows_cut", self._meta.language, shown=shown, total=total))

    def _image(self, block: ImageRef) -> None:
        content = self._meta.images.get(block.artifact_id)
        if content is None:
            self._note(text("document.image", self._meta.language, name=block.alt or block.artifact_id))
        else:
            self._document.add_picture(io.BytesIO(content), width=Cm(15))

    def _note(self, words: str) -> None:
        run = self._document.add_paragraph().add_run(writable(words))
        run.italic = True


def _run(paragraph: Any, parent: Any, span: Span) -> Any:
    run = paragraph.add_run(writable(span.text))
    run.bold, run.italic = span.bold or None, span.italic or None
    run.font.strike = span.strike or None
    if parent is not paragraph:
        run.font.underline = True
        parent.append(run._element)  # noqa: SLF001  # docx has no links of its own
    return run


def _parent(paragraph: Any, span: Span) -> Any:
    if span.href is not None:
        return _link(paragraph, span.href)
    return paragraph if span.origin is None else _inner_link(paragraph, span.origin)


def _inner_link(paragraph: Any, origin: int) -> Any:
    made = OxmlElement("w:hyperlink")
    made.set(qn("w:anchor"), _bookmark(origin))
    paragraph._p.append(made)  # noqa: SLF001  # docx has no links of its own
    return made


def _mark(paragraph: Any, origin: int) -> None:
    """Make a paragraph the place of a bookmark."""
    for tag, at in (("w:bookmarkStart", 0), ("w:bookmarkEnd", len(paragraph._p))):  # noqa: SLF001  # docx has none
        made = OxmlElement(tag)
        made.set(qn("w:id"), str(origin))
        if tag == "w:bookmarkStart":
            made.set(qn("w:name"), _bookmark(origin))
        paragraph._p.insert(at + 1, made)  # noqa: SLF001  # behind its properties


def _bookmark(origin: int) -> str:
    return anchor(origin).replace("-", "_")


def _link(paragraph: Any, href: str) -> Any:
    made = OxmlElement("w:hyperlink")
    made.set(qn("r:id"), paragraph.part.relate_to(writable(href), RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    paragraph._p.append(made)  # noqa: SLF001  # docx has no links of its own
    return made


def _set_fonts(properties: Any, latin: str = LATIN) -> None:
    fonts = properties.get_or_add_rFonts()
    for name, font in (("w:ascii", latin), ("w:hAnsi", latin), ("w:eastAsia", HAN), ("w:cs", latin)):
        fonts.set(qn(name), font)


def _new_table(document: Any, rows: int, columns: int) -> Any:
    table = document.add_table(rows=rows, cols=columns)
    table.style = "Table Grid"
    return table
