"""The OpenAPI document: whole, typed, and true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import httpx2

from tablewright.domain.events import EventBody


async def document(client: httpx2.AsyncClient) -> dict[str, Any]:
    got = await client.get("/api/v1/openapi.json")
    assert got.status_code == 200
    whole: dict[str, Any] = got.json()
    return whole


def operations(whole: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


async def test_every_reference_resolves(client: httpx2.AsyncClient) -> None:
    whole = await document(client)
    names = set(whole["components"]["schemas"])
    text = json.dumps(whole)
    referred = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert referred <= names


async def test_every_event_is_described_and_told_apart_by_its_type(client: httpx2.AsyncClient) -> None:
    schemas = (await document(client))["components"]["schemas"]
    mapping = schemas["Event"]["properties"]["body"]["discriminator"]["mapping"]
    assert len(mapping) == len(get_args(EventBody))
    for kind, ref in mapping.items():
        assert schemas[ref.rsplit("/", 1)[-1]]["properties"]["type"]["const"] == kind


async def test_every_operation_says_what_it_does_and_how_it_fails(client: httpx2.AsyncClient) -> None:
    for path, method, operation in operations(await document(client)):
        assert operation.get("description"), (path, method)
        for status, response in operation["responses"].items():
            if status.startswith(("4", "5")) and path.startswith("/api/"):
                ref = response["content"]["application/json"]["schema"]["$ref"]
                form = "QueryFault" if path.startswith("/api/v1/agent/") else "ErrorBody"
                assert ref.endswith(f"/{form}"), (path, method, status)


async def test_the_streams_and_the_upload_are_described(client: httpx2.AsyncClient) -> None:
    paths = (await document(client))["paths"]
    streamed = paths["/api/v1/runs/{run_id}/events"]["get"]["responses"]["200"]["content"]
    assert streamed["text/event-stream"]["schema"]["$ref"].endswith("/Event")
    asked = paths["/api/v1/conversations/{conversation_id}/messages"]["post"]["responses"]
    assert "text/event-stream" in asked["200"]["content"]
    assert "application/json" in asked["202"]["content"]
    assert "multipart/form-data" in paths["/api/v1/files"]["post"]["requestBody"]["content"]


async def test_every_route_stands_on_the_reference_page_without_any_script(client: httpx2.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert "<script" not in page.text
    for path, method, _ in operations(await document(client)):
        assert f"{method.upper()} {path}" in page.text
