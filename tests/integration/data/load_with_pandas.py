"""Runs in the sandbox's interpreter: executes loading code and says what pandas then holds, one JSON line a job."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import pandas as pd

warnings.simplefilter("error")


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Execute `lines`, then `expressions` of each column, and describe the frame."""
    scope: dict[str, Any] = {"pd": pd, "json": json}
    exec("\n".join(job["lines"]), scope)
    frame = scope["df"]
    columns = {}
    for name, expression in job["expressions"].items():
        scope["s"] = frame[name]
        column = eval(expression, scope)
        known = column.dropna()
        ends: list[Any] = [None, None, None]
        if pd.api.types.is_datetime64_any_dtype(column) and len(known):
            ends = [known.min().isoformat(), known.max().isoformat(), None]
        elif pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column) and len(known):
            ends = [float(known.min()), float(known.max()), float(known.mean())]
        columns[name] = {"missing": int(column.isna().sum()), "distinct": int(known.nunique()), "ends": ends}
    return {"rows": len(frame), "names": list(frame.columns), "columns": columns}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
