"""Every promise is proven by a test, and every marker on a test names a promise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.requirements import IDS, PROMISES

ROOT = Path(__file__).resolve().parents[2]


@cache
def markers() -> tuple[tuple[str, str], ...]:
    """Return each id that a marker names, with the function that bears it."""
    return tuple(_found())


def _found() -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / "tests").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        # Most files have none, and are not worth to be parsed.
        for node in ast.walk(ast.parse(source)) if "requirement" in source else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for marker in filter(_is_requirement, node.decorator_list):
                    promise = ast.literal_eval(marker.args[0])  # type: ignore[attr-defined]  # a call, as was looked at
                    yield promise, f"{file.relative_to(ROOT)}::{node.name}"


def _is_requirement(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement"


def test_every_promise_is_proven_by_a_test() -> None:
    assert sorted(IDS - {name for name, _ in markers()}) == []


def test_every_marker_names_a_promise_and_stands_on_a_test() -> None:
    wrong = [(name, place) for name, place in markers() if name not in IDS or "::test_" not in place]
    assert wrong == []


def test_every_promise_is_made_once_on_a_page_that_exists() -> None:
    assert len(IDS) == sum(len(promises) for promises in PROMISES.values())
    assert [page for page in PROMISES if not (ROOT / page).is_file()] == []
    assert [name for promises in PROMISES.values() for name, words in promises.items() if not words.endswith(".")] == []
