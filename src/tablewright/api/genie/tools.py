"""Calls of tools as Genie's page shows them. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.api.genie.groups import Group, WrittenReport
from tablewright.api.genie.links import GenieLinks
from tablewright.api.genie.searches import SearchKind, documents, search_frame
from tablewright.domain.events import OutputText, StructuredEvent, ToolFinished, ToolStarted
from tablewright.tools.untrusted import inside

SEARCHES = frozenset({"web_search", "internal_search"})
"""Tools of which the page reads the result as a list of pages; it breaks on anything else."""
RESULT_CHARS = 100_000
CODE_TOOLS = frozenset({"run_python", "code_interpreter"})
"""Tools whose code and outputs are told as they come."""
DEEP_SEARCH = "deep_search"
REPORT = "report"
REPORT_KINDS = frozenset({"html", "markdown", "ppt"})
_HIT = re.compile(r"^(\d+)\. (.*)\n {3}(\S+)((?:\n {3}.*)*)", re.MULTILINE)
"""A hit as the tool `web_search` writes it: number and title, address, excerpt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolItem:
    """An item of the page, or a piece of one: those of one `message_id`."""

    kind: str
    more: dict[str, Any] | None = None
    final: bool = True
    message_id: str | None = None
    payload: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolItems:
    """Makes the items of calls. What a call has told before is kept by its group."""

    request_id: str
    links: GenieLinks

    def of(self, group: Group, body: StructuredEvent) -> Iterator[ToolItem]:
        """Take the beginning or the end of a call."""
        if isinstance(body, ToolStarted):
            group.calls[body.tool_call_id] = body
            if body.name == REPORT and (kind := str(body.arguments.get("file_type", "markdown"))) in REPORT_KINDS:
                group.reports[body.tool_call_id] = WrittenReport(kind=kind)
            if (call := _search_of(group, body)) is not None:
                yield from self._searches(group, call, body)
        elif isinstance(body, ToolFinished):
            yield from self._ended(group, body, group.calls.pop(body.tool_call_id, None))

    def piece(self, group: Group, body: OutputText) -> Iterator[ToolItem]:
        """Take what a call puts out: of a report the next piece."""
        report = group.reports.get(body.step_id or "")
        if report is not None and body.text:
            yield ToolItem(
                kind=report.kind,
                more={"data": body.text, "fileInfo": [], "isFinal": False},
                final=False,
                message_id=f"{group.task_id}-{body.step_id}",
            )

    def _ended(self, group: Group, body: ToolFinished, call: ToolStarted | None) -> Iterator[ToolItem]:
        report = group.reports.pop(body.tool_call_id, None)
        search = None if call is None else _search_of(group, call)
        if body.name in CODE_TOOLS and group.ran:
            group.ran = 0
        elif search is not None and call is not None:
            docs = [] if body.failed else documents(body.text)
            query = str(call.arguments.get("query", ""))
            yield self._search(search, "search", queries=[query], docs=[docs])
        elif body.name == DEEP_SEARCH and call is not None and group.loops.pop(body.tool_call_id, 0):
            yield self._search(call, "report", answer=inside(body.text), final=True)
        elif report is not None and report.file is not None:
            more = {"data": report.text, "fileInfo": [self.links.info(report.file)], "isFinal": True}
            yield ToolItem(kind=report.kind, more=more, message_id=f"{group.task_id}-{body.tool_call_id}")
        else:
            told = tool_result(body.name, {} if call is None else call.arguments, body.text)
            yield ToolItem(kind="tool_result", payload={"toolResult": told})

    def _searches(self, group: Group, call: ToolStarted, body: ToolStarted) -> Iterator[ToolItem]:
        """Tell what a round of searches looks for, with the first of them."""
        loop = int(body.arguments.get("loop", 1))
        if group.loops.get(call.tool_call_id) != loop:
            group.loops[call.tool_call_id] = loop
            yield self._search(call, "extend", queries=[str(one) for one in body.arguments.get("queries", ())])

    def _search(self, call: ToolStarted, kind: SearchKind, **told: Any) -> ToolItem:
        query = str(call.arguments.get("query", ""))
        frame = search_frame(self.request_id, query, kind, **told)
        return ToolItem(kind=DEEP_SEARCH, more=frame, final=bool(frame["isFinal"]))


def _search_of(group: Group, body: ToolStarted) -> ToolStarted | None:
    """Return the deep search that a call belongs to."""
    call = group.calls.get(body.step_id or "")
    return call if call is not None and call.name == DEEP_SEARCH else None


def tool_result(name: str, arguments: Mapping[str, Any], words: str) -> dict[str, Any]:
    """Return what a tool was asked and what it gave."""
    words = words[:RESULT_CHARS]
    told = json.dumps(_pages(arguments, words), ensure_ascii=False) if name in SEARCHES else words
    return {"toolName": name, "toolParam": dict(arguments), "toolResult": told}


def _pages(arguments: Mapping[str, Any], words: str) -> list[dict[str, str]]:
    """Return the hits; what is none is one page with all the words."""
    found = [
        {"name": hit[2].strip(), "pageContent": _excerpt(hit[4]), "sourceUrl": hit[3]} for hit in _HIT.finditer(words)
    ]
    return found or [{"name": str(arguments.get("query", "")), "pageContent": words, "sourceUrl": ""}]


def _excerpt(lines: str) -> str:
    return "\n".join(line.strip() for line in lines.strip("\n").splitlines())
