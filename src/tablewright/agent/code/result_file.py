"""The closing step of a run that must deliver a file: it writes `result` under the requested name."""

from __future__ import annotations

import json
from pathlib import PurePath

from tablewright.tools.execution.artifact_delivery import OUTPUT_FOLDER

_TABLE = """\
import os
import pandas as pd

saved = pd.DataFrame([result], columns=["result"]) if pd.api.types.is_scalar(result) else pd.DataFrame(result)
counted = isinstance(saved.index, pd.RangeIndex) or pd.api.types.is_integer_dtype(saved.index)
saved = saved.copy() if counted and saved.index.name is None else saved.reset_index()
saved.columns = [" ".join(map(str, name)).strip() if isinstance(name, tuple) else name for name in saved.columns]
os.makedirs({folder}, exist_ok=True)
"""
_XLSX = """\
for name in saved.select_dtypes("datetimetz"):
    saved[name] = saved[name].dt.tz_localize(None)
plain = {{"options": {{"strings_to_formulas": False, "strings_to_urls": False}}}}
with pd.ExcelWriter({path}, engine="xlsxwriter", engine_kwargs=plain) as book:
    saved.to_excel(book, index=False)
"""
_CSV = """\
import tw
tw.guard(saved).to_csv({path}, index=False)
"""
_CSV_AS_IT_IS = """\
saved.to_csv({path}, index=False)
"""
_JSON = """\
saved.columns = [str(name) for name in saved.columns]
saved.to_json({path}, orient="records", force_ascii=False, date_format="iso", indent=1)
"""
_PARQUET = """\
saved.columns = [str(name) for name in saved.columns]
for name in saved.select_dtypes("object"):
    if saved[name].dropna().map(type).nunique() > 1:
        saved[name] = saved[name].map(str, na_action="ignore")
saved.to_parquet({path}, index=False)
"""
_WRITING = {".xlsx": _XLSX, ".csv": _CSV, ".json": _JSON, ".parquet": _PARQUET}
_DONE = """\
print({path}, saved.shape)"""


def result_path(name: str) -> str:
    """Return the path of the file called `name` in the session's working folder."""
    return f"{OUTPUT_FOLDER}/{name}"


def result_code(name: str, *, guard: bool = True) -> str:
    """Return code that writes the table `result` to the file called `name`: xlsx, csv, json or parquet.

    Text that begins like a formula stays text: in csv it gets an apostrophe, unless `guard` is False.
    """
    path, folder = (json.dumps(words, ensure_ascii=False) for words in (result_path(name), OUTPUT_FOLDER))
    kind = PurePath(name).suffix.lower()
    writing = _CSV_AS_IT_IS if kind == ".csv" and not guard else _WRITING[kind]
    return (_TABLE + writing + _DONE).format(path=path, folder=folder)
