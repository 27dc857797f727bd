"""The types of agents by which programs of others ask."""

from __future__ import annotations

import pytest

from tablewright.domain.agent_type import MODES, AgentType, agent_type, by_deep_think
from tablewright.errors import AgentTypeMissing, AgentTypeUnknown


@pytest.mark.parametrize("value", [None, 0, "0", "", False, "  "])
def test_who_does_not_think_deeply_has_one_agent(value: object) -> None:
    assert by_deep_think(value) is AgentType.REACT


@pytest.mark.parametrize("value", [1, 2, "1", True, "yes"])
def test_who_thinks_deeply_has_a_plan(value: object) -> None:
    assert by_deep_think(value) is AgentType.PLAN_SOLVE


def test_every_type_has_its_number_and_a_mode() -> None:
    assert [agent_type(number) for number in range(1, 6)] == [*AgentType]
    assert agent_type("3") is AgentType.PLAN_SOLVE
    assert set(MODES) == set(AgentType)


@pytest.mark.parametrize("value", [0, 6, "x", "", 2.5])
def test_a_type_that_is_none_is_named_with_those_that_are(value: object) -> None:
    with pytest.raises(AgentTypeUnknown) as caught:
        agent_type(value)
    assert "5 REACT" in str(caught.value.params["known"])


def test_no_type_is_told_as_missing_with_those_that_there_are() -> None:
    with pytest.raises(AgentTypeMissing, match="5 REACT"):
        agent_type(None)
