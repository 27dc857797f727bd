"""A request to the web, behind the address guard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tablewright.data.base import READING, WebRequest, WebResponse
from tablewright.domain.workflow import HttpNode
from tablewright.errors import NodeFailed
from tablewright.texts.catalogue import text
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.filters import as_text
from tablewright.workflows.expressions.language import rendered, template

SHOWN_CHARS = 600
"""How much of a body is shown to who is asked for consent."""


class HttpKind:
    """Implements `ConsentingKind` for `HttpNode`."""

    acts = True

    def prepare(self, node: HttpNode, call: NodeCall) -> dict[str, Any]:
        url = template(node.url).evaluate(call.variables).strip()
        if node.main_text:
            return {"url": url}
        body = None if node.text is None else template(node.text).evaluate(call.variables)
        headers = {name: as_text(value).strip() for name, value in rendered(node.headers, call.variables).items()}
        if node.json is not None:
            body = json.dumps(rendered({"json": node.json}, call.variables)["json"], ensure_ascii=False)
            headers = {"content-type": "application/json", **headers}
        query = rendered(node.query, call.variables)
        return {"method": node.method, "url": url, "query": query, "headers": headers, "body": body}

    def consent(self, node: HttpNode, given: Mapping[str, Any], call: NodeCall) -> str | None:
        """Return what is asked for before it is sent, or None for what changes nothing."""
        if node.method in READING or node.main_text:
            return None
        body = given["body"] or ""
        shown = body if len(body) <= SHOWN_CHARS else f"{body[:SHOWN_CHARS]}…"
        address = given["url"] + "".join(f" {name}={as_text(value)}" for name, value in given["query"].items())
        return text("workflow_consent_http", call.language, method=node.method, url=address, body=shown)

    async def run(self, node: HttpNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        if node.main_text:
            page = await call.services.fetch(given["url"])
            return Done(output={"url": page.url, "title": page.title, "text": page.text})
        request = WebRequest(
            method=node.method,
            url=given["url"],
            query=_pairs(given["query"]),
            headers=given["headers"],
            body=None if given["body"] is None else given["body"].encode(),
        )
        answer = await call.services.send(request, key=call.key)
        if answer.status >= 400 and not node.any_status:
            raise NodeFailed("workflow_http_status", status=answer.status, words=answer.text[:200])
        return Done(output=_output(answer))


def _pairs(query: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, as_text(value)) for name, value in query.items() if value is not None)


def _output(answer: WebResponse) -> dict[str, Any]:
    headers = dict(answer.headers)
    return {
        "url": answer.url,
        "status": answer.status,
        "headers": headers,
        "text": answer.text,
        "json": _json(answer.text) if "json" in headers.get("content-type", "") else None,
    }


def _json(words: str) -> Any:
    try:
        return json.loads(words, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
