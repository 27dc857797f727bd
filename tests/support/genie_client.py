"""A page of Genie's under node: written from the description of its wire, on the npm package that it streams with."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.plan_bench import KINDS, scripts
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ArtifactCreated, TextDelta
from tablewright.domain.scope import Scope
from tablewright.errors import ModelOverloaded
from tablewright.models.base import Model
from tablewright.tools.base import Tool

Serving = Callable[..., Any]
"""Serves parts, or a script; gives the address."""
KEYS = {"tw_ann": Scope(owner="ann"), "tw_bob": Scope(owner="bob")}
PATH = "/web/api/v1/gpt/queryAgentStreamIncr"
CSV = b'city,note,n\nBeijing,"a, b",7\nShanghai,c,8\n'
PAGE_ORIGIN = "http://localhost:3000"
CLIENT = Path(__file__).resolve().parents[1] / "genie_client"


def need_page() -> None:
    """Skip the test where there is no node, or no packages for it."""
    if shutil.which("node") is None or not (CLIENT / "node_modules").is_dir():
        pytest.skip("needs node and npm: apt-get install nodejs npm, then scripts/node_modules.sh")


async def driven(url: str, *steps: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Have the page do each step; returns what it made of each."""
    need_page()
    words = [json.dumps(step) for step in steps]
    node = await asyncio.create_subprocess_exec(
        "node", "drive.mjs", url, *words, cwd=CLIENT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await node.communicate()
    assert node.returncode == 0, err.decode()
    made = [json.loads(line) for line in out.decode().splitlines()]
    assert len(made) == len(steps)
    return made


def working_parts(folder: Path, model: Model, tools: Sequence[Tool] = ()) -> FakeParts:
    """Return parts whose agents with tools have this model."""
    others = scripts(model, tools)
    return FakeParts(folder=folder, others={**others, "plan": others["plan_solve"]}, kinds=KINDS)


def envelopes(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The frames that the page was sent, each of which must be JSON."""
    return [json.loads(message["data"]) for message in answer["raw"] if message["data"]]


def items(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was said in the frames, in order."""
    told = [frame["resultMap"]["eventData"] for frame in envelopes(answer) if frame["resultMap"]]
    assert {one["messageType"] for one in told} <= {"plan_thought", "plan", "task"}
    return [one["resultMap"] for one in told if one["messageType"] == "task"]


def kinds(answer: Mapping[str, Any]) -> list[str]:
    """The kinds of what was said, without repetition."""
    listed = [item["messageType"] for item in items(answer)]
    return [kind for place, kind in enumerate(listed) if place == 0 or kind != listed[place - 1]]


async def upload(url: str, name: str = "sales.csv", content: bytes = CSV) -> str:
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        made = await http.post("/api/v1/files", files={"file": (name, content)})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def making_files(given: AgentInput, context: AgentContext) -> Items:
    """Make a table with a comma in a cell, an empty one and a page, and answer."""
    assert context.artifacts is not None
    for name, mime, content in (
        ("out.csv", "text/csv", CSV),
        ("empty.csv", "text/csv", b""),
        ("page.html", "text/html", b"<script>1</script>"),
    ):
        yield ArtifactCreated(artifact=await context.artifacts.put(name, mime, content))
    yield AnswerCompleted(answer=Answer(text="Done.", outcome="completed"))


async def failing(given: AgentInput, context: AgentContext) -> Items:
    yield TextDelta(text="I begin.")
    raise ModelOverloaded(model="m")
