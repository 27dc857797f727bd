"""Written code, executed by the sandbox's own interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.analyst.plan import Part, Plan, Relation
from tablewright.analyst.writing import write_code
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.language import Language
from tablewright.domain.table import Table

PYTHON = Path(sys.prefix).parent / ".venv-sandbox" / "bin" / "python"
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came out of the code."""

    code: str
    result: dict[str, Any] | None
    tables: list[dict[str, Any]]
    charts: list[dict[str, Any]]
    files: list[str]
    text: str
    steps: list[str]

    @property
    def rows(self) -> list[list[Any]]:
        """The rows of the result."""
        assert self.result is not None, self.code
        rows: list[list[Any]] = self.result["rows"]
        return rows

    @property
    def value(self) -> Any:
        """The one cell of the result."""
        assert [len(row) for row in self.rows] == [1], self.rows
        return self.rows[0][0]


class Interpreter:
    """A process of the sandbox's interpreter that runs one code block after another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [str(PYTHON), str(Path(__file__).with_name("runner.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"},
        )

    def run(self, code: str) -> Ran:
        """Run `code`; an error of it fails the test."""
        said = self.attempt(code)
        assert said["error"] is None, f"{said['error']}\n{code}"
        return Ran(code=code, **{name: said[name] for name in ("result", "tables", "charts", "files", "text", "steps")})

    def attempt(self, code: str) -> dict[str, Any]:
        """Run `code` and return what came of it, errors too."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, "folder": str(self._folder)}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE_S)
        self._process.stdout.close()


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpreter]:
    if not PYTHON.exists():
        pytest.skip("the sandbox's environment is not installed")
    process = Interpreter(tmp_path_factory.mktemp("session"))
    yield process
    process.close()


@dataclass(frozen=True, slots=True)
class Bench:
    """Makes small CSV files with their facts, and runs plans over them."""

    folder: Path
    interpreter: Interpreter

    def table(self, name: str, text: str, *columns: ColumnFacts, **read: Any) -> DatasetFacts:
        """Write a CSV and return its facts; the columns come in order."""
        path = self.folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        lines = text.strip().splitlines()
        return DatasetFacts(
            id=name,
            name=name,
            file_name=path.name,
            path=str(path),
            read=ReadOptions(kind="csv", encoding="utf-8", delimiter=",", quote='"', **read),
            rows=len(lines) - 1,
            columns=columns,
            sample=Table(columns=tuple(column.name for column in columns), rows=(), total_rows=0),
            profile_ref="0" * 64,
        )

    def run(self, relation: Relation, *datasets: DatasetFacts, language: Language = "en", **part: Any) -> Ran:
        """Run a plan of one part."""
        return self.plan(Plan(parts=(Part(relation=relation, **part),)), *datasets, language=language)

    def plan(self, plan: Plan, *datasets: DatasetFacts, language: Language = "en") -> Ran:
        """Run a plan."""
        return self.interpreter.run(write_code(plan, datasets, language))


@pytest.fixture
def bench(tmp_path: Path, interpreter: Interpreter) -> Bench:
    return Bench(tmp_path, interpreter)
