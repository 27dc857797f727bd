"""The functions of plans, in the wire format."""

from __future__ import annotations

from functools import cache

from tablewright.api.schemas.excel import FunctionOut, FunctionsResponse
from tablewright.domain.operations import operations, schemas
from tablewright.domain.operations.aliases import ALIASES


@cache
def functions_response() -> FunctionsResponse:
    """Return every function with its aliases and the schema of its parameters."""
    listed = [
        FunctionOut(
            name=name,
            description=" ".join((kind.__doc__ or "").split()),
            effect=kind.effect,
            destructive=kind.destructive,
            parameters=schemas()[name],
            aliases=sorted(alias for alias, meant in ALIASES.items() if meant.function == name),
        )
        for name, kind in operations().items()
    ]
    return FunctionsResponse(functions=listed)
