"""Something to tell a person, as data; the words are the catalogue's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablewright.errors import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something to tell a person: a code of the catalogue with its parameters. `field` names the parameter of the
    operation that is at fault, where one is."""

    code: str
    params: Mapping[str, Parameter]
    field: str | None = None
