"""What goes over the wire where a provider is to hold its model to a schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.support.gateways import PROVIDERS, Provider, wired
from tests.support.model_requests import all_parts, request, said
from tests.support.wire import Say

from tablewright.domain.task import ToolFacts
from tablewright.models.base import ModelRequest, StreamEnded
from tablewright.models.structured_schema import answer_schema

RUN_PYTHON = ToolFacts(
    name="run_python",
    description="Run code.",
    parameters={
        "type": "object",
        "properties": {
            "code": {"type": "string"},
            "timeout": {"type": "integer", "minimum": 5, "maximum": 300, "default": 60},
        },
        "required": ["code"],
    },
)
QUERY = ToolFacts(
    name="query_database",
    description="Query.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string"}, "params": {"type": "object"}},
        "required": ["query"],
    },
)
FOREIGN = ToolFacts(
    name="foreign",
    description="Of another server.",
    parameters={"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}},
)


def asked(*tools: ToolFacts) -> ModelRequest:
    return replace(request(said("user", "report")), output_schema=answer_schema(tools), tools=())


async def body(kind: Provider, one: ModelRequest, **config: Any) -> dict[str, Any]:
    """Return what the provider was sent."""
    async with wired(kind, **config) as both:
        both.endpoint.says(Say(text='{"task_analysis": "done"}'))
        parts = await all_parts(both.model.stream(one))
        assert isinstance(parts[-1], StreamEnded)
        assert parts[-1].message.text == '{"task_analysis": "done"}'
        (received,) = both.endpoint.requests
        sent: dict[str, Any] = received.json
        return sent


def branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [branch["properties"] for branch in schema["properties"]["action"]["anyOf"]]


async def test_openai_is_sent_the_schema_as_its_response_format() -> None:
    sent = await body("openai", asked(RUN_PYTHON, QUERY), structured=True)

    form = sent["response_format"]
    assert (form["type"], form["json_schema"]["name"]) == ("json_schema", "structured_answer")
    calling, reporting = branches(form["json_schema"]["schema"])
    assert calling["content"]["maxItems"] == 6
    tools = [each["properties"] for each in calling["content"]["items"]["anyOf"]]
    assert [tool["tool_name"]["enum"] for tool in tools] == [["run_python"], ["query_database"]]
    assert tools[0]["arguments"]["properties"]["timeout"]["type"] == "integer"
    assert tools[1]["arguments"]["properties"]["params"]["type"] == "string"
    assert reporting["content"]["type"] == "string"
    assert "tools" not in sent


async def test_anthropic_is_sent_the_schema_closed_as_it_demands() -> None:
    sent = await body("anthropic", asked(RUN_PYTHON, QUERY, FOREIGN), structured=True)

    form = sent["output_config"]["format"]
    assert form["type"] == "json_schema"
    assert open_objects(form["schema"]) == []
    calling, _ = branches(form["schema"])
    tools = [each["properties"] for each in calling["content"]["items"]["anyOf"]]
    assert tools[2]["arguments"]["type"] == "string"
    assert "$ref" not in json.dumps(form["schema"])


def open_objects(schema: Any) -> list[Any]:
    """Return the objects of a schema that may have any names."""
    if isinstance(schema, list):
        return [each for part in schema for each in open_objects(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" and schema.get("additionalProperties") is not False else []
    return own + [each for part in schema.values() for each in open_objects(part)]


@pytest.mark.parametrize("kind", PROVIDERS)
async def test_a_model_that_cannot_be_held_to_a_schema_is_asked_for_text(kind: Provider) -> None:
    sent = await body(kind, asked(RUN_PYTHON), structured=False)

    assert not {"response_format", "output_config", "output_format"} & sent.keys()


@pytest.mark.parametrize("kind", PROVIDERS)
async def test_a_request_without_a_schema_is_sent_none(kind: Provider) -> None:
    sent = await body(kind, request(said("user", "hello")), structured=True)

    assert not {"response_format", "output_config", "output_format"} & sent.keys()


async def test_the_last_round_leaves_only_the_report() -> None:
    sent = await body("openai", asked(), structured=True)

    action = sent["response_format"]["json_schema"]["schema"]["properties"]["action"]
    assert action["properties"]["type"]["enum"] == ["complete"]
