"""Which imports are refused, and what is said then."""

from __future__ import annotations

import ast

import pytest

from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.worker.policy import Policy


def refusal(code: str, **policy: object) -> str | None:
    return Policy(**policy).refusal(ast.parse(code))  # type: ignore[arg-type]  # any of its parts


@pytest.mark.parametrize(
    "code", ["import socket", "import os.path, subprocess", "from ctypes import util", "def f():\n    import pty"]
)
def test_what_cannot_work_here_is_refused_with_the_list_of_what_can(code: str) -> None:
    reason = refusal(code)
    assert reason is not None
    assert "standard library" in reason
    assert "Importable: " in reason


@pytest.mark.parametrize(
    "code", ["import os, json", "from collections import abc", "from . import x", "import tw", "import anything"]
)
def test_everything_else_is_left_to_python(code: str) -> None:
    assert refusal(code) is None


def test_a_list_of_the_operators_is_all_that_may_be_imported() -> None:
    assert refusal("import pandas as pd, json, tw", only=["pandas", "json"]) is None
    reason = refusal("import pandas\nimport os.path", only=["pandas", "json"])
    assert reason == "'os' may not be imported here. Importable: pandas, json, tw."


def test_what_the_operator_lists_may_be_imported_though_it_is_refused_elsewhere() -> None:
    assert refusal("import socket", only=["socket"]) is None


def test_further_packages_can_be_refused() -> None:
    reason = refusal("import duckdb", refused=["duckdb"])
    assert reason is not None
    assert "duckdb" not in reason.partition("Importable: ")[2]
    assert refusal("import socket", refused=["duckdb"]) is not None


def test_nothing_is_refused_where_imports_are_not_checked() -> None:
    assert refusal("import socket", **ImportPolicy(checked=False, only=["pandas"]).told()) is None


def test_a_module_that_is_not_there_names_the_list_too() -> None:
    assert Policy(only=["pandas"]).missing("requests").endswith("Importable: pandas, tw.")
