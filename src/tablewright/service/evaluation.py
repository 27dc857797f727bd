"""Evaluation: asks each question of a suite like any other and writes one result line per case.

A suite is a folder with a `suite.jsonl`, one `{"id", "lang", "files", "prompt", …}` per line, with file paths relative
to the folder. A case whose answer is checked as a workbook (`"check": {"kind": "workbook"}`), or that has `"mode":
"edit"`, edits its workbook. Anything else in a case, such as the expected answer, is never passed on to whoever
answers.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.chart import Chart
from tablewright.domain.ids import Clock, SystemClock
from tablewright.domain.language import Language, language_of
from tablewright.domain.offer import OfferedReading
from tablewright.domain.run import Mode
from tablewright.domain.table import Table
from tablewright.errors import InvalidInput, NotFound, TablewrightError
from tablewright.texts.errors import describe

SUITE = "suite.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCase:
    """A question with its files. `folder` is where the files of its answer go; it may not exist yet."""

    id: str
    language: Language
    prompt: str
    files: tuple[Path, ...]
    folder: Path
    mode: Mode = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAnswer:
    """How a question ended. Without an answer, `message` says why; `files` are copies of the answer's files, `readings`
    what was offered."""

    outcome: Outcome
    answer: Answer | None = None
    message: str = ""
    files: tuple[Path, ...] = ()
    readings: tuple[OfferedReading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """Progress of an evaluation: `done` of `total` cases, the most recent being `case` (None at the start)."""

    done: int
    total: int
    case: EvaluationCase | None = None


Ask = Callable[[EvaluationCase], Awaitable[CaseAnswer]]


async def evaluate(
    suite_dir: Path,
    out: Path,
    ask: Ask,
    *,
    limit: int | None = None,
    concurrency: int = 2,
    clock: Clock | None = None,
    progress: Callable[[Advance], None] | None = None,
) -> Advance:
    """Let `ask` answer the first `limit` cases of the suite, `concurrency` at a time, and append a result line to `out`
    as each one ends. Cases that already have a result in `out` are not asked again; an incomplete last line is removed.

    A `TablewrightError` that `ask` raises becomes that case's outcome; any other exception ends the evaluation. Raises
    `NotFound` if there is no suite and `InvalidInput` if it cannot be read.
    """
    cases = read_suite(suite_dir, out)[:limit]
    have = _results(out)
    left = iter([case for case in cases if case.id not in have])
    done = sum(case.id in have for case in cases)
    clock = clock or SystemClock()
    told = progress or _untold
    told(Advance(done=done, total=len(cases)))

    async def work() -> None:
        nonlocal done
        for case in left:
            began = clock.monotonic()
            answered = await _answered(ask, case)
            _append(out, result_object(case.id, answered, seconds=clock.monotonic() - began))
            done += 1
            told(Advance(done=done, total=len(cases), case=case))

    workers = [asyncio.create_task(work()) for _ in range(max(1, concurrency))]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return Advance(done=done, total=len(cases))


def result_object(id: str, answered: CaseAnswer, *, seconds: float) -> dict[str, Any]:  # noqa: A002
    """Return the result line for one answer: `{id, answer, unverified, result, charts, files, declined, readings,
    seconds}`.

    `unverified` are the numbers of the answer that no step has put out; it is absent without any. `declined` is true
    whenever nothing is claimed: the question was declined, or the run ended without an answer, or waits for one. Where
    it is not sure what is meant, `readings` are what it may mean, `{text, result, charts}` each, at most three.
    """
    answer = answered.answer
    return {
        "id": id,
        "answer": answered.message if answer is None else answer.text,
        **({"unverified": [*answer.unverified]} if answer is not None and answer.unverified else {}),
        "result": None if answer is None or answer.result is None else _table(answer.result),
        "charts": [] if answer is None else [_chart(chart) for chart in answer.charts],
        "files": [str(path.absolute()) for path in answered.files],
        "declined": answer is None or answered.outcome == "declined",
        **({"readings": [_reading(reading) for reading in answered.readings]} if answered.readings else {}),
        "seconds": round(seconds, 3),
    }


def _reading(reading: OfferedReading) -> dict[str, Any]:
    return {
        "text": reading.text,
        "result": None if reading.result is None else _table(reading.result),
        "charts": [_chart(chart) for chart in reading.charts],
    }


def read_suite(suite_dir: Path, out: Path) -> list[EvaluationCase]:
    """Return the cases of a suite in order.

    The files of an answer go next to `out`, in `RESULTS.files/<id>`. Raises `NotFound` if there is no suite.
    """
    path = suite_dir / SUITE
    if not path.is_file():
        raise NotFound(kind="suite", id=str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_case(line, number, suite_dir, out) for number, line in enumerate(lines, 1) if line.strip()]


def _case(line: str, number: int, suite_dir: Path, out: Path) -> EvaluationCase:
    try:
        read = json.loads(line)
        case_id, prompt = str(read["id"]), str(read["prompt"])
        files = tuple((suite_dir / str(name)).absolute() for name in read.get("files", ()))
        language = read.get("lang")
        mode = _mode(read)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput("suite_line_wrong", field="suite", name=SUITE, line=number) from error
    folder = out.absolute().with_suffix(".files") / (re.sub(r"[^\w.@=+-]", "_", case_id).strip(".") or "_")
    known: Language = "zh" if language == "zh" else "en" if language == "en" else language_of(prompt)
    return EvaluationCase(id=case_id, language=known, prompt=prompt, files=files, folder=folder, mode=mode)


def _mode(read: dict[str, Any]) -> Mode:
    """Return `edit` for a case that asks for a changed workbook, otherwise `auto`."""
    return "edit" if read.get("mode") == "edit" or (read.get("check") or {}).get("kind") == "workbook" else "auto"


async def _answered(ask: Ask, case: EvaluationCase) -> CaseAnswer:
    try:
        return await ask(case)
    except TablewrightError as error:
        return CaseAnswer(outcome="failed", message=describe(error, case.language))


def _results(out: Path) -> set[str]:
    """Return the ids that already have a result in `out`, removing an incomplete last line."""
    if not out.exists():
        return set()
    written = out.read_bytes()
    whole = written[: written.rfind(b"\n") + 1]
    if whole != written:
        out.write_bytes(whole)
    return set(_ids(whole.decode("utf-8", "replace").splitlines()))


def _ids(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        try:
            yield str(json.loads(line)["id"])
        except (ValueError, KeyError, TypeError):
            continue


def _append(out: Path, result: dict[str, Any]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as results:
        results.write(json.dumps(result, ensure_ascii=False) + "\n")


def _table(table: Table) -> dict[str, Any]:
    return {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "type": chart.kind,
        "x": list(chart.x),
        "y": list(chart.y),
        "series": None if chart.series is None else list(chart.series),
    }


def _untold(_advance: Advance) -> None:
    """Report progress to nobody."""
