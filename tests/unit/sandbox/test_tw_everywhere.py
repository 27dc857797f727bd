"""What code may say to `tw` in a session it may say in an exported notebook or script too."""

from __future__ import annotations

import ast
import inspect
from importlib.resources import files

from tablewright.sandbox.worker.tw import Tools


def _of_session() -> dict[str, list[str]]:
    found = inspect.getmembers(Tools, inspect.isfunction)
    return {
        name: [word for word in inspect.signature(tool).parameters if word != "self"]
        for name, tool in found
        if not name.startswith("_")
    }


def _of_exports() -> dict[str, list[str]]:
    source = files("tablewright.service.exports").joinpath("prelude.txt").read_text(encoding="utf-8")
    stand_in = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "tw")
    return {
        tool.name: [word.arg for word in tool.args.args if word.arg != "cls"]
        for tool in stand_in.body
        if isinstance(tool, ast.FunctionDef)
    }


def test_exports_know_everything_that_sessions_know() -> None:
    assert _of_exports() == _of_session()
    assert "progress" in _of_session()
