"""Tools as services: code, reports, analyses and searches, each call a run."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from fastapi import APIRouter, Request, Response

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.genie.tables import place_of
from tablewright.api.genie_tools import paths
from tablewright.api.genie_tools.faults import tool_faults
from tablewright.api.genie_tools.folds import (
    AnalysisFold,
    CodeFold,
    Frame,
    ReportFold,
    SearchFold,
    ToolFold,
    result_files,
    search_failure,
)
from tablewright.api.genie_tools.pacing import Pacing
from tablewright.api.genie_tools.stream import Service, plain_reply
from tablewright.api.routes.genie_tool_files import links_of
from tablewright.api.schemas.genie_tools import LOOPS, STEPS, AnalysisTask, ReportTask, SearchTask, StreamMode, ToolTask
from tablewright.domain.run import RunLimits
from tablewright.domain.scope import Scope
from tablewright.service.app import App
from tablewright.service.exports.reports import ReportKind
from tablewright.service.tool_services.calls import ToolCall

router = APIRouter(tags=["genie tools"])
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "`data: ` frames, ended by `[DONE]`; without `stream` the result as JSON.",
        "content": {
            "text/event-stream": {"schema": {"type": "object"}},
            "application/json": {"schema": {"type": "object"}},
        },
    },
    **tool_faults(400, 404, 409, 413, 502, 503, 504, 507),
}
KINDS: dict[str, tuple[ReportKind, str]] = {
    "html": ("html", ".html"),
    "markdown": ("md", ".md"),
    "ppt": ("slides.html", ".html"),
}
"""The form and the ending of a report, by what it is to be."""


@router.post(f"{paths.TOOL}code_interpreter", response_class=Response, responses=STREAMED)
async def code_interpreter(parts: Parts, caller: Caller, speech: Speech, request: Request, sent: ToolTask) -> Response:
    """Write code for a task and execute it: the code of each step, then what it found out and the files it made."""
    call = ToolCall(session=sent.request_id, text=sent.task, mode="analyze", places=tuple(sent.file_names or ()))

    async def finish(fold: ToolFold) -> Frame:
        links = await links_of(parts, caller, request, fold.run.conversation_id)
        return fold.last(fold.words, result_files(fold, links))

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=call,
        language=speech,
        fold=lambda run: CodeFold(request_id=sent.request_id, run=run),
        finish=finish,
        failed=lambda words: {"requestId": sent.request_id, "codeOutput": words, "fileInfo": [], "isFinal": True},
    )
    return await _answered(service, sent.request_id, stream=sent.stream is not False)


@router.post(f"{paths.TOOL}report", response_class=Response, responses=STREAMED)
async def report(parts: Parts, caller: Caller, speech: Speech, request: Request, sent: ReportTask) -> Response:
    """Write a report on files, as HTML, markdown or slides: its words while they are written, then its file."""
    call = ToolCall(session=sent.request_id, text=sent.task, mode="report", places=tuple(sent.file_names or ()))

    async def finish(fold: ToolFold) -> Frame:
        if fold.answer is None:
            return fold.last(fold.words, [])
        content, file = await _document(parts, caller, fold, sent)
        links = await links_of(parts, caller, request, fold.run.conversation_id)
        return fold.last(content.decode("utf-8", "replace"), links.infos([file]))

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=call,
        language=speech,
        fold=lambda run: ReportFold(request_id=sent.request_id, run=run, pacing=_pacing(sent.stream_mode)),
        finish=finish,
        failed=lambda words: {"requestId": sent.request_id, "data": words, "fileInfo": [], "isFinal": True},
    )
    return await _answered(service, sent.request_id, stream=sent.stream is not False)


@router.post(f"{paths.TOOL}auto_analysis", response_class=Response, responses=STREAMED)
async def auto_analysis(parts: Parts, caller: Caller, speech: Speech, request: Request, sent: AnalysisTask) -> Response:
    """Find out in tables what is asked, and tell it as a report."""
    text = "\n\n".join(part for part in (sent.task, sent.knowledge) if part)
    ids = [(await parts.files.get(caller, place_of(code)[0])).id for code in sent.models or ()]
    call = ToolCall(
        session=sent.request_id,
        text=text,
        mode="report",
        file_ids=tuple(dict.fromkeys(ids)),
        limits=RunLimits(steps=sent.max_steps or STEPS),
    )

    async def finish(fold: ToolFold) -> Frame:
        links = await links_of(parts, caller, request, fold.run.conversation_id)
        return fold.last(fold.words, result_files(fold, links))

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=call,
        language=speech,
        fold=lambda run: AnalysisFold(request_id=sent.request_id, run=run),
        finish=finish,
        failed=lambda words: {"request_id": sent.request_id, "data": words, "isFinal": True, "file_info": []},
    )
    return await _answered(service, sent.request_id, stream=sent.stream is not False)


@router.post(f"{paths.TOOL}deepsearch", response_class=Response, responses=STREAMED)
async def deepsearch(parts: Parts, caller: Caller, speech: Speech, sent: SearchTask) -> Response:
    """Search for what a question needs to know, and answer it with the passages that the answer stands on."""
    limits = RunLimits(steps=sent.max_loop or LOOPS)
    call = ToolCall(session=sent.request_id, text=sent.query, agent="deep_search", limits=limits)

    async def finish(fold: ToolFold) -> Frame:
        return fold.last(fold.words, [])

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=call,
        language=speech,
        fold=lambda run: SearchFold(
            request_id=sent.request_id, run=run, query=sent.query, pacing=_pacing(sent.stream_mode)
        ),
        finish=finish,
        failed=lambda words: search_failure(sent.request_id, sent.query, words),
    )
    return await _answered(service, sent.request_id, stream=sent.stream is not False)


async def _answered(service: Service, request_id: str, *, stream: bool) -> Response:
    if stream:
        return service.streamed()
    return plain_reply(request_id, *await service.whole())


async def _document(parts: App, caller: Scope, fold: ToolFold, sent: ReportTask) -> tuple[bytes, Any]:
    """Write the answer of a run as a document, and keep it among the session's files."""
    kind, suffix = KINDS[sent.file_type]
    content = await parts.reports().written(caller, fold.run.id, kind)
    stem = PurePath(sent.file_name or "report").name
    name = stem if stem.lower().endswith(suffix) else f"{PurePath(stem).stem or 'report'}{suffix}"
    run = fold.run
    return content, await parts.tool_services().files.made(caller, run.id, run.conversation_id, name, content)


def _pacing(mode: StreamMode | None) -> Pacing:
    given = mode or StreamMode()
    return Pacing(mode=given.mode, pieces=given.token, seconds=given.time)
