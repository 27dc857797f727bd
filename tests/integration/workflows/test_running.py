"""Workflows run from their first node to their answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.workflow_bench import WorkflowBench, node, workflow


async def shout(given: Mapping[str, Any], _key: str) -> str:
    return str(given["word"]).upper()


async def test_a_workflow_gives_what_its_end_says(tmp_path: Path) -> None:
    flow = workflow(
        [
            node("start", "start"),
            node("greet", "template", text="hello {{ inputs.name }}"),
            node("long", "condition", when="greet.text | length > 8"),
            node("loud", "tool", tool="shout", arguments={"word": "{{ greet.text }}"}),
            node("end", "end", text="{{ loud.text | default(greet.text) }}", outputs={"n": "{{ greet.text|length }}"}),
        ],
        "start > greet > long:true > loud > end",
        "long:false > end",
        inputs=[{"name": "name"}],
    )
    bench = WorkflowBench(tmp_path, {"shout": shout})
    run = await bench.ended(await bench.start(flow, {"name": "World"}))
    assert run.outcome == "completed", run.failure
    assert run.answer is not None
    assert run.answer.text == "HELLO WORLD"
    assert run.answer.outputs == {"n": 11}
    assert await bench.places(run) == ["start", "greet", "long", "loud", "end"]
    short = await bench.ended(await bench.start(flow, {"name": "me"}))
    assert short.answer is not None
    assert short.answer.text == "hello me"
    assert "loud" not in await bench.places(short)
    await bench.close()


async def test_a_loop_repeats_its_nodes_for_each_item(tmp_path: Path) -> None:
    flow = workflow(
        [
            node("start", "start"),
            node(
                "each",
                "loop",
                over="inputs.words",
                concurrency=2,
                nodes=[
                    node("loud", "tool", tool="shout", arguments={"word": "{{ item }}"}),
                    node("numbered", "template", text="{{ index }}:{{ loud.text }}"),
                ],
                edges=[{"source": "loud", "target": "numbered"}],
                collect="numbered.text",
            ),
            node("end", "end", text="{{ each['items'] | join(' ') }}"),
        ],
        "start > each > end",
        inputs=[{"name": "words", "kind": "list"}],
    )
    bench = WorkflowBench(tmp_path, {"shout": shout})
    run = await bench.ended(await bench.start(flow, {"words": ["a", "b", "c"]}))
    assert run.answer is not None, run.failure
    assert run.answer.text == "0:A 1:B 2:C"
    empty = await bench.ended(await bench.start(flow, {"words": []}))
    assert empty.outcome == "completed"
    await bench.close()


async def test_a_loop_goes_on_until_its_condition_holds(tmp_path: Path) -> None:
    flow = workflow(
        [
            node("start", "start"),
            node(
                "again",
                "loop",
                until="more.n >= 3",
                collect="more.n",
                nodes=[node("more", "template", values={"n": "{{ (previous or 0) + 1 }}"})],
            ),
            node("end", "end", outputs={"all": "{{ again['items'] }}"}),
        ],
        "start > again > end",
    )
    bench = WorkflowBench(tmp_path)
    run = await bench.ended(await bench.start(flow))
    assert run.answer is not None, run.failure
    assert run.answer.outputs == {"all": [1, 2, 3]}
    await bench.close()
