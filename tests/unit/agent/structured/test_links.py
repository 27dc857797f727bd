"""What a report offers for download: files that code wrote are delivered, and what does not exist is named."""

from __future__ import annotations

from typing import Any

from tests.support.agent_bench import Bench
from tests.support.structured_bench import bench, call, calls, report

from tablewright.domain.events import ArtifactCreated, RoundAnswered, WarningRaised
from tablewright.sandbox.base import Input
from tablewright.tools.execution import artifact_delivery
from tablewright.tools.run_python import RunPython


async def offered(code: str, *links: str, inputs: tuple[Input, ...] = ()) -> Bench:
    """Have a model run `code` and offer `links` in its report."""
    one = bench([calls(call("run_python", code=code)), report("Done.", download_links=[*links])], RunPython(()))
    one.inputs = inputs
    await one.ask()
    return one


def names(one: Bench) -> list[str]:
    return [event.artifact.name for event in one.took.of(ArtifactCreated)]


def links(one: Bench) -> tuple[str, ...]:
    return one.took.of(RoundAnswered)[-1].answer.download_links


async def test_a_file_of_the_working_folder_that_the_report_offers_is_delivered() -> None:
    one = await offered("write('sums.xlsx', b'1'); write('scratch.csv', b'2')", "sums.xlsx")
    assert (names(one), links(one)) == (["sums.xlsx"], ("sums.xlsx",))
    assert [file.name for file in one.took.answer.files] == ["sums.xlsx"]
    assert one.took.of(WarningRaised) == []
    assert one.sandbox.all_released


async def test_a_file_of_the_output_folder_is_delivered_once() -> None:
    one = await offered("write('output/sums.csv', b'1')", "output/sums.csv", "sums.csv")
    assert (names(one), links(one)) == (["sums.csv"], ("sums.csv",))


async def test_a_file_that_code_wrote_anew_comes_before_the_one_that_was_given() -> None:
    given = Input(path="/x", name="sales.csv")  # type: ignore[arg-type]  # nothing is opened
    one = await offered("write('sales.csv', b'changed')", "data/sales.csv", inputs=(given,))
    assert names(one) == ["sales.csv"]


async def test_a_file_that_is_not_there_is_named_and_not_offered() -> None:
    one = await offered("write('sums.xlsx', b'1')", "sum.xlsx", "/etc/passwd")
    assert (names(one), links(one)) == ([], ())
    assert [warning.params["name"] for warning in one.took.of(WarningRaised)] == ["sum.xlsx", "passwd"]


async def test_offered_files_count_towards_the_limit_of_the_run(monkeypatch: Any) -> None:
    monkeypatch.setattr(artifact_delivery, "MOST_FILES", 1)
    one = await offered("write('output/a', b'1'); write('b', b'2')", "a", "b")
    assert (names(one), links(one)) == (["a"], ("a",))
    assert [warning.code for warning in one.took.of(WarningRaised)] == ["files_too_many", "link_left_out"]


async def test_what_is_left_of_a_run_whose_code_failed_is_delivered_too() -> None:
    one = await offered("write('sums.xlsx', b'1'); 1 / 0", "sums.xlsx")
    assert names(one) == ["sums.xlsx"]
