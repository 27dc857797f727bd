"""Runs cells for the supervisor, one at a time, each with its outputs and a closing frame."""

from __future__ import annotations

import ast
import gc
import resource
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from . import file_saving, plotting, policy, refusals, substitutes
from .emitter import FLUSHER, Emitter, Stream
from .imports import AfterImport, set_pandas
from .input_links import InputLinks
from .interactive import shower
from .interrupts import Interrupts
from .jail import limits
from .shell import Shell, build
from .tables import table_of
from .tw import Tools, module_of

_RESULT = "result"
SHARED = "/data/shared"
"""What code calls the folder of the session's inputs."""
_PARSE = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Runner:
    """A shell and its surroundings; built before the fork, used after it."""

    def __init__(self, emitter: Emitter, interrupts: Interrupts) -> None:
        self._emitter = emitter
        self._interrupts = interrupts
        self._tools = Tools(emitter)
        self.policy = policy.Policy()
        self._shared_bytes = 0
        self._reserve = limits.Reserve()
        self._inputs: InputLinks | None = None
        self.namespace: dict[str, Any] = {"tw": module_of(self._tools)}
        self._shell: Shell = build(emitter, self.namespace)
        plotting.silence()
        substitutes.install()
        AfterImport({"pandas": set_pandas, "plotly.io._renderers": shower(emitter)}).install()

    def enter(self, folder: str) -> None:
        """Take over the process's streams for a session whose working folder is `folder`."""
        self._tools.folder = folder
        with suppress(OSError):  # what is written there is handed over, so that code need not make it first
            Path(file_saving.FOLDER).mkdir(exist_ok=True)
        if self._emitter.aliases.needed:
            self._shell.ast_transformers.append(self._emitter.aliases)
        refusals.install()
        self._inputs = InputLinks(self._emitter.aliases.real(SHARED), str(Path.cwd()))
        self._inputs.install()
        self._reserve = limits.Reserve()
        self._shared_bytes = _peak_bytes()
        sys.stdout = Stream(self._emitter, "stdout")
        sys.stderr = Stream(self._emitter, "stderr")

    def check(self, code: str) -> Literal["complete", "incomplete", "invalid"]:
        """Return whether `code` parses as a complete cell."""
        if self._parsed(code) is not None:
            return "complete"
        verdict, _ = self._shell.input_transformer_manager.check_complete(code)
        return "incomplete" if verdict == "incomplete" else "invalid"

    def _parsed(self, code: str) -> ast.Module | None:
        try:
            tree: ast.Module = compile(self._shell.transform_cell(code), "<cell>", "exec", _PARSE)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return tree

    def execute(self, code: str) -> dict[str, Any]:
        """Run one cell. Returns the fields of the closing frame."""
        started = time.monotonic()
        cpu = time.process_time()
        if self._inputs is not None:
            self._inputs.make()
        tree = self._parsed(code)
        status = self._refused(tree) or self._run(code, tree)
        self._emitter.flush()
        return {
            "status": status,
            "elapsed_s": time.monotonic() - started,
            "cpu_s": time.process_time() - cpu,
            "peak_memory_bytes": max(0, _peak_bytes() - self._shared_bytes),
            "threads": sum(thread.name != FLUSHER for thread in threading.enumerate()),
            "cut_chars": self._emitter.cut_chars,
        }

    def _refused(self, tree: ast.Module | None) -> str | None:
        reason = self.policy.refusal(tree) if tree is not None else None
        if reason is None:
            return None
        self._emitter.error("ImportError", reason, f"ImportError: {reason}")
        return "error"

    def _run(self, code: str, tree: ast.Module | None) -> str:
        self._shell.begin(code)
        self._shell.compile.parsed = None if tree is None else (self._shell.transform_cell(code), tree)
        failure: BaseException | None = None
        self._reserve.narrow()
        self._interrupts.begin()
        try:
            outcome = self._shell.run_cell(code, store_history=False)
            failure = outcome.error_before_exec or outcome.error_in_exec or self._shell.failure
            if failure is None:
                self._put_result(tree)
        except BaseException as error:  # noqa: BLE001 - an interrupt, or no memory, after the cell's own code
            failure = error
        finally:
            self._interrupts.end()
            self._reserve.widen()
        return "ok" if failure is None else self._failed(failure)

    def _put_result(self, tree: ast.Module | None) -> None:
        if tree is None or _RESULT not in self.namespace or not _binds(tree, _RESULT):
            return
        value = self.namespace[_RESULT]
        table = table_of(value)
        if table is not None and not self._emitter.table(table, _RESULT):
            file_saving.save(value, _RESULT, self._tools.folder, self._emitter)

    def _failed(self, failure: BaseException) -> str:
        message = _message(failure)
        if isinstance(failure, ModuleNotFoundError) and self.policy.checked:
            message = self.policy.missing(failure.name)
        status = "error"
        if isinstance(failure, MemoryError):
            status = "oom"
        elif isinstance(failure, KeyboardInterrupt):
            status = "interrupted"
        traceback = self._shell.failure_text or f"{type(failure).__name__}: {message}"
        self._emitter.error(type(failure).__name__, message, traceback)
        self._shell.begin("")
        _forget(failure)
        return status


def _message(failure: BaseException) -> str:
    if isinstance(failure, SyntaxError) and failure.lineno is not None:
        return f"{failure.msg} (line {failure.lineno})"
    return str(failure)


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _forget(failure: BaseException) -> None:
    """Release the frames held by a traceback: after running out of memory, they hold that memory."""
    failure.__traceback__ = None
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)
    if isinstance(failure, MemoryError):
        gc.collect()


def _binds(tree: ast.Module, name: str) -> bool:
    """Return whether the cell binds `name` in its own scope."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) == name:
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return False
