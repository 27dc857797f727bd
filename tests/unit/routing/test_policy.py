from __future__ import annotations

import pytest

from tablewright.domain.run import Mode
from tablewright.routing.policy import choose
from tablewright.routing.route import Route
from tablewright.routing.small_talk import Talk


@pytest.mark.parametrize(
    ("said", "talk"),
    [
        ("你好", "greeting"),
        ("您好！", "greeting"),
        ("Hello!", "greeting"),
        ("hi there", "greeting"),
        ("晚上好～", "greeting"),
        ("谢谢你。", "thanks"),
        ("Thank you so much", "thanks"),
        ("你能做什么？", "abilities"),
        ("你会做什么", "abilities"),
        ("你是谁", "abilities"),
        ("What can you do?", "abilities"),
        ("help", "abilities"),
        ("How do I use this?", "abilities"),
        ("你好，你能做什么？", "abilities"),
        ("Hi, who are you?", "abilities"),
    ],
)
def test_small_talk_is_answered_as_such(said: str, talk: Talk) -> None:
    assert choose(said) == choose(said, "chat") == Route(agent="chat", reason=talk)


@pytest.mark.parametrize(
    "said",
    [
        "你好，各地区的销售额是多少？",
        "hello, what is the total?",
        "哪个产品卖得最好",
        "好评率是多少",
        "help me find the highest price",
        "What can you tell me about sales?",
        "who are the top customers",
        "谢谢，再按月份汇总",
        "你能做一个柱状图吗",
        "great circle distance",
        "?",
        "",
    ],
)
def test_whatever_else_is_said_goes_to_the_code_analyst(said: str) -> None:
    assert choose(said) == choose(said, "chat") == Route(agent="code_analyst", reason="tables")


def test_the_mode_analyze_takes_even_small_talk_for_a_question() -> None:
    assert choose("hello", "analyze") == Route(agent="code_analyst", reason="mode")


def test_a_message_alone_names_no_workflow() -> None:
    route = choose("删除第一列", "workflow")
    assert (route.agent, route.reason) == ("unavailable", "workflow")


@pytest.mark.parametrize(("mode", "agent"), [("react", "react"), ("plan", "plan_solve")])
def test_agents_with_tools_are_chosen_by_their_modes(mode: Mode, agent: str) -> None:
    assert choose("hello, what is the total?", mode) == Route(agent=agent, reason="mode")  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["react", "plan"])
@pytest.mark.parametrize(("said", "talk"), [("Hello", "greeting"), ("谢谢", "thanks"), ("你能做什么？", "abilities")])
def test_agents_with_tools_leave_small_talk_to_the_one_that_talks(mode: Mode, said: str, talk: Talk) -> None:
    assert choose(said, mode) == Route(agent="chat", reason=talk)
