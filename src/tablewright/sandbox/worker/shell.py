"""An IPython shell without the features for a terminal or for the user's own machine."""

from __future__ import annotations

import ast
import base64
import sysconfig
import tokenize
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar
from weakref import WeakSet

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from . import plotting
from .emitter import Emitter
from .refusals import refuse_shell
from .tables import is_frame, is_styled, table_of

_FOLDER = str(Path(__file__).parent)
_PREFIXES = tuple(f"{sysconfig.get_path(name)}/" for name in ("purelib", "platlib", "stdlib"))
_REFUSED = frozenset({
    "!", "bash", "sh", "script", "perl", "ruby", "pypy", "python", "python2", "python3", "javascript", "js", "cmd",
    "system",
    "sx", "sc", "pip", "conda", "mamba", "micromamba", "uv", "edit", "notebook", "reload_ext", "load_ext",
})  # fmt: skip
"""Magic commands that need a shell or another machine."""


def _config() -> Config:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.automagic = False
    config.InteractiveShell.autoindent = False
    config.InteractiveShell.cache_size = 0
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"
    config.InteractiveShell.history_length = 0
    config.InteractiveShell.history_load_length = 0
    return config


class Formatter(DisplayFormatter):  # type: ignore[misc]  # IPython is not in the service's environment
    """Formats values. Frames and figures are emitted directly, which leaves nothing to publish."""

    emitter: Emitter
    shown: WeakSet[Any]
    """Live figures shown by this cell, held as objects: a new figure may reuse the address of a deleted one."""

    def format(self, obj: Any, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the representations of `obj` by MIME type; none if it has been emitted directly."""
        if plotting.is_drawn_part(obj):
            return {}, {}
        if plotting.is_figure(obj):
            self._put_figure(obj)
            return {}, {}
        if is_frame(obj):
            self._put_frame(obj)
            return {}, {}
        if is_styled(obj):
            return self._styled(obj)
        forms: tuple[dict[str, Any], dict[str, Any]] = super().format(obj, include, exclude)
        return forms

    def _put_figure(self, figure: Any) -> None:
        # An open figure that was displayed would be shown again at the end of the cell: once is enough.
        if figure not in self.shown:
            self.shown.add(figure)
            self.emitter.image(plotting.png(figure))

    def _styled(self, styled: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a styled frame: as HTML with its style, as text without it."""
        plain, metadata = super().format(styled.data, {"text/plain"})
        return {**plain, "text/html": styled.to_html()}, metadata

    def _put_frame(self, frame: Any) -> None:
        data, _ = super().format(frame, {"text/plain"})
        self.emitter.value(data.get("text/plain", ""))
        table = table_of(frame)
        if table is not None:
            self.emitter.table(table, "shown")


def publish(emitter: Emitter, data: dict[str, Any]) -> None:
    """Emit a value: its text, and the richest other supported representation."""
    if "text/plain" in data:
        emitter.value(str(data["text/plain"]))
    if "image/png" in data:
        emitter.image(_png_bytes(data["image/png"]))
    elif "text/html" in data:
        emitter.html(str(data["text/html"]))


class Publisher(DisplayPublisher):  # type: ignore[misc]  # IPython is not in the service's environment
    """The target of `display(...)`."""

    emitter: ClassVar[Emitter]

    def publish(self, data: dict[str, Any], *_arguments: Any, **_options: Any) -> None:
        """Emit the given representations."""
        publish(self.emitter, data)

    def clear_output(self, wait: bool = False) -> None:  # noqa: FBT001, FBT002 - IPython's signature
        """Do nothing: emitted output stays."""


class Hook(DisplayHook):  # type: ignore[misc]  # IPython is not in the service's environment
    """Handles the value of a last expression."""

    emitter: ClassVar[Emitter]
    exec_result = None
    """Beside the trait of this name, whose notifications nobody reads and every cell would pay for."""

    def quiet(self) -> bool:
        """Return whether a semicolon suppresses the cell's last expression."""
        try:
            return bool(self.semicolon_at_end_of_expression(self.shell.cell))
        except (tokenize.TokenError, SyntaxError):
            return False

    def __call__(self, result: Any = None) -> None:
        """Show `result` unless it is None or suppressed."""
        if result is None or self.quiet():
            return
        self.shell.user_ns["_"] = result
        data, _ = self.shell.display_formatter.format(result)
        publish(self.emitter, data)


def _png_bytes(data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    return base64.b64decode(data)


class Compiler(CachingCompiler):  # type: ignore[misc]  # IPython is not in the service's environment
    """Parses each cell once: the worker has looked at its tree before the shell asks for it."""

    parsed: tuple[str, ast.Module] | None = None

    def ast_parse(self, source: str, filename: str = "<cell>", symbol: str = "exec") -> ast.AST:
        """Return the tree of `source`: the one that is there, which then belongs to the shell, or a new one."""
        known, self.parsed = self.parsed, None
        if known is not None and known[0] == source and symbol == "exec":
            return known[1]
        tree: ast.AST = super().ast_parse(source, filename, symbol)
        return tree


class Shell(InteractiveShell):  # type: ignore[misc]  # IPython is not in the service's environment
    """Runs cells; errors, values and figures go to the emitter."""

    display_pub_class = Type(Publisher)
    displayhook_class = Type(Hook)
    compiler_class = Type(Compiler)
    emitter: ClassVar[Emitter]
    transformed: tuple[str, str] = ("", "")
    last_execution_succeeded = True
    last_execution_result = None
    """Beside the traits of these names, as in `Hook`."""

    def _tee(self, channel: str) -> AbstractContextManager[None]:  # noqa: ARG002 - IPython's signature
        """Keep no copy of what a cell prints: it would never be shown, nor let go."""
        return nullcontext()

    def transform_cell(self, raw_cell: str) -> str:
        """Return the cell as Python; called more than once per cell."""
        if self.transformed[0] != raw_cell:
            self.transformed = (raw_cell, super().transform_cell(raw_cell))
        return self.transformed[1]

    def should_run_async(self, raw_cell: str, *, transformed_cell: str = "", **options: Any) -> bool:
        """Return whether the cell awaits something; most are known not to without being compiled for it."""
        if "await" not in transformed_cell and "async" not in transformed_cell:
            return False
        return bool(super().should_run_async(raw_cell, transformed_cell=transformed_cell, **options))

    def begin(self, cell: str) -> None:
        """Forget the previous cell and remember this one."""
        self.cell = cell
        self.failure: BaseException | None = None
        self.failure_text = ""
        self.display_formatter.shown = WeakSet()

    def init_display_formatter(self) -> None:
        """Use the formatter that knows frames and figures."""
        self.display_formatter = Formatter(parent=self)
        self.display_formatter.emitter = self.emitter
        self.configurables.append(self.display_formatter)

    def init_history(self) -> None:
        """Create a history that keeps nothing."""
        super().init_history()
        self.history_manager.enabled = False

    system = system_piped = system_raw = getoutput = getoutput_split = staticmethod(refuse_shell)

    def find_line_magic(self, magic_name: str) -> Any:
        """Return the function of a magic command."""
        return refuse_shell if magic_name in _REFUSED else super().find_line_magic(magic_name)

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        """Run a magic command that takes the rest of the cell."""
        return refuse_shell() if magic_name in _REFUSED else super().run_cell_magic(magic_name, line, cell)

    def enable_gui(self, *_arguments: Any, **_options: Any) -> None:
        """Do nothing: there is no screen."""

    def enable_matplotlib(self, *_arguments: Any, **_options: Any) -> tuple[str, str]:
        """Do nothing: figures are shown inline."""
        return "inline", plotting.BACKEND

    def ask_exit(self) -> None:
        """Do nothing: a session ends by its release."""

    def _get_exc_info(self, exc_tuple: Any = None) -> tuple[Any, Any, Any]:
        kind, value, traceback = super()._get_exc_info(exc_tuple)
        _cut(traceback)
        return kind, value, traceback

    def _showtraceback(self, _etype: Any, evalue: BaseException, stb: Any) -> None:
        self.failure = evalue
        text = stb if isinstance(stb, str) else self.InteractiveTB.stb2text(stb)
        for prefix in _PREFIXES:
            text = text.replace(prefix, "")
        self.failure_text = text

    def show_usage_error(self, exc: BaseException) -> None:
        """Report the misuse of a magic command as a regular error."""
        self._showtraceback(type(exc), exc, f"UsageError: {exc}")


def _cut(traceback: TracebackType | None) -> None:
    """Cut a traceback where user code calls into our own code: nobody can fix those lines."""
    seen_user = False
    while traceback is not None and traceback.tb_next is not None:
        seen_user = seen_user or not _is_ours(traceback)
        if seen_user and _is_ours(traceback.tb_next):
            traceback.tb_next = None
        traceback = traceback.tb_next


def _is_ours(traceback: TracebackType) -> bool:
    name = traceback.tb_frame.f_code.co_filename
    return name.startswith(_FOLDER) or name.endswith("/IPython/core/interactiveshell.py")


def build(emitter: Emitter, namespace: dict[str, Any]) -> Shell:
    """Return the process's shell. It initializes itself during the first cell, so run one before forking."""
    Publisher.emitter = Hook.emitter = Shell.emitter = emitter
    shell: Shell = Shell.instance(config=_config(), user_ns=namespace)
    shell.begin("")
    return shell
