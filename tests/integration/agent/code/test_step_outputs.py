from __future__ import annotations

import pytest
from tests.support.agent_bench import Bench, Took, code

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.domain.events import (
    ArtifactCreated,
    OutputChart,
    OutputHtml,
    OutputImage,
    OutputTable,
    WarningRaised,
)
from tablewright.domain.table import Table
from tablewright.errors import SandboxLost, StepExhausted
from tablewright.models.scripted import ScriptedModel


async def took(*replies: str) -> tuple[Took, Bench]:
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([*replies, "Done."]))
    return await agent_bench.ask(), agent_bench


TWO = "Table(columns=('a', 'b'), rows=((1, 2), (3, 4)), total_rows=2)"


async def test_tables_that_were_shown_are_for_the_person_and_result_is_the_result() -> None:
    done, _ = await took(code(("A", f"table({TWO})\nresult = 7")))
    assert [(event.role, event.table.rows) for event in done.of(OutputTable)] == [
        ("shown", ((1, 2), (3, 4))),
        ("result", ((7,),)),
    ]
    assert done.answer.table == Table(columns=("a", "b"), rows=((1, 2), (3, 4)), total_rows=2)
    assert done.answer.result == Table(columns=("result",), rows=((7,),), total_rows=1)


async def test_a_result_of_several_cells_is_shown_where_nothing_else_is() -> None:
    done, _ = await took(code(("A", f"result = {TWO}")))
    assert done.answer.table == done.answer.result


async def test_the_last_result_is_the_answers() -> None:
    done, _ = await took(code(("A", "result = 1"), ("B", "result = 2"), ("C", "x = 3")))
    assert done.answer.result is not None
    assert done.answer.result.rows == ((2,),)


async def test_a_result_of_a_step_that_failed_is_not_the_answers() -> None:
    done, _ = await took(code(("A", f"table({TWO})\n1 / 0")), code(("B", "x = 1")))
    assert done.answer.table is None


async def test_charts_are_data_and_figures_are_artifacts() -> None:
    done, agent_bench = await took(code(("A", "chart(kind='bar', x=('a',), y=(1,))\nimage(b'png')\nhtml('<p>')")))
    assert done.only(OutputChart).chart == done.answer.charts[0]
    assert done.only(OutputImage).image.mime == "image/png"
    assert done.only(OutputHtml).html.mime == "text/html"
    assert list(agent_bench.artifacts.kept.values()) == [b"png", b"<p>"]


async def test_a_file_that_is_named_is_handed_over_at_once() -> None:
    done, agent_bench = await took(code(("A", "write('sub/x.csv', b'1,2')\nfile('sub/x.csv')")))
    created = done.only(ArtifactCreated)
    assert (created.artifact.name, created.artifact.mime, created.step_id) == ("x.csv", "text/csv", "id-0001")
    assert done.types.index("artifact.created") < done.types.index("step.finished")
    assert done.answer.files == (created.artifact,)
    assert agent_bench.artifacts.kept == {"1/x.csv": b"1,2"}


async def test_files_in_the_output_folder_are_handed_over_in_the_end() -> None:
    done, _ = await took(code(("A", "write('output/a.txt', b'1')\nwrite('scratch.txt', b'2')")))
    assert [artifact.name for artifact in done.answer.files] == ["a.txt"]
    assert done.types[-2:] == ["artifact.created", "answer.completed"]


@pytest.mark.parametrize("lost", [False, True])
async def test_a_run_that_fails_hands_over_what_it_had_written(lost: bool) -> None:
    status = "crashed" if lost else "timeout_killed"
    segment = code(("A", "write('output/a.txt', b'1')"), ("B", f"end({status!r}, session_lost=True)"))
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([segment]))
    with pytest.raises(SandboxLost if lost else StepExhausted):
        await agent_bench.ask()
    assert agent_bench.took.only(ArtifactCreated).artifact.name == "a.txt"
    assert agent_bench.artifacts.kept == {"1/a.txt": b"1"}
    assert agent_bench.sandbox.all_released


async def test_a_file_that_grew_after_it_was_handed_over_is_handed_over_anew() -> None:
    done, agent_bench = await took(code(("A", "write('x', b'1')\nfile('x')"), ("B", "write('x', b'12')")))
    assert [artifact.size_bytes for artifact in done.answer.files] == [2]
    assert list(agent_bench.artifacts.kept.values()) == [b"1", b"12"]


async def test_a_file_that_cannot_be_read_is_a_warning() -> None:
    done, _ = await took(code(("A", "file('/etc/shadow')")))
    warning = done.only(WarningRaised)
    assert (warning.code, warning.params) == ("file_not_kept", {"name": "shadow"})
    assert done.answer.files == ()


async def test_what_is_not_printed_is_told_to_the_model_all_the_same() -> None:
    done, _ = await took(code(("A", f"table({TWO})\nchart(kind='bar', x=('a',), y=(1,), title='T')\nimage(b'')")))
    assert done.transcript[2].text == (
        "<|code_output|>\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"
        "[chart drawn: bar “T”, 1 point]\n[a figure was shown]\n<|code_output|>"
    )
