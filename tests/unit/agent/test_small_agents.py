from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.support.agent_bench import Bench

from tablewright.agent.base import Agent
from tablewright.agent.chat import Chat
from tablewright.agent.routed import RoutedAgent
from tablewright.agent.unavailable import Unavailable
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.events import Event, RouteChosen, SuggestionsOffered, TextFinished
from tablewright.domain.language import Language
from tablewright.domain.message import Message, TextPart
from tablewright.domain.structured import STEPWISE
from tablewright.domain.table import Table
from tablewright.models.scripted import ScriptedModel

SALES = DatasetFacts(
    id="t",
    name="销售",
    file_name="sales.csv",
    path="/data/shared/sales.csv",
    read=ReadOptions(kind="csv"),
    rows=120,
    columns=(
        ColumnFacts(name="订单编号", kind="integer", distinct=120),
        ColumnFacts(name="客户", kind="text", distinct=110),
        ColumnFacts(name="地区", kind="text", distinct=4),
        ColumnFacts(name="金额", kind="number", distinct=100),
    ),
    sample=Table(columns=(), rows=(), total_rows=0),
    profile_ref="",
)


def bench(agent: Agent) -> Bench:
    return Bench(agent=agent, model=ScriptedModel([]))


async def test_abilities_are_told_with_the_tables_and_what_could_be_asked() -> None:
    took = await bench(Chat("abilities")).ask("你能做什么？", language="zh", datasets=(SALES,))
    assert "- 销售：120 行，4 列（订单编号、客户、地区、金额）" in took.answer.text
    questions = ("各地区的金额合计是多少？", "哪个地区的平均金额最高？", "最高的金额是多少？")
    assert took.answer.suggestions == questions == took.only(SuggestionsOffered).questions
    assert took.only(TextFinished).text == took.answer.text
    assert took.answer.outcome == "completed"


@pytest.mark.parametrize(
    ("topic", "language", "begin"),
    [
        ("greeting", "en", "Hello! I am Tablewright"),
        ("greeting", "zh", "你好！我是 Tablewright"),
        ("abilities", "en", "I answer questions about tables"),
        ("thanks", "zh", "不客气"),
    ],
)
async def test_each_topic_has_its_words_in_both_languages(topic: str, language: Language, begin: str) -> None:
    assert (await bench(Chat(topic)).ask(language=language)).answer.text.startswith(begin)


async def test_without_tables_one_is_asked_for() -> None:
    took = await bench(Chat("greeting")).ask()
    assert "Add a table first" in took.answer.text
    assert took.answer.suggestions == ()


async def test_a_table_without_numbers_can_still_be_counted() -> None:
    words = replace(SALES, columns=SALES.columns[1:3])
    took = await bench(Chat("abilities")).ask(language="zh", datasets=(words,))
    assert took.answer.suggestions == ("各地区有多少行？", "一共有多少行？", "每列有多少缺失值？")


async def test_a_missing_mode_is_declined_in_words() -> None:
    took = await bench(Unavailable("workflow")).ask()
    assert took.answer.outcome == "declined"
    assert "auto or analyze mode" in took.answer.text


async def test_the_route_is_told_first_and_once_per_run() -> None:
    agent = RoutedAgent(Chat("thanks"), name="chat", reason="thanks")
    took = await bench(agent).ask()
    assert took.events[0] == RouteChosen(agent="chat", reason="thanks")
    going_on = (Message(role="user", parts=(TextPart(text="?", origin="user"),)),)
    assert not (await bench(agent).ask(transcript=going_on)).of(RouteChosen)


async def test_the_route_of_a_run_that_goes_step_by_step_is_told_once_too() -> None:
    agent = RoutedAgent(Chat("thanks"), name="chat", reason="thanks")
    assert (await bench(agent).ask(transcript=(STEPWISE,))).of(RouteChosen)
    one = bench(agent)
    chosen = Event(run_id="run-1", seq=1, at=datetime(2026, 1, 1, tzinfo=UTC), body=RouteChosen(agent="a", reason="b"))
    given = replace(one.given(transcript=(STEPWISE,)), log=(chosen,))
    assert not [item async for item in agent.run(given, one.context()) if isinstance(item, RouteChosen)]
