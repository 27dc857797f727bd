"""What a deep search is told as: what is searched for, what each search has found, and the answer. Pure."""

from __future__ import annotations

import json
from typing import Any, Literal

SearchKind = Literal["extend", "search", "report"]


def search_frame(
    request_id: str,
    query: str,
    kind: SearchKind,
    *,
    queries: list[str] | None = None,
    docs: list[list[dict[str, Any]]] | None = None,
    answer: str = "",
    final: bool = False,
) -> dict[str, Any]:
    """Return what is told: `extend` with the queries of a round, `search` with what one found, `report` the answer."""
    return {
        "requestId": request_id,
        "query": query,
        "searchResult": {"query": queries or [], "docs": docs or []},
        "answer": answer,
        "isFinal": final,
        "searchFinish": kind == "report",
        "messageType": kind,
    }


def documents(text: str) -> list[dict[str, Any]]:
    """Return what a search has found; it stands in the log as JSON, which may have been cut."""
    try:
        read = json.loads(text)
    except ValueError:
        return []
    return [one for one in read if isinstance(one, dict)] if isinstance(read, list) else []
