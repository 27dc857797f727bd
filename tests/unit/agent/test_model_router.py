"""A language model chooses which agent a request is for; without one, or where it says nothing of use, as by mode."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.service_bench import Items, Script, bench

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.model_router import ModelRouter
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, QuestionAsked, RouteChosen, UsageReported
from tablewright.domain.run import RequestAnswer, Run
from tablewright.errors import ModelOverloaded
from tablewright.models.base import BUILTIN, UsageSeen
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.service.runs.kinds import AgentKind, AgentKinds


class Named:
    """An agent that answers with its name; `asks` before, if it is told so."""

    def __init__(self, name: str, *, asks: bool = False) -> None:
        self._name = name
        self._asks = asks

    async def run(self, given: AgentInput, context: AgentContext) -> Items:
        if self._asks and not given.answered:
            yield QuestionAsked(request_id=f"{given.run_id}-q", prompt="Which?")
            return
        yield AnswerCompleted(answer=Answer(text=self._name, outcome="completed"))


def routing(model: ScriptedModel, *, asks: bool = False) -> Script:
    choices: dict[str, tuple[str, Agent]] = {
        "react": ("react", Named("react")),
        "plan": ("plan_solve", Named("plan", asks=asks)),
    }
    router = ModelRouter(choices=choices, plain=Named("tables"), settled=lambda words: words == "Hello")

    async def script(given: AgentInput, context: AgentContext) -> Items:
        async for item in router.run(given, replace(context, model=model)):
            yield item

    return script


async def routed(folder: Path, model: ScriptedModel, question: str = "Compare.") -> tuple[Run, list[Any]]:
    service = bench(folder, routing(model))
    run = await service.ask(question)
    bodies: list[Any] = [event.body for event in await service.events(run)]
    return await service.runs.get(service.scope, run.id), bodies


@pytest.mark.parametrize(
    ("said", "answer", "route"),
    [
        ('{"agent": "plan"}', "plan", "plan_solve"),
        ('```json\n{"agent": "react"}\n```', "react", "react"),
        ('{"agent": "tables"}', "tables", None),
        ('{"agent": "nobody"}', "tables", None),
        ("I do not know.", "tables", None),
        (Reply.of(Fail(error=ModelOverloaded(model="m"))), "tables", None),
    ],
)
async def test_the_model_chooses_and_what_it_says_wrongly_is_for_the_agent_of_tables(
    tmp_path: Path, said: str | Reply, answer: str, route: str | None
) -> None:
    run, bodies = await routed(tmp_path, ScriptedModel([said]))
    assert run.answer is not None
    assert run.answer.text == answer
    assert [body.agent for body in bodies if isinstance(body, RouteChosen)] == ([route] if route else [])


async def test_what_choosing_used_is_counted(tmp_path: Path) -> None:
    said = Reply.of('{"agent": "plan"}', UsageSeen(input_tokens=5, output_tokens=7))
    _, bodies = await routed(tmp_path, ScriptedModel([said]))
    assert [body.output_tokens for body in bodies if isinstance(body, UsageReported)] == [7]


async def test_small_talk_and_the_built_in_analyst_need_no_choice(tmp_path: Path) -> None:
    for model, question in ((ScriptedModel([]), "Hello"), (ScriptedModel([], name=BUILTIN), "Compare.")):
        run, _ = await routed(tmp_path, model, question)
        assert run.answer is not None
        assert run.answer.text == "tables"
        assert model.requests == []


async def test_a_run_that_goes_on_stays_with_its_agent(tmp_path: Path) -> None:
    model = ScriptedModel(['{"agent": "plan"}'])
    kinds = AgentKinds(default=AgentKind(takeover=True))
    service = bench(tmp_path, routing(model, asks=True), kinds=kinds)
    run = await service.settled(await service.ask("Compare."))
    (asked,) = await service.runs.requests(service.scope, run.id)
    await service.runs.answer(service.scope, run.id, asked.id, RequestAnswer(decision="answer", text="This."))
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "plan"
    assert len(model.requests) == 1
