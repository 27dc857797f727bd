"""A notice to a person as data; its text is in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablewright.errors import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice to a person: a code of the catalogue and its parameters.

    `field` names the operation's parameter that is at fault, if any.
    """

    code: str
    params: Mapping[str, Parameter]
    field: str | None = None
