"""The report of a run as a document."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import limit_note, note_of, with_note
from tablewright.domain.events import CodeSaved, OutputImage
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.report.blocks import Paragraph, ReportMeta, ReportView, Rule, Span
from tablewright.report.documents import read_view, write_document
from tablewright.report.markdown_file import write_markdown
from tablewright.report.origins import OriginLink
from tablewright.service.exports.tracing import TRACING, Traced, traced
from tablewright.service.files.files import Files
from tablewright.service.history import events_of
from tablewright.service.labels import title_of
from tablewright.store.base import Store
from tablewright.texts.catalogue import text

ReportKind = Literal["md", "html", "slides.html", "docx", "xlsx", "pdf"]


class ReportDocuments:
    """The use case of a report as a file. A run of another owner raises `NotFound`."""

    def __init__(self, store: Store, files: Files) -> None:
        self._store = store
        self._files = files

    async def written(self, scope: Scope, run_id: str, kind: ReportKind) -> bytes:
        """Return the answer of a run as a document.

        Raises `NotFound`, also if the run has no answer, and for PDF `PdfUnavailable` and `PdfFailed`.
        """
        run = await self._store.runs.get(scope, run_id)
        if run.answer is None:
            raise NotFound(kind="report", id=run_id)
        codes = await self._codes(scope, run_id)
        title = title_of(run.question) or text("document.untitled", run.language)
        traced = Traced() if kind == "slides.html" else await self._traced(scope, run_id, run.answer)
        meta = ReportMeta(title=title, language=run.language, codes=codes, origins=traced.origins)
        return await asyncio.to_thread(_document, run.answer, meta, kind, traced.links)

    async def view(self, scope: Scope, run_id: str) -> ReportView:
        """Return the answer of a run as blocks. Raises `NotFound`, also if the run has no answer."""
        run = await self._store.runs.get(scope, run_id)
        if run.answer is None:
            raise NotFound(kind="report", id=run_id)
        events = await events_of(self._store, scope, run_id, ("code.saved", "output.image"))
        codes = frozenset(event.body.code_id for event in events if isinstance(event.body, CodeSaved))
        images: dict[str, str] = {}
        for event in events:
            if isinstance(event.body, OutputImage):
                images |= {event.body.image.id: event.body.image.id, event.body.image.name: event.body.image.id}
        return await asyncio.to_thread(read_view, run.answer.text, codes=codes, images=images)

    async def _traced(self, scope: Scope, run_id: str, answer: Answer) -> Traced:
        return traced(answer, [event.body for event in await events_of(self._store, scope, run_id, TRACING)])

    async def _codes(self, scope: Scope, run_id: str) -> dict[str, str]:
        """Return the code that was kept from the report, as far as it is still there."""
        codes: dict[str, str] = {}
        for event in await events_of(self._store, scope, run_id, ("code.saved",)):
            if not isinstance(event.body, CodeSaved):
                continue
            try:
                opened = await self._files.open(scope, event.body.file_id)
            except NotFound:
                continue
            content = b"".join([piece async for piece in opened.content])
            codes[event.body.code_id] = content.decode(errors="replace")
        return codes


def _document(answer: Answer, meta: ReportMeta, kind: ReportKind, links: Sequence[OriginLink]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="tablewright-report-") as folder:
        path = Path(folder) / f"report.{kind}"
        if kind == "md":
            write_markdown(with_note(answer, meta.language), meta, path, links)
        else:
            view = read_view(answer.text, codes=frozenset(meta.codes), links=links)
            write_document(
                kind, _noted(view, note_of(answer, meta.language), limit_note(answer, meta.language)), meta, path
            )
        return path.read_bytes()


def _noted(view: ReportView, *notes: str) -> ReportView:
    told = [Paragraph(content=(Span(text=note, italic=True),)) for note in notes if note]
    return replace(view, blocks=(*view.blocks, Rule(), *told)) if told else view
