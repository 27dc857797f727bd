"""Drives the rounds of a report on one file: what the analyst asks for is run, and its outcomes are given back.

The code runs in the sandbox's environment, in one process for many files, each with variables of its own. This is a
measuring device for tables that we made ourselves; it isolates nothing.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tablewright.analyst.reporting import structured_round
from tablewright.data.facts.relations import relations
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.structured import StructuredAnswer, StructuredRoundFacts, ToolOutcome, ToolRequest
from tablewright.domain.task import StructuredRound, ToolFacts

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv-sandbox" / "bin" / "python"
WORKER = """
import contextlib, io, json, sys, traceback, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    asked = json.loads(line)
    names = {} if asked["fresh"] else names
    out, failed = io.StringIO(), False
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(asked["code"], "<call>", "exec"), names)
    except Exception:
        failed = True
        out.write(traceback.format_exc(limit=-2))
    print(json.dumps({"text": out.getvalue(), "failed": failed}), flush=True)
"""
RUN_PYTHON = ToolFacts(name="run_python", description="", parameters={"type": "object", "properties": {"code": {}}})


class Worker:
    """A process that runs code, call by call, in a folder of its own."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tablewright-report-worker-")
        self._process = subprocess.Popen(
            [PYTHON, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self._folder.name,
        )

    def run(self, code: str, *, fresh: bool) -> tuple[str, bool]:
        """Return what `code` printed, and whether it failed; `fresh` if without the variables of earlier calls."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, "fresh": fresh}) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return said["text"], said["failed"]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._folder.cleanup()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a report came about: the task of its last round, its answer, and the seconds that its calls took."""

    task: StructuredRound
    answer: dict[str, Any]
    seconds: float

    @property
    def report(self) -> str:
        return str(self.answer["action"]["content"])

    @property
    def failures(self) -> list[str]:
        """What the calls that failed printed."""
        return [outcome.text for facts in self.task.rounds for outcome in facts.outcomes if outcome.failed]


class ProfileValues:
    """Implements `ValueLookup` from profiles."""

    def __init__(self, values: dict[tuple[str, str], DistinctValues]) -> None:
        self._values = values

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return self._values.get((profile_ref, column))


async def reported(
    path: Path,
    language: Literal["zh", "en"],
    worker: Worker,
    question: str = "",
    max_rounds: int = 6,
    cut: int = 30_000,
) -> Told:
    """Return the report on a file. Of what a call prints, the analyst reads `cut` characters."""
    profile = profile_file(path, path.name)
    datasets: tuple[DatasetFacts, ...] = tuple(replace(one.facts, path=str(path)) for one in profile.datasets)
    values = ProfileValues(
        {(one.facts.profile_ref, name): found for one in profile.datasets for name, found in one.values.items()}
    )
    known = {
        (one.facts.id, name): found.values
        for one in profile.datasets
        for name, found in one.values.items()
        if found.complete
    }
    task = StructuredRound(
        question=question,
        language=language,
        datasets=datasets,
        relations=relations(datasets, known),
        round=1,
        max_rounds=max_rounds,
        tools=(RUN_PYTHON,),
    )
    begun, first = time.monotonic(), True
    while True:
        answer = json.loads(await structured_round(task, values))
        if answer["action"]["type"] == "complete":
            return Told(task=task, answer=answer, seconds=time.monotonic() - begun)
        calls = tuple(ToolRequest(**call) for call in answer["action"]["content"])
        outcomes = []
        for call in calls:
            text, failed = worker.run(call.arguments["code"], fresh=first)
            first = False
            outcomes.append(
                ToolOutcome(tool_call_id=call.tool_call_id, tool_name=call.tool_name, text=text[:cut], failed=failed)
            )
        said = StructuredAnswer(
            task_analysis=answer["task_analysis"],
            execution_plan=answer["execution_plan"],
            current_round=task.round,
            calls=calls,
        )
        over = StructuredRoundFacts(answer=said, outcomes=tuple(outcomes))
        task = replace(task, round=task.round + 1, rounds=(*task.rounds, over))
