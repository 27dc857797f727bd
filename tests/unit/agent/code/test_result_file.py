"""A run that is to leave its result in a file."""

from __future__ import annotations

import ast

import pytest
from tests.support.agent_bench import Bench, code, requests

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.result_file import result_code, result_path
from tablewright.errors import StepsFailed
from tablewright.models.scripted import Reply, ScriptedModel


@pytest.mark.parametrize("name", ["a.xlsx", "表 1.CSV", 'it\'s "so".csv', "{x}.xlsx"])
def test_the_closing_code_is_python_whatever_the_name(name: str) -> None:
    tree = ast.parse(result_code(name))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert result_path(name) in texts


async def test_a_result_that_cannot_be_written_goes_back_to_the_model_as_an_error() -> None:
    turns = [Reply.of(code(("Compute", "result = 1")) + "\nDone.") for _ in range(4)]
    bench = Bench(agent=CodeAnalyst(), model=ScriptedModel(turns))
    with pytest.raises(StepsFailed):
        await bench.ask(deliver="a.csv")
    assert ("Save the result to a.csv", "error") in bench.took.statuses
    assert "ModuleNotFoundError" in requests(bench.model)[1].messages[-1].text
    assert bench.sandbox.all_released


@pytest.mark.requirement("formula-guard-per-file")
def test_text_of_csv_is_guarded_unless_it_is_wanted_as_it_is() -> None:
    assert "tw.guard(saved)" in result_code("a.csv")
    assert "tw.guard" not in result_code("a.csv", guard=False)
    assert '"strings_to_formulas": False' in result_code("a.xlsx", guard=False)
