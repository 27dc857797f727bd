"""docs/reference/api.md says what the service does: every route and every code of an error, and no other."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.unit.api.test_errors import tree

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.api.errors import CODES, status_of
from tablewright.errors import TablewrightError

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "reference" / "api.md"
ROUTE = re.compile(r"^\| `([A-Z]+ /\S*)` \| (.+?) \| ([\d ]+) \| ([\d ]+|–) \|$", re.MULTILINE)
CODE = re.compile(r"^\| `([a-z_]+)` \| (\d+|–) \| .+ \|$", re.MULTILINE)


def operations() -> dict[str, dict[str, Any]]:
    """Return every operation of the OpenAPI document by its method and path."""
    never_opened: Any = nullcontext()
    document = create_api(never_opened, Access(keyless=True, read_key=lambda _: None)).openapi()
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def statuses() -> dict[str, str]:
    """Return every code that can be told, with its status; – for what no request is answered with."""
    known: dict[str, int] = {}
    for kind in tree():
        if not kind.__module__.startswith("tablewright.cli"):
            known.setdefault(kind.code, status_of(kind()))
    for status, code in CODES.items():
        known.setdefault(code, status)
    bug = TablewrightError.code
    return {code: "–" if status == 500 and code != bug else str(status) for code, status in known.items()}


@pytest.mark.requirement("api-every-route-documented")
def test_every_route_is_documented_with_its_meaning_and_its_answers() -> None:
    written = {row[0]: row[1:] for row in ROUTE.findall(DOCUMENT.read_text(encoding="utf-8"))}
    expected = {}
    for name, operation in operations().items():
        given = sorted(operation["responses"])
        meaning = operation["description"].split("\n\n")[0].replace("\n", " ")
        good, bad = (" ".join(part) for part in ([s for s in given if s < "3"], [s for s in given if s >= "3"]))
        expected[name] = (meaning, good, bad or "–")
    assert written == expected


@pytest.mark.requirement("api-every-code-documented")
def test_every_code_is_documented_with_its_status() -> None:
    assert dict(CODE.findall(DOCUMENT.read_text(encoding="utf-8"))) == statuses()
