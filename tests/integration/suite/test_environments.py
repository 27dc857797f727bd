"""What the environment of user code holds, and what it does without."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.sandbox import environment

ROOT = Path(__file__).resolve().parents[3]
CELLS = """
import json
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("kept = 6 * 7")
_, names = shell.complete("kep")
print(json.dumps([shell.user_ns["kept"], names]))
"""
TABLE = """
import io, os, pandas, pyarrow.fs, pyarrow.dataset
kept = io.BytesIO()
pandas.DataFrame({"a": [1, 2]}).to_parquet(kept)
print(int(pandas.read_parquet(kept)["a"].sum()), flush=True)
os._exit(0)
"""
"""As a worker does, it ends without tearing down what Arrow's threads are at, which aborts on a busy machine."""


def said(code: str) -> str:
    command = [str(environment.ensure()), "-I", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_a_shell_runs_cells_and_knows_names_without_what_completes_them_at_a_keyboard() -> None:
    assert said("import importlib.util; print(importlib.util.find_spec('jedi'))") == "None"
    assert json.loads(said(CELLS).splitlines()[-1]) == [42, ["kept"]]


def test_tables_are_written_and_read_without_the_clients_of_network_services() -> None:
    assert said(TABLE) == "3"


def test_every_library_of_the_lock_that_analyses_import_is_there() -> None:
    names = said(
        f"import runpy; print(*runpy.run_path({str(ROOT / 'scripts' / 'first_imports.py')!r})['MODULES'].split())"
    )
    missing = "import importlib.util, sys; print([n for n in sys.argv[1:] if importlib.util.find_spec(n) is None])"
    assert said(f"import sys; sys.argv[1:] = {names.split()!r}; {missing}") == "[]"


def test_an_environment_is_made_of_what_its_lock_names_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told"
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >>"{told}"\n[ "$1" != venv ] || mkdir -p "$4"\n')
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    environment.install(cache=tmp_path / "cache")
    assert told.read_text().splitlines()[1].endswith(f"--no-deps --require-hashes -r {environment.LOCK}")
