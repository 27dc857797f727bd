"""Results of tools as Genie's page shows them. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

SEARCHES = frozenset({"web_search", "internal_search"})
"""Tools of which the page reads the result as a list of pages; it breaks on anything else."""
RESULT_CHARS = 100_000
_HIT = re.compile(r"^(\d+)\. (.*)\n {3}(\S+)((?:\n {3}.*)*)", re.MULTILINE)
"""A hit as the tool `web_search` writes it: number and title, address, excerpt."""


def tool_result(name: str, arguments: Mapping[str, Any], words: str) -> dict[str, Any]:
    """Return what a tool was asked and what it gave."""
    words = words[:RESULT_CHARS]
    told = json.dumps(_pages(arguments, words), ensure_ascii=False) if name in SEARCHES else words
    return {"toolName": name, "toolParam": dict(arguments), "toolResult": told}


def _pages(arguments: Mapping[str, Any], words: str) -> list[dict[str, str]]:
    """Return the hits; what is none is one page with all the words."""
    found = [
        {"name": hit[2].strip(), "pageContent": _excerpt(hit[4]), "sourceUrl": hit[3]} for hit in _HIT.finditer(words)
    ]
    return found or [{"name": str(arguments.get("query", "")), "pageContent": words, "sourceUrl": ""}]


def _excerpt(lines: str) -> str:
    return "\n".join(line.strip() for line in lines.strip("\n").splitlines())
