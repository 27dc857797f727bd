"""What a reader does once is done before its first file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.data.files.rehearsal import rehearse
from tablewright.data.files.tables import WARM

PROGRAM = """
import re, sys
import pydantic
from pathlib import Path
from tablewright.data.files import profiler, rehearsal

def refused(*given, **named):
    raise AssertionError("the first file made this")

rehearsal.rehearse()
re._compiler.compile = refused
pydantic.TypeAdapter.__init__ = refused
profiler.profile(Path(sys.argv[1]), name="first.csv")
"""
FIRST = 'total,when,what\n"1,234.5",2023-05-06,one\n"2,345.5",2023-05-07,two\n"3,456.5",2023-05-08,one\n'


def test_the_first_file_compiles_no_pattern_and_makes_no_converter(tmp_path: Path) -> None:
    first = tmp_path / "first.csv"
    first.write_text(FIRST)
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(first)], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert ended.stderr == ""


def test_readers_rehearse_before_they_are_ready() -> None:
    assert f"{rehearse.__module__}:{rehearse.__name__}" in WARM


def test_without_a_place_for_files_there_is_no_rehearsal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    rehearse()
