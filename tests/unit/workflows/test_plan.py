"""The plan: what is ready is exactly what a plain interpreter would run, in whatever order nodes end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.random_workflows import workflows
from tests.support.reference_interpreter import Interpreter
from tests.support.workflow_bench import node, workflow

from tablewright.domain.events import NodeFinished, NodeInput, NodeOutput, NodeStarted
from tablewright.domain.workflow import AskUserNode, LoopNode, Node, StartNode, TemplateNode, ToolNode, Workflow
from tablewright.workflows.base import Done, NodeCall
from tablewright.workflows.expressions.language import template
from tablewright.workflows.nodes import KINDS
from tablewright.workflows.plan.progress import Finished, Place, Progress
from tablewright.workflows.plan.ready import EndLoop, EndTurn, FailLoop, Start, WorkflowIndex, done, ready
from tablewright.workflows.scope import Variables
from tablewright.workflows.state import WorkflowState
from tablewright.workflows.turns import loop_end, turn_end
from tablewright.workflows.validate import faults_of

AT = datetime(2026, 1, 1, tzinfo=UTC)


def effect(one: Node, variables: Mapping[str, Any], place: str) -> Any:
    match one:
        case StartNode():
            return variables["inputs"]
        case TemplateNode(text=text):
            return {"text": template(text).evaluate(variables)}
        case ToolNode() | AskUserNode():
            return {"text": f"<{place}>"}
        case _:
            raise AssertionError(one)


class Simulation:
    """Does what the plan says, one action at a time, chosen by chance; nodes end in any order."""

    def __init__(self, definition: Workflow, chance: Random) -> None:
        self.index = WorkflowIndex(definition)
        self.state = WorkflowState()
        self.chance = chance
        self.working: list[Start] = []

    def run(self) -> None:
        while True:
            actions = [action for action in ready(self.index, self.state.progress()) if action not in self.working]
            if not actions and not self.working:
                break
            chosen = self.chance.choice([*actions, *self.working])
            if isinstance(chosen, Start) and chosen not in self.working:
                self._begin(chosen)
            elif isinstance(chosen, Start):
                self.working.remove(chosen)
                self._end(chosen.place, self._done(chosen))
            elif isinstance(chosen, EndTurn):
                place = chosen.loop.turn_place(chosen.number)
                self._end(place, turn_end(self.index, self.state, {}, chosen)())
            elif isinstance(chosen, EndLoop):
                self._end(chosen.place, loop_end(self.state, chosen.place))
        assert done(self.index, self.state.progress())

    def _begin(self, start: Start) -> None:
        place, one = start.place, start.node
        self.state.take(NodeStarted(node_id=one.id, path=place.path, kind=one.kind, name=""), AT)
        if isinstance(one, LoopNode):
            given_ = KINDS["loop"].prepare(one, self._call(place))
            self.state.take(NodeInput(node_id=one.id, path=place.path, input=given_), AT)
        else:
            self.working.append(start)

    def _done(self, start: Start) -> Done:
        one, call = start.node, self._call(start.place)
        if isinstance(one, StartNode | TemplateNode | ToolNode | AskUserNode):
            return Done(output=effect(one, call.variables, str(start.place)))
        given_ = KINDS[one.kind].prepare(one, call)
        port = {"condition": "true" if given_.get("result") else "false", "switch": given_.get("case")}.get(one.kind)
        return Done(output=given_, port=port)

    def _call(self, place: Place) -> NodeCall:
        graph = place.path.rpartition("/")[2].partition("[")[0]
        variables = Variables(self.index, self.state, {}, place.path, graph=graph)
        before = (edge.source for edge in self.index.graphs[graph].before[place.node_id])
        return NodeCall(
            variables=variables, key="", language="en", services=None, emit=lambda _: None,  # type: ignore[arg-type]
            chunk=lambda _: None, now=lambda: "",
            before={name: variables[name] for name in before if name in variables},
        )  # fmt: skip

    def _end(self, place: Place, result: Done) -> None:
        name, path = place.node_id, place.path
        self.state.take(NodeOutput(node_id=name, path=path, output=result.output, port=result.port), AT)
        self.state.take(NodeFinished(node_id=name, path=path, status="ok"), AT)


@given(workflows(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_workflow_comes_to_what_a_plain_interpreter_comes_to(definition: Workflow, chance: Random) -> None:
    assert faults_of(definition) == ()
    expected = Interpreter(definition, effect)
    outputs = expected.run({})
    simulated = Simulation(definition, chance)
    simulated.run()
    top = {place.node_id: output for place, output in simulated.state.outputs.items() if not place.path}
    assert top == outputs
    ran = [str(place) for place in simulated.state.finished if f"{place.node_id}[" not in place.path.rpartition("/")[2]]
    assert sorted(ran) == sorted(expected.ran)


def names(definition: Workflow, **finished: str | None) -> list[str]:
    ended = {Place("", name): Finished(port) for name, port in finished.items()}
    return [str(action.place) for action in ready(WorkflowIndex(definition), Progress(finished=ended))
            if isinstance(action, Start)]  # fmt: skip


FORK = workflow(
    [
        node("start", "start"),
        node("which", "condition", when="true"),
        node("a", "template", text="a"),
        node("b", "template", text="b"),
        node("behind", "template", text="b"),
        node("all", "join"),
        node("end", "end"),
    ],
    "start > which:true > a > all > end",
    "which:false > b > behind > all",
)


def test_a_way_that_is_not_taken_does_not_hold_up_a_join() -> None:
    assert names(FORK, start=None, which="true") == ["a"]
    assert names(FORK, start=None, which="true", a=None) == ["all"]
    assert names(FORK, start=None, which="false") == ["b"]
    assert names(FORK, start=None, which="false", b=None) == ["behind"]


def test_a_join_waits_for_all_branches_that_were_taken() -> None:
    both = workflow(
        [node("start", "start"), node("a", "parallel"), node("b", "parallel"), node("all", "join"), node("end", "end")],
        "start > a > all > end",
        "start > b > all",
    )
    assert names(both, start=None) == ["a", "b"]
    assert names(both, start=None, a=None) == ["b"]
    assert names(both, start=None, a=None, b=None) == ["all"]


def test_what_has_begun_is_not_begun_again() -> None:
    progress = Progress(finished={Place("", "start"): Finished()}, begun={Place("", "which")})
    assert ready(WorkflowIndex(FORK), progress) == ()


def test_what_has_failed_in_a_loop_fails_the_loop_from_the_inside_outwards() -> None:
    inner = node("inner", "loop", over="x", nodes=[node("a", "parallel"), node("b", "parallel")])
    flow = workflow(
        [node("start", "start"), node("each", "loop", over="x", nodes=[inner, node("c", "parallel")]),
         node("beside", "parallel"), node("end", "end")],
        "start > each > end",
        "start > beside > end",
    )  # fmt: skip
    each = Place("", "each")
    inside = Place(each.turn(0), "inner")
    failing = Place(inside.turn(0), "a")
    progress = Progress(
        finished={Place("", "start"): Finished()}, begun={each, inside}, turns={each: 1, inside: 1}, failed=[failing]
    )
    actions = ready(WorkflowIndex(flow), progress)
    assert [str(action.place) for action in actions if isinstance(action, Start)] == ["each[0]/c", "beside"]
    assert [(each.place, each.failed) for each in actions if isinstance(each, FailLoop)] == [(inside, failing)]
    outer = Progress(finished=progress.finished, begun={each}, turns={each: 1}, failed=[inside])
    actions = ready(WorkflowIndex(flow), outer)
    assert [str(action.place) for action in actions if isinstance(action, Start)] == ["beside"]
    assert [(each.place, each.failed) for each in actions if isinstance(each, FailLoop)] == [(each, inside)]


def test_a_loop_over_many_items_is_planned_in_time_that_does_not_grow_with_the_turns_that_ended() -> None:
    loop = workflow(
        [node("start", "start"), node("each", "loop", over="x", nodes=[node("a", "parallel")]), node("end", "end")],
        "start > each > end",
    )
    place = Place("", "each")
    ended = {Place("", "start"): Finished()} | {place.turn_place(n): Finished("again") for n in range(5_000)}
    progress = Progress(finished=ended, begun={place}, turns={place: 10_000}, turned={place: 5_000})
    index = WorkflowIndex(loop)
    planned = [ready(index, progress) for _ in range(2_000)]  # seconds, if each looked at all turns
    assert [str(action.place) for action in planned[-1] if isinstance(action, Start)] == ["each[5000]/a"]
