"""What is wrong with the arguments of a call, in the caller's words: the validator's own speak of its insides."""

from __future__ import annotations

from collections.abc import Callable

from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp.types import CallToolRequestParams
from pydantic import ValidationError as ValuesWrong

from tablewright.domain.language import Language
from tablewright.texts.errors import Params, error_text
from tablewright.texts.validation import problem


class ArgumentsChecked(Middleware):
    """Tells the first argument that does not fit, and what would fit, in the language that `language` returns."""

    def __init__(self, language: Callable[[], Language]) -> None:
        self._language = language

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Pass a call on. Raises ToolError if its arguments do not fit the tool's schema."""
        try:
            return await call_next(context)
        except ValidationError as error:
            if not isinstance(error.__cause__, ValuesWrong):
                raise
            raise ToolError(mistake(error.__cause__, self._language())) from error


def mistake(error: ValuesWrong, language: Language) -> str:
    """Say which value does not fit, and what would."""
    first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))
    params: Params = {"detail": "request_field_wrong", "field": field, **problem(first["type"], first.get("ctx", {}))}
    return error_text("invalid_input", language, params)
