from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import environment


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A service whose environment has no neighbour, and a cache."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "service" / ".venv"))
    return tmp_path / "cache"


@pytest.fixture
def small_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock of nothing, which needs no network."""
    lock = tmp_path / "sandbox.lock"
    lock.write_text("")
    monkeypatch.setattr(environment, "LOCK", lock)


def test_a_setting_is_taken_if_it_can_be_run(alone: Path) -> None:
    assert environment.find(Path(sys.executable), cache=alone) == Path(sys.executable)
    for wrong in (alone / "none", alone.parent):
        with pytest.raises(SandboxUnavailable):
            environment.find(wrong, cache=alone)


def test_the_environment_beside_the_services_own_is_found(alone: Path) -> None:
    python = Path(sys.prefix).parent / ".venv-sandbox" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert environment.find(cache=alone) == python


def test_the_cached_environment_is_named_by_its_lock(
    alone: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = environment.cached(alone)
    (tmp_path / "sandbox.lock").write_text("other")
    monkeypatch.setattr(environment, "LOCK", tmp_path / "sandbox.lock")
    assert environment.cached(alone) != before
    assert before.parent == alone


@pytest.mark.usefixtures("small_lock")
def test_an_environment_is_made_once_over_an_unfinished_one_and_then_found(alone: Path) -> None:
    half = environment.cached(alone)
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "python").touch()
    assert environment.find(cache=alone) is None
    told: list[str] = []
    python = environment.ensure(progress=lambda stage, _detail: told.append(stage), cache=alone)
    assert environment.find(cache=alone) == python
    assert told[0] == "creating"
    assert told[-1] == "ready"
    prefix = subprocess.run(
        [python, "-c", "import sys; print(sys.prefix)"], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert prefix == str(environment.cached(alone))
    again: list[str] = []
    assert environment.install(lambda stage, _detail: again.append(stage), cache=alone) == python
    assert again == ["ready"]


def test_a_failure_carries_the_installers_last_words(
    alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "sandbox.lock"
    lock.write_text("this is no requirement\n")
    monkeypatch.setattr(environment, "LOCK", lock)
    with pytest.raises(SandboxUnavailable, match="requirement"):
        environment.install(cache=alone)
    assert environment.find(cache=alone) is None
