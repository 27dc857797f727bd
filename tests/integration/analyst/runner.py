"""Runs inside the sandbox's environment: executes written code, one JSON object a line in and out.

In: `{"code": …, "folder": …}`. Out: `{"error", "text", "steps", "result", "tables", "charts", "files"}`, tables and
charts in the plain form that the worker gives them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import traceback
import warnings
from types import ModuleType
from typing import Any

from tablewright.sandbox.worker.charts import chart_of
from tablewright.sandbox.worker.formula_text import Guard, frame_of
from tablewright.sandbox.worker.tables import table_of


def tools(said: dict[str, Any]) -> ModuleType:
    module = ModuleType("tw")

    def chart(
        kind: str, data: Any = None, x: Any = None, y: Any = None, series: Any = None, title: str | None = None
    ) -> None:
        said["charts"].append(chart_of(kind, data, x, y, series=series, title=title))

    def table(data: Any, title: str | None = None) -> None:
        said["tables"].append({**(table_of(data) or {}), "title": title})

    def file(path: str) -> None:
        said["files"].append(os.path.abspath(path))  # noqa: PTH100

    def guard(data: Any) -> Any:
        return Guard().frame(frame_of(data))

    module.chart, module.table, module.file = chart, table, file  # type: ignore[attr-defined]
    module.guard = guard  # type: ignore[attr-defined]
    return module


def run(code: str, folder: str | None) -> dict[str, Any]:
    if folder:
        os.chdir(folder)
    said: dict[str, Any] = {"error": None, "result": None, "tables": [], "charts": [], "files": [], "steps": []}
    names: dict[str, Any] = {"tw": tools(said)}
    inner = re.sub(r"<\|(begin|end)_code\|>", "", code)
    out = io.StringIO()
    for segment in re.split(r"(?m)^(?=# @step:)", inner):
        if not segment.strip():
            continue
        said["steps"].append(segment.splitlines()[0].removeprefix("# @step:").strip())
        before = names.get("result", said)
        try:
            with contextlib.redirect_stdout(out), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(segment, "<step>", "exec"), names)
        except Exception:  # noqa: BLE001 - whatever user code raises is its answer
            said["error"] = traceback.format_exc(limit=-2)
            break
        if names.get("result", said) is not before:
            said["result"] = table_of(names["result"])
    said["text"] = out.getvalue()
    return said


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(run(request["code"], request.get("folder")), ensure_ascii=True, default=str) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
