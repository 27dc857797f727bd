"""Expressions and templates, compiled once and evaluated within a budget."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Template, TemplateError, TemplateSyntaxError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.parser import Parser

from tablewright.errors import ExpressionFailed, ExpressionInvalid
from tablewright.workflows.expressions.budget import BUDGET, WEIGHT, OverBudget
from tablewright.workflows.expressions.environment import Environment, new_budget
from tablewright.workflows.expressions.syntax import NotAllowed, budgeted, check

SOURCE_CHARS = 20_000
SHOWN_CHARS = 80
GLOBALS = frozenset({"range"})
_RESULT = "result_"
_ENVIRONMENT = Environment()
_LONE = re.compile(r"\s*\{\{(?:(?!\{\{|\}\}|\{%|%\}).)*\}\}\s*", re.DOTALL)
"""A template that is nothing but one expression."""
_FAILURES = (TemplateError, TypeError, ValueError, ArithmeticError, RecursionError, AttributeError, LookupError)


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression or, with `is_text`, a template. `names` are the variables that it reads."""

    source: str
    names: frozenset[str]
    is_text: bool
    compiled: Template

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Return its value: JSON, a text of a template. Raises `ExpressionFailed`."""
        token = BUDGET.set(new_budget())
        try:
            return self._text(values) if self.is_text else self._value(values)
        except OverBudget as over:
            raise ExpressionFailed("expression_too_much", source=_shown(self.source), limit=over.limit) from over
        except _FAILURES as error:
            words = str(error) or type(error).__name__
            raise ExpressionFailed(source=_shown(self.source), words=words[:200]) from error
        finally:
            BUDGET.reset(token)

    def _text(self, values: Mapping[str, Any]) -> str:
        written: list[str] = []
        chars = 0
        for piece in self.compiled.root_render_func(self.compiled.new_context(dict(values))):
            written.append(piece)
            chars += len(piece)
            BUDGET.get().spend(len(piece))
            if chars > WEIGHT:
                raise OverBudget("weight")
        return "".join(written)

    def _value(self, values: Mapping[str, Any]) -> Any:
        context = self.compiled.new_context(dict(values))
        for _ in self.compiled.root_render_func(context):
            pass
        return _plain(context.vars[_RESULT])


@lru_cache(maxsize=2_048)
def expression(source: str) -> Expression:
    """Compile an expression. Raises `ExpressionInvalid`."""
    try:
        parser = Parser(_ENVIRONMENT, _bounded(source), state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise TemplateSyntaxError("end", parser.stream.current.lineno)
        return _compiled(
            source, nodes.Template([nodes.Assign(nodes.Name(_RESULT, "store"), tree)], lineno=1), text=False
        )
    except (TemplateSyntaxError, NotAllowed, RecursionError, SyntaxError, MemoryError) as error:
        raise _invalid(source, error) from error


@lru_cache(maxsize=2_048)
def template(source: str) -> Expression:
    """Compile a text with `{{ expressions }}`. Raises `ExpressionInvalid`."""
    try:
        return _compiled(source, _ENVIRONMENT.parse(_bounded(source)), text=True)
    except (TemplateSyntaxError, NotAllowed, RecursionError, SyntaxError, MemoryError) as error:
        raise _invalid(source, error) from error


def value_template(source: str) -> Expression:
    """Compile a template of a value: nothing but one `{{ expression }}` is that expression. Raises
    `ExpressionInvalid`."""
    return expression(source.strip()[2:-2].strip("-+")) if _LONE.fullmatch(source) else template(source)


def rendered(values: Any, variables: Mapping[str, Any]) -> Any:
    """Return a JSON value with the templates in its texts rendered. Raises `ExpressionInvalid`, `ExpressionFailed`."""
    if isinstance(values, str):
        return value_template(values).evaluate(variables)
    if isinstance(values, Mapping):
        return {name: rendered(each, variables) for name, each in values.items()}
    if isinstance(values, list | tuple):
        return [rendered(each, variables) for each in values]
    return values


def _compiled(source: str, tree: nodes.Template, *, text: bool) -> Expression:
    check(tree)
    tree.set_environment(_ENVIRONMENT)
    names = frozenset(find_undeclared_variables(tree)) - GLOBALS
    made = budgeted(tree)
    assert isinstance(made, nodes.Template)
    made.set_environment(_ENVIRONMENT)
    for node in made.find_all(nodes.Node):
        node.lineno = node.lineno or 1
    return Expression(source, names, text, _ENVIRONMENT.from_string(made))


def _bounded(source: str) -> str:
    if len(source) > SOURCE_CHARS:
        raise NotAllowed("length")
    return source


def _invalid(source: str, error: Exception) -> ExpressionInvalid:
    if isinstance(error, NotAllowed):
        return ExpressionInvalid("expression_not_allowed", source=_shown(source), what=error.what)
    words = error.message if isinstance(error, TemplateSyntaxError) else None
    return ExpressionInvalid(source=_shown(source), words=(words or type(error).__name__)[:200])


def _shown(source: str) -> str:
    return source if len(source) <= SHOWN_CHARS else f"{source[:SHOWN_CHARS]}…"


def _plain(value: Any) -> Any:
    """Return a value as JSON has it. Raises `TypeError` for what is none."""
    if hasattr(value, "_fail_with_undefined_error"):
        return str(value)  # raises what says its name
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(type(value).__name__)
