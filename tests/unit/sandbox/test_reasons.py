"""Why no code can run is said in the person's language, with what to do about it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablewright
from tablewright.errors import Busy, SandboxUnavailable
from tablewright.texts.catalogue import catalogue
from tablewright.texts.errors import describe

SOURCE = Path(tablewright.__file__).parent
AREA = SOURCE / "texts" / "zh" / "sandbox.json"


def _raised() -> Iterator[tuple[str, str | None]]:
    """Yield where SandboxUnavailable is made, and the code that it is given."""
    for path in [*SOURCE.glob("sandbox/**/*.py"), *SOURCE.glob("bootstrap/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "SandboxUnavailable":
                code = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
                yield f"{path.name}:{node.lineno}", code if isinstance(code, str) else None


@pytest.mark.requirement("sandbox-reasons-in-both-languages")
def test_every_reason_is_a_code_of_the_catalogue() -> None:
    found = dict(_raised())
    assert len(found) > 20
    assert not {place: code for place, code in found.items() if code not in catalogue("zh")}
    reasons = {code for code in json.loads(AREA.read_text()) if not code.startswith(("step_", "what_"))}
    assert set(found.values()) == reasons


def test_a_reason_is_told_in_the_language_of_who_reads_it() -> None:
    error = SandboxUnavailable("docker_runtime_missing", runtime="runsc", known="runc")
    assert "Docker has no runtime runsc, only runc; install it" in describe(error, "en")
    chinese = describe(error, "zh")
    assert "Docker 没有运行时 runsc，只有 runc；请安装" in chinese
    assert "has no runtime" not in chinese


def test_a_full_sandbox_is_told_as_busy_with_what_can_be_done() -> None:
    error = Busy(what="sandbox", waited_s=0)
    assert "in use right now (sessions of the sandbox; sandbox.pool.max_size" in describe(error, "en")
    assert "沙箱会话" in describe(error, "zh")
    stopping = Busy(what="sandbox_stopping", waited_s=0)
    assert "(the sandbox is stopping)" in describe(stopping, "en")
    assert "沙箱正在停止" in describe(stopping, "zh")
