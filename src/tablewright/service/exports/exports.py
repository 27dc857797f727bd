"""Exports of a run: a notebook or a script that repeats its work on the same files.

Pure functions of the run and its events: the steps that ended well, in the order in which they ran. Left out are steps
that failed and were rewritten, and steps that ran in a session that was lost, because they were run again. If the steps
use what earlier runs of the conversation left, the steps of those runs come first and print nothing.
"""

from __future__ import annotations

import ast
import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files as resources
from itertools import groupby
from typing import Any, assert_never

from tablewright.domain.answer_note import with_note
from tablewright.domain.events import (
    AnswerEvent,
    ArtifactCreated,
    CodeDelta,
    CodeFinished,
    Event,
    EventBody,
    NodeEvent,
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    ProgressReported,
    RepairStarted,
    RequestEvent,
    RunEvent,
    SessionLost,
    StepAnnounced,
    StepFinished,
    StepStarted,
    StructuredEvent,
    TaskEvent,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    WorkbookEvent,
)
from tablewright.domain.events.runs import RESUMED
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.sandbox.base import SHARED_FOLDER
from tablewright.service.exports.images import png_of
from tablewright.service.exports.page import SHOWN, document, shown_steps
from tablewright.service.history import earlier_than, events_of, takes_up
from tablewright.service.runs.inputs import tables_of
from tablewright.store.base import BlobStore, Store
from tablewright.texts.catalogue import text

EXPORTED = (
    "step.announced",
    "step.started",
    "step.finished",
    "code.finished",
    "output.text",
    "output.image",
    "session.lost",
)
"""The event types that an export is built from."""
HERE = "."
"""Exported code looks for the run's files in its own folder."""


@dataclass(slots=True, kw_only=True)
class ExportedStep:
    """A step: its code, what it printed, its last value and the ids of its figures.

    A step of an `earlier` run prints nothing.
    """

    name: str
    code: str = ""
    printed: str = ""
    value: str = ""
    images: list[str] = field(default_factory=list[str])
    ended_well: bool = False
    earlier: bool = False


def steps_of(events: Iterable[Event]) -> tuple[ExportedStep, ...]:
    """Return the steps to export, in the order in which they ran."""
    steps: dict[str | None, ExportedStep] = {}
    ran: list[ExportedStep] = []
    for event in events:
        body = event.body
        step = steps.get(body.step_id)
        if isinstance(body, StepAnnounced):
            steps[body.step_id] = ExportedStep(name=body.name)
        elif isinstance(body, SessionLost):
            if body.reason == RESUMED:
                ran.clear()
        elif step is None:
            continue
        elif isinstance(body, StepStarted):
            ran.append(step)
        else:
            _fill(step, body)
    return tuple(step for step in ran if step.ended_well and step.code.strip())


_PASSED_OVER = RunEvent | AnswerEvent | RequestEvent | WorkbookEvent | StructuredEvent | NodeEvent | TaskEvent


def _fill(step: ExportedStep, body: EventBody) -> None:
    if isinstance(body, _PASSED_OVER):
        return
    match body:
        case CodeFinished(code=code):
            step.code = code
        case StepFinished(status=status):
            step.ended_well = status == "ok"
        case OutputText(stream="value", text=words):
            step.value += words
        case OutputText(stream="stdout", text=words):
            step.printed += words
        case OutputImage(image=image):
            step.images.append(image.id)
        case StepAnnounced() | StepStarted() | RepairStarted() | ProgressReported() | ArtifactCreated():
            pass
        case ThinkingDelta() | TextDelta() | TextFinished() | CodeDelta():
            pass
        case OutputText() | OutputError() | OutputTable() | OutputHtml() | OutputChart():
            pass
        case _:
            assert_never(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFiles:
    """The names of the run's files, expected in the folder of what is exported; `uncomputed` are those among them that
    were read from a copy, because their formulas have no stored values."""

    names: tuple[str, ...]
    uncomputed: tuple[str, ...] = ()


def script(run: Run, steps: Iterable[ExportedStep], files: ExportedFiles) -> str:
    """Return the run as a script."""
    parts = ["\n".join(f"# {line}".rstrip() for line in _heading(run, files)), _prelude()]
    for earlier, group in groupby(steps, key=lambda step: step.earlier):
        parts += [f"# {text('export.earlier', run.language)}\n{_HUSH}"] if earlier else []
        parts += [f"# @step: {_one_line(step.name)}\n{_scripted(_relocated(step.code))}" for step in group]
        parts += [_SPEAK] if earlier else []
    if run.answer is not None:
        parts.append("\n".join(f"# {line}".rstrip() for line in with_note(run.answer, run.language).splitlines()))
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def notebook(
    run: Run, steps: Iterable[ExportedStep], files: ExportedFiles, images: Mapping[str, bytes] | None = None
) -> str:
    """Return the run as a notebook (nbformat 4.5) with its outputs; `images` maps figure ids to PNG bytes."""
    first, *rest = _heading(run, files)
    cells = [_words("\n\n".join((f"# {first}", *rest))), _code(_prelude(), [])]
    for step in steps:
        code = f"# @step: {_one_line(step.name)}\n{_relocated(step.code)}"
        if step.earlier:
            cells.append(_code(f"{_CAPTURE}\n{code}", []))
        else:
            cells.append(_code(code, _outputs(step, images or {})))
    if run.answer is not None:
        cells.append(_words(with_note(run.answer, run.language)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    book = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _heading(run: Run, files: ExportedFiles) -> list[str]:
    comma = text("agent.list_comma", run.language)
    about = text("export.made", run.language, model=run.model, at=run.created_at.strftime("%Y-%m-%d %H:%M UTC"))
    lines = [_one_line(run.question), about, text("export.files", run.language, names=comma.join(files.names) or "–")]
    if files.uncomputed:
        lines.append(text("export.uncomputed", run.language, names=comma.join(files.uncomputed)))
    return lines


def _prelude() -> str:
    """Return the code that stands in for the sandbox: it provides the folder `output` and the name `tw`."""
    return resources("tablewright.service.exports").joinpath("prelude.txt").read_text(encoding="utf-8").strip()


def _relocated(code: str) -> str:
    return code.replace(SHARED_FOLDER, HERE)


def _scripted(code: str) -> str:
    """Convert a cell for a script: magics become comments, and a final value, shown by a notebook, is printed."""
    plain = "\n".join(f"# {line}" if line.startswith(("%", "!")) else line for line in code.splitlines())
    try:
        body = ast.parse(plain).body
    except SyntaxError:
        return plain
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or plain.rstrip().endswith(";") or _prints(last.value):
        return plain
    lines = plain.splitlines()
    begin, end = last.lineno - 1, (last.end_lineno or last.lineno) - 1
    head = lines[begin].encode()[: last.col_offset].decode()
    tail = lines[end].encode()[last.end_col_offset :].decode()
    shown = ast.get_source_segment(plain, last) or ""
    return "\n".join([*lines[:begin], f"{head}_shown = {shown}{tail}", *lines[end + 1 :], _SHOW])


_HUSH = "import io\nimport sys\n\n_spoken, sys.stdout = sys.stdout, io.StringIO()"
_SPEAK = "sys.stdout = _spoken"
_CAPTURE = "%%capture"
_SHOW = "if _shown is not None:\n    print(repr(_shown))"


def _prints(value: ast.expr) -> bool:
    """Return whether an expression only prints or shows something, so that its value need not be printed."""
    if not isinstance(value, ast.Call):
        return False
    called = value.func.value if isinstance(value.func, ast.Attribute) else value.func
    return isinstance(called, ast.Name) and called.id in {"print", "display", "tw", "plt"}


def _outputs(step: ExportedStep, images: Mapping[str, bytes]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if step.printed:
        found.append({"output_type": "stream", "name": "stdout", "text": step.printed})
    if step.value:
        shown = {"text/plain": step.value}
        found.append({"output_type": "display_data", "data": shown, "metadata": {}})
    for image in step.images:
        if image in images:
            drawn = {"image/png": base64.b64encode(images[image]).decode()}
            found.append({"output_type": "display_data", "data": drawn, "metadata": {}})
    return found


def _words(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": source}


def _one_line(words: str) -> str:
    return " ".join(words.split())


class Exports:
    """The use cases of an export. A run of another owner raises `NotFound`."""

    def __init__(self, store: Store, blobs: BlobStore) -> None:
        self._store = store
        self._blobs = blobs

    async def script(self, scope: Scope, run_id: str) -> str:
        """Return the run as a Python script."""
        run, steps, files = await self._told(scope, run_id)
        return script(run, steps, files)

    async def notebook(self, scope: Scope, run_id: str) -> str:
        """Return the run as a notebook, with its outputs and figures."""
        run, steps, files = await self._told(scope, run_id)
        images = {
            image: await png_of(self._store, self._blobs, scope, image) for step in steps for image in step.images
        }
        return notebook(run, steps, files, {image: content for image, content in images.items() if content})

    async def page(self, scope: Scope, run_id: str) -> str:
        """Return the run as an HTML document for reading."""
        run = await self._store.runs.get(scope, run_id)
        steps = shown_steps(await events_of(self._store, scope, run_id, SHOWN))
        _, inputs = await tables_of(self._store, self._blobs, scope, run)
        images = {
            image: await png_of(self._store, self._blobs, scope, image) for step in steps for image in step.images
        }
        return document(run, steps, (entry.name for entry in inputs), images)

    async def _told(self, scope: Scope, run_id: str) -> tuple[Run, tuple[ExportedStep, ...], ExportedFiles]:
        run = await self._store.runs.get(scope, run_id)
        own = steps_of(await events_of(self._store, scope, run_id, EXPORTED))
        steps = (*await self._steps_before(scope, run, own), *own)
        _, inputs = await tables_of(self._store, self._blobs, scope, run)
        copies = {
            await self._blobs.path(scope, file.computed)
            for file in await self._store.files.linked(scope, run.conversation_id)
            if file.computed is not None
        }
        names = tuple(entry.name for entry in inputs)
        uncomputed = tuple(entry.name for entry in inputs if entry.path in copies)
        return run, steps, ExportedFiles(names=names, uncomputed=uncomputed)

    async def _steps_before(self, scope: Scope, run: Run, own: Sequence[ExportedStep]) -> tuple[ExportedStep, ...]:
        """Return the steps of earlier runs if the `own` ones depend on them: all of them, or none."""
        earlier = await earlier_than(self._store, scope, run)
        if not takes_up(earlier.runs, (step.code for step in own)):
            return ()
        steps: list[ExportedStep] = []
        for before in earlier.runs:
            events = await events_of(self._store, scope, before.run_id, EXPORTED)
            steps += [replace(step, earlier=True, images=[]) for step in steps_of(events)]
        return tuple(steps)
