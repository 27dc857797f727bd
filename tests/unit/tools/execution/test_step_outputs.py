from __future__ import annotations

from typing import cast

import pytest

from tablewright.agent.emission import Item
from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.events import OutputText, ProgressReported
from tablewright.domain.language import Language
from tablewright.sandbox.base import Done, Output, ProgressOutput, TextOutput, Usage
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.step_digest import StepDigest
from tablewright.tools.execution.step_outputs import StepOutputs


async def took(language: Language, *outputs: Output) -> tuple[list[Item], str]:
    """Return the events of a step with these outputs, and what the model is told."""
    events: list[Item] = []
    step = StepOutputs(
        step_id="s-1",
        emit=events.append,
        sink=cast(ArtifactSink, None),
        files=cast(ArtifactDelivery, None),
        digest=StepDigest(language=language),
    )
    for output in outputs:
        await step.take(output)
    return events, step.digest.words()


@pytest.mark.requirement("sandbox-cut-is-said")
@pytest.mark.parametrize(
    ("language", "note"),
    [("en", "… 12,345 more characters were left out …"), ("zh", "… 其余 12,345 个字符已省略 …")],
)
async def test_text_that_was_cut_is_said_to_be_to_the_person_and_to_the_model(language: Language, note: str) -> None:
    done = Done(status="ok", session_lost=False, usage=Usage(elapsed_s=1.0), cut_chars=12_345)
    events, told = await took(language, TextOutput(text="the beginning"), done)
    last = events[-1]
    assert isinstance(last, OutputText)
    assert (last.text.strip(), last.cut_chars, last.step_id) == (note, 12_345, "s-1")
    assert told.endswith(f"the beginning\n{note}\n")


async def test_text_that_was_not_cut_has_no_note() -> None:
    done = Done(status="ok", session_lost=False, usage=Usage(elapsed_s=1.0))
    assert [type(event) for event in (await took("en", TextOutput(text="all"), done))[0]] == [OutputText]


async def test_a_long_step_tells_its_own_words_or_that_it_still_runs() -> None:
    events, told = await took(
        "zh", ProgressOutput(elapsed_s=2.0, message="第 2 个文件", fraction=0.5), ProgressOutput(elapsed_s=20.4)
    )
    assert events == [
        ProgressReported(message="第 2 个文件", fraction=0.5, step_id="s-1"),
        ProgressReported(message="已运行 20 秒，仍在运行 …", step_id="s-1"),
    ]
    assert not told
