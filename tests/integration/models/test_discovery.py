"""What could be enabled on this machine, with real local servers and none."""

from __future__ import annotations

import asyncio

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hang, Response, ScriptedServer, json_response

from tablewright.models.discovery import Candidate, discover

LISTED = {"object": "list", "data": [{"id": "qwen3:8b", "object": "model"}, {"id": "llama3.2"}, {"no": "id"}]}


@pytest.mark.requirement("models-found-but-not-shown")
async def test_keys_are_offered_by_their_variables_and_never_shown() -> None:
    found = await discover(
        {
            "OPENAI_API_KEY": "sk-secret",
            "OPENAI_BASE_URL": "https://me:secret@gateway.example.com/v1?key=secret",
            "ANTHROPIC_API_KEY": "sk-ant-secret",
            "GEMINI_API_KEY": "secret",
            "AWS_ACCESS_KEY_ID": "secret",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "UNRELATED": "x",
        },
        servers={},
    )

    assert [(candidate.name, candidate.found) for candidate in found] == [
        ("openai", "OPENAI_API_KEY + OPENAI_BASE_URL=https://gateway.example.com/v1"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("google", "GEMINI_API_KEY"),
        ("bedrock", "AWS_ACCESS_KEY_ID + AWS_SECRET_ACCESS_KEY"),
    ]
    assert all(candidate.enable_line.startswith("export TABLEWRIGHT_MODEL=") for candidate in found)
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    "environment", [{}, {"OPENAI_API_KEY": " "}, {"AWS_ACCESS_KEY_ID": "half"}], ids=["none", "blank", "half"]
)
async def test_without_whole_keys_nothing_is_offered(environment: dict[str, str]) -> None:
    assert await discover(environment, servers={}) == ()


async def test_a_provider_with_two_keys_is_offered_once() -> None:
    assert len(await discover({"GOOGLE_API_KEY": "a", "GEMINI_API_KEY": "b"}, servers={})) == 1


async def test_a_local_server_is_offered_with_its_models() -> None:
    async with ScriptedServer(routes={"/v1/models": json_response(LISTED)}) as server:
        found = await discover({}, servers={"ollama": server.url}, patience_s=PATIENCE_S)

        assert found == (
            Candidate(
                name="ollama",
                how="server",
                found=server.url,
                models=("qwen3:8b", "llama3.2"),
                enable_line="export TABLEWRIGHT_MODEL=ollama:qwen3:8b",
            ),
        )
        assert [request.path for request in server.requests] == ["/v1/models"]
        assert "authorization" not in server.requests[0].headers


async def test_a_server_without_models_is_offered_all_the_same() -> None:
    async with ScriptedServer(routes={"/v1/models": json_response({"data": []})}) as server:
        (found,) = await discover({}, servers={"vllm": server.url}, patience_s=PATIENCE_S)

    assert found.enable_line == "export TABLEWRIGHT_MODEL=vllm:<model>"


@pytest.mark.parametrize(
    "answer",
    [
        json_response({"data": []}, status=404),
        json_response(["not", "models"]),
        Response(steps=(b"<html>",), headers={"content-type": "text/html"}),
        Response(steps=(), status=302, headers={"location": "http://models.example.com/"}),
        Response(steps=(Hang(),)),
    ],
    ids=["not found", "another list", "a page", "a redirect", "silence"],
)
async def test_what_does_not_answer_as_a_server_of_models_is_not_offered(answer: Response) -> None:
    async with ScriptedServer(routes={"/v1/models": answer}) as server, asyncio.timeout(PATIENCE_S):
        assert await discover({}, servers={"ollama": server.url}) == ()


async def test_where_nothing_listens_nothing_is_offered() -> None:
    async with ScriptedServer() as server:
        closed = server.url

    assert await discover({}, servers={"ollama": closed}) == ()


async def test_only_this_machine_is_ever_asked() -> None:
    assert await discover({}, servers={"ollama": "http://models.example.com:11434"}) == ()
