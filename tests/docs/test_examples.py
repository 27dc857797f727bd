"""Every example of the documentation runs and gives what the page says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.examples import Example, commands, examples, fits
from tests.support.patience import PATIENCE_S

from tablewright.samples import sample_files

EXAMPLES = examples()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sample files, where the examples of this module run one after another."""
    folder = tmp_path_factory.mktemp("examples")
    for sample in sample_files():
        shutil.copy(sample, folder)
    return folder


def run(argv: list[str], place: Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, TABLEWRIGHT_DATA_DIR=str(place / ".data"), COLUMNS="100", LANG="en_GB.UTF-8")
    environment["PATH"] = f"{Path(sys.prefix) / 'bin'}:{environment['PATH']}"
    return subprocess.run(
        argv, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.kind == "console"], ids=str)
def test_a_transcript_runs_as_it_is_written(example: Example, place: Path) -> None:
    for command in commands(example.body):
        done = run(["sh", "-c", command.line], place)
        assert fits(command.output, done.stdout), f"$ {command.line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.kind == "python"], ids=str)
def test_a_program_runs(example: Example, place: Path) -> None:
    done = run([sys.executable, "-c", example.body], place)
    assert done.returncode == 0, done.stderr


def test_the_documentation_has_examples() -> None:
    assert {example.kind for example in EXAMPLES} == {"console", "python"}
