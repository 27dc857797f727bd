"""What a chat shows of a run in words: steps with their code and output, what is asked, tables and links. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import limit_note, note_of
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import ApprovalRequested, ContinueAsked, QuestionAsked
from tablewright.domain.language import Language
from tablewright.domain.run import OpenRequest
from tablewright.domain.table import Table
from tablewright.domain.table_markdown import markdown
from tablewright.texts.catalogue import text

OUTPUT_CHARS = 2_000
"""How much of an output is shown; all of it is in the run."""
FILES = 50
_FENCES = re.compile(r"`{3,}")
_KINDS = {"approval.requested": "approval", "question.asked": "question", "continue.asked": "continue"}
AsksSomebody = ApprovalRequested | QuestionAsked | ContinueAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where a client reaches this service: `base` is its address, without a slash at the end."""

    base: str = ""

    def file(self, artifact: ArtifactRef) -> str:
        """Return a link to a file, as Markdown."""
        name = artifact.name.replace("[", "(").replace("]", ")")
        return f"[{name}]({self.base}/api/v1/files/{artifact.id}/download)"

    def document(self, run_id: str, language: Language) -> str:
        """Return a link to the whole run with its charts, as Markdown."""
        return f"[{text('chat_document', language)}]({self.base}/api/v1/runs/{run_id}/export.html)"


def fenced(content: str, language: str = "") -> str:
    """Return a block of code; a fence in it does not end it."""
    longest = max((len(found) for found in _FENCES.findall(content)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{content.rstrip()}\n{fence}\n"


def output(content: str) -> str:
    """Return what a step has put out."""
    cut = content if len(content) <= OUTPUT_CHARS else content[:OUTPUT_CHARS] + "…"
    return fenced(cut) if cut.strip() else ""


def asked(request: OpenRequest | AsksSomebody, language: Language) -> str:
    """Return what a run asks, and how to answer it."""
    kind = request.kind if isinstance(request, OpenRequest) else _KINDS[request.type]
    parts = [request.prompt.strip()]
    if kind == "question":
        parts += _choices(request.options, language) or _form(request.schema, language)
    else:
        parts.append(text(f"chat_reply_{kind}", language))
    return "\n\n".join(part for part in parts if part)


def _choices(options: Sequence[str], language: Language) -> list[str]:
    if not options:
        return []
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    return [listed, text("chat_reply_option", language)]


def _form(schema: Mapping[str, Any] | None, language: Language) -> list[str]:
    properties = (schema or {}).get("properties")
    if not isinstance(properties, Mapping) or len(properties) < 2:
        return []
    return [text("chat_reply_form", language, names=", ".join(map(str, properties)))]


def beside(answer: Answer, figures: Sequence[ArtifactRef], links: Links, run_id: str, language: Language) -> list[str]:
    """Return what an answer has beside its text: the notes, the table, and links to figures and files."""
    parts = [note_of(answer, language), limit_note(answer, language)]
    table = answer.table or answer.result
    if table is not None and not _said(table):
        parts.append(markdown(table))
    files = {file.id: file for file in (*figures, *answer.files)}
    listed = [f"- {links.file(file)}" for file in list(files.values())[:FILES]]
    if (left := len(files) - FILES) > 0:
        listed.append(f"- … +{left}")
    if answer.charts:
        listed.append(f"- {links.document(run_id, language)}")
    return [part for part in (*parts, "\n".join(listed)) if part]


def _said(table: Table) -> bool:
    """Return whether a table is a single value, which the text states."""
    return not table.rows or (table.total_rows == 1 and len(table.columns) == 1)
