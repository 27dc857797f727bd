"""Which names a cell takes from earlier cells and leaves to later ones, determined from its syntax alone."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

GIVEN = frozenset(dir(builtins)) | {"tw", "display"}
"""Names that exist in every session from the start."""
OPAQUE = frozenset({"globals", "locals", "vars", "dir", "eval", "exec", "get_ipython", "_"})
"""Names through which code can reach other names without mentioning them."""

_PARSE = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_HARMLESS = re.compile(r"^%(matplotlib|config)\b.*$", re.MULTILINE)
_FILE = re.compile(r"(?!/)[^\n*?]{1,200}\.\w{1,8}")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@dataclass(slots=True, kw_only=True)
class CellNames:
    """The names of a cell.

    `taken` are names that the cell reads before binding them, `bound` those it certainly binds, `made` those it may
    bind; `files` are its strings that may name files of the working folder. A cell that is `opaque` may depend on
    anything.
    """

    taken: set[str] = field(default_factory=set[str])
    bound: set[str] = field(default_factory=set[str])
    made: set[str] = field(default_factory=set[str])
    files: set[str] = field(default_factory=set[str])
    opaque: bool = False

    @property
    def touched(self) -> set[str]:
        """Every name whose value may differ after the cell."""
        return self.made | (self.taken - GIVEN)


def names_of(code: str) -> CellNames:
    """Return the names of a cell; a cell that is not plain Python is opaque."""
    found = CellNames()
    try:
        tree = compile(_HARMLESS.sub("", code), "<cell>", "exec", _PARSE)
        _Reader(found).visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found.opaque = True
    found.opaque = found.opaque or bool(OPAQUE & found.taken)
    return found


class _Reader:
    """Visits a cell's nodes in the order in which they run."""

    def __init__(self, found: CellNames) -> None:
        self._found = found
        self._inner: list[set[str]] = []

    def visit(self, node: ast.AST) -> None:
        """Visit `node` and its children."""
        reading = _READINGS.get(type(node))
        if reading is not None:
            reading(self, node)
        else:
            self._all(ast.iter_child_nodes(node))

    def _all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _bind(self, name: str) -> None:
        if not any(name in names for names in self._inner):
            self._found.made.add(name)
            if not self._inner:
                self._found.bound.add(name)

    def _read(self, name: str) -> None:
        if name not in self._found.bound and not any(name in names for names in self._inner):
            self._found.taken.add(name)

    def _branches(self, *branches: Iterable[ast.AST | None]) -> None:
        """Visit alternative branches: certainly bound afterwards is what all of them bind."""
        before = self._found.bound
        ends: list[set[str]] = []
        for branch in branches:
            self._found.bound = set(before)
            self._all(branch)
            ends.append(self._found.bound)
        self._found.bound = set.intersection(*ends)

    @contextmanager
    def _within(self, names: set[str]) -> Iterator[None]:
        """Treat `names` as local within this context."""
        self._inner.append(names)
        yield
        self._inner.pop()

    def name(self, node: ast.Name) -> None:
        (self._bind if isinstance(node.ctx, ast.Store) else self._read)(node.id)

    def text(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and _FILE.fullmatch(node.value):
            self._found.files.add(node.value)

    def assignment(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        self._all((node.annotation,) if isinstance(node, ast.AnnAssign) else ())
        self._all((node.value, *(targets if node.value is not None else ())))

    def change(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._read(node.target.id)
        self._all((node.value, node.target))

    def loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self.visit(node.test if isinstance(node, ast.While) else node.iter)
        targets = () if isinstance(node, ast.While) else (node.target,)
        self._branches((*targets, *node.body, *node.orelse), ())

    def condition(self, node: ast.If) -> None:
        self.visit(node.test)
        self._branches(node.body, node.orelse)

    def attempt(self, node: ast.Try | ast.TryStar) -> None:
        self._branches((*node.body, *node.orelse), *((handler,) for handler in node.handlers))
        self._all(node.finalbody)

    def choice(self, node: ast.Match) -> None:
        self.visit(node.subject)
        self._branches(*((case,) for case in node.cases), ())

    def binding(self, node: ast.AST) -> None:
        """Bind the names of an import, a caught exception or a pattern, then visit its children."""
        for name in _bound_by(node):
            self._bind(name)
        self._all(ast.iter_child_nodes(node))

    def function(self, node: _Function) -> None:
        decorators = () if isinstance(node, ast.Lambda) else node.decorator_list
        body = (node.body,) if isinstance(node, ast.Lambda) else node.body
        self._all((*decorators, *node.args.defaults, *node.args.kw_defaults))
        with self._within(_locals(node, body)):
            self._all(body)
        for name in _bound_by(node):
            self._bind(name)

    def klass(self, node: ast.ClassDef) -> None:
        self._all((*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)))
        with self._within(_stored(node.body)):
            self._all(node.body)
        self._bind(node.name)

    def comprehension(self, node: _Comprehension) -> None:
        with self._within(_stored(generator.target for generator in node.generators)):
            self._all(node.generators)
            self._all((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,))


_READINGS: dict[type[ast.AST], Callable[[_Reader, Any], None]] = {
    ast.Name: _Reader.name,
    ast.Constant: _Reader.text,
    ast.AugAssign: _Reader.change,
    ast.If: _Reader.condition,
    ast.Match: _Reader.choice,
    ast.ClassDef: _Reader.klass,
    **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.NamedExpr), _Reader.assignment),
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.While), _Reader.loop),
    **dict.fromkeys((ast.Try, ast.TryStar), _Reader.attempt),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda), _Reader.function),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), _Reader.comprehension),
    **dict.fromkeys(
        (ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping), _Reader.binding
    ),
}


def _locals(function: _Function, body: Sequence[ast.AST]) -> set[str]:
    given = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    outer = {name for node in _walk(body) if isinstance(node, ast.Global) for name in node.names}
    return given | (_stored(body) - outer)


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """Return every name that is bound anywhere in `nodes`."""
    return {name for node in _walk(nodes) for name in _bound_by(node)}


def _bound_by(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Name(id=str(name), ctx=ast.Store()):
            return (name,)
        case ast.FunctionDef(name=str(name)) | ast.AsyncFunctionDef(name=str(name)) | ast.ClassDef(name=str(name)):
            return (name,)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return tuple(alias.asname or alias.name.partition(".")[0] for alias in names)
        case _:
            return ()


def _walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        yield from ast.walk(node)
