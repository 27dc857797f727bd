"""Makes the frames of Genie's wire from the events of a run: a pure fold.

What the page needs so as not to break or hang is kept here: a task comes before all else of its group, a `file` has its
file, and whatever happens ends in exactly one `result`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from tablewright.api.chat_completions.words import asked
from tablewright.api.genie.frames import PLAN, PLAN_THOUGHT, AgentFrame
from tablewright.api.genie.groups import Group
from tablewright.api.genie.links import GenieLinks
from tablewright.api.genie.plan import has_progress, plan_of
from tablewright.api.genie.responses import Responses
from tablewright.api.genie.tools import ToolItem, ToolItems
from tablewright.api.genie.words import answer_words, ended_words, failure_words
from tablewright.domain.agent_type import PLAN_SOLVE
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    AnswerEvent,
    ArtifactCreated,
    CodeDelta,
    CodeFinished,
    ContextMeasured,
    Event,
    NodeEvent,
    OutputChart,
    OutputError,
    OutputEvent,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
    PlanUpdated,
    RequestEvent,
    RouteChosen,
    RunEvent,
    RunFinished,
    RunStarted,
    StepEvent,
    StepFinished,
    StepStarted,
    StructuredEvent,
    SuggestionsOffered,
    TaskEvent,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    ToolStarted,
    WarningRaised,
    WorkbookEvent,
    WritingEvent,
)
from tablewright.domain.run import OpenRequest, Run
from tablewright.domain.task_plan import TaskPlan
from tablewright.texts.errors import error_text

WRITES = "写入文件"
"""A word of the wire, not of a language."""
BEGAN_ANEW = "model_began_anew"
ENDS = frozenset({"task_summary", "result"})


@dataclass(slots=True, kw_only=True)
class GenieFold:
    """Takes the events of a run, and of those below it, in order; gives the frames that each becomes.

    In a plan only tasks have groups: what the planner does beside its plan is not told. `agent_type` is the number
    under which the run was asked for, `style` what its answer should also be written as.
    """

    run: Run
    request_id: str
    agent_type: str
    links: GenieLinks
    style: str | None = None
    ended: bool = False
    _make: Responses = field(init=False)
    _tools: ToolItems = field(init=False)
    _groups: dict[str, Group] = field(default_factory=dict[str, Group])
    _last_task: str | None = None
    _planned_by_choice: bool = False
    _plan: dict[str, Any] | None = None
    _answer: Answer | None = None
    _warnings: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._make = Responses(run_id=self.run.id, request_id=self.request_id, agent_type=self.agent_type)
        self._tools = ToolItems(request_id=self.request_id, links=self.links)

    def take(self, event: Event) -> Iterator[AgentFrame]:
        """Take the next event."""
        self._make.at = event.at
        body, group = event.body, self._group(event)
        if isinstance(body, RunEvent):
            yield from self._of_run(group, body)
        elif isinstance(body, WritingEvent):
            yield from self._writing(group, body)
        elif isinstance(body, StepEvent):
            yield from self._step(group, body)
        elif isinstance(body, OutputEvent):
            yield from self._output(group, body)
        elif isinstance(body, StructuredEvent):
            yield from self._tool(group, body)
        else:
            yield from self._rest_of(group, body)

    def anew(self) -> Iterator[AgentFrame]:
        """Say to a page that has seen nothing of the run what it must know: the plan; tasks follow as they go on."""
        self._last_task = None
        for group in self._groups.values():
            group.told = False
        if self._plan is not None:
            yield self._make.frame(None, "plan", outer=PLAN, plan=self._plan)

    def rests(self, requests: tuple[OpenRequest, ...]) -> Iterator[AgentFrame]:
        """End with what the run waits for, as words: the page has no other way to ask."""
        if not self.ended:
            words = "\n\n".join(asked(request, self.run.language) for request in requests[:1])
            yield from self._result(words, ())

    def fails(self, words: str) -> Iterator[AgentFrame]:
        """End with an error, unless the run has ended."""
        if not self.ended:
            yield from self._result(words, ())

    @property
    def _plans(self) -> bool:
        return self.run.mode == "plan" or self._planned_by_choice

    def _group(self, event: Event) -> Group:
        found = self._groups.get(event.run_id)
        if found is None:
            found = self._groups[event.run_id] = Group(task_id=event.run_id)
            if event.run_id != self.run.id and isinstance(event.body, RunStarted):
                found.task = event.body.question
        return found

    def _of_run(self, group: Group, body: RunEvent) -> Iterator[AgentFrame]:
        own = group.task_id == self.run.id
        if isinstance(body, RunStarted):
            yield from self._opened(group)
        elif isinstance(body, RouteChosen):
            self._planned_by_choice = self._planned_by_choice or body.agent == PLAN_SOLVE
        elif isinstance(body, WarningRaised):
            if body.code == BEGAN_ANEW:
                group.text = ""
            elif own:
                self._warnings.append(error_text(body.code, self.run.language, body.params))
        elif isinstance(body, RunFinished):
            if own:
                yield from self._finished(body)
            elif not group.over:
                yield from self._summed_up(group, failure_words(self.run, body), ())

    def _writing(self, group: Group, body: WritingEvent) -> Iterator[AgentFrame]:
        match body:
            case ThinkingDelta() | TextDelta():
                yield from self._wrote(group, body)
            case TextFinished():
                if group.task is None:
                    yield from self._thought_over(group)
            case CodeFinished():
                group.code[body.step_id or ""] = body.code
            case CodeDelta():
                pass
            case _:
                assert_never(body)

    def _step(self, group: Group, body: StepEvent) -> Iterator[AgentFrame]:
        key = body.step_id or ""
        if isinstance(body, StepStarted) and key in group.code:
            group.output[key] = ""
            group.ran += 1
            more = {"code": group.code[key], "fileInfo": [], "isFinal": False}
            yield from self._says(group, "code", more=more, final=False)
        elif isinstance(body, StepFinished) and key in group.output:
            more = {"codeOutput": group.output.pop(key), "fileInfo": [], "isFinal": True}
            yield from self._says(group, "code", more=more)

    def _output(self, group: Group, body: OutputEvent) -> Iterator[AgentFrame]:
        match body:
            case OutputText():
                group.put_out(body.step_id, body.text)
                yield from self._items(group, self._tools.piece(group, body))
            case OutputError():
                group.put_out(body.step_id, f"{body.name}: {body.message}\n")
            case OutputImage():
                yield from self._file(group, body.image)
            case ArtifactCreated() if body.step_id in group.reports:
                group.reports[body.step_id].file = body.artifact
            case ArtifactCreated():
                yield from self._file(group, body.artifact)
            case OutputHtml():
                more = {"data": body.html.name, "fileInfo": [self.links.info(body.html)], "isFinal": True}
                yield from self._says(group, "html", more=more)
            case OutputTable() | OutputChart():
                pass
            case _:
                assert_never(body)

    def _file(self, group: Group, file: ArtifactRef) -> Iterator[AgentFrame]:
        yield from self._says(group, "file", more={"command": WRITES, "fileInfo": [self.links.info(file)]})

    def _tool(self, group: Group, body: StructuredEvent) -> Iterator[AgentFrame]:
        if isinstance(body, ToolStarted) and not self._untold(group):
            yield from self._opened(group)
            yield from self._thought_over(group)
        yield from self._items(group, self._tools.of(group, body))

    def _items(self, group: Group, items: Iterable[ToolItem]) -> Iterator[AgentFrame]:
        for item in items:
            yield from self._says(
                group, item.kind, more=item.more, final=item.final, message_id=item.message_id, **item.payload
            )

    def _rest_of(
        self, group: Group, body: AnswerEvent | RequestEvent | WorkbookEvent | NodeEvent | TaskEvent
    ) -> Iterator[AgentFrame]:
        if isinstance(body, RequestEvent | WorkbookEvent | NodeEvent):
            return
        match body:
            case AnswerCompleted() if group.task_id == self.run.id:
                self._answer = body.answer
            case AnswerCompleted():
                group.answer = body.answer if body.answer.outcome == "completed" else None
                yield from self._summed_up(group, answer_words(self.run, body.answer), body.answer.files)
            case PlanUpdated() if group.task_id == self.run.id:
                yield from self._planned(group, body.plan)
            case PlanUpdated() | ContextMeasured() | SuggestionsOffered():
                pass
            case _:
                assert_never(body)

    def _wrote(self, group: Group, body: ThinkingDelta | TextDelta) -> Iterator[AgentFrame]:
        """Take a piece of what a model writes. Of a task it is held back: what it turns out to be decides the kind."""
        words = group.wrote(body.text, thinking=isinstance(body, ThinkingDelta))
        if group.task is not None or not words or (self._plans and self._plan is not None):
            return
        group.message_id = group.message_id or self._make.message_id(group)
        yield self._thought(group, words, final=False)

    def _thought_over(self, group: Group) -> Iterator[AgentFrame]:
        """End the thought that is being told, with all of it."""
        words, group.text = group.text, ""
        message_id, group.message_id = group.message_id, None
        if words.strip() and (group.task is not None or message_id is not None):
            group.message_id = message_id or self._make.message_id(group)
            yield self._thought(group, words, final=True)
            group.message_id = None

    def _thought(self, group: Group, words: str, *, final: bool) -> AgentFrame:
        if self._plans and group.task is None:
            return self._make.frame(group, "plan_thought", outer=PLAN_THOUGHT, final=final, planThought=words)
        return self._make.frame(group, "tool_thought", final=final, toolThought=words)

    def _planned(self, group: Group, plan: TaskPlan) -> Iterator[AgentFrame]:
        told = plan_of(plan, self.run.language)
        if not plan.steps or told == self._plan:
            return
        yield from self._thought_over(group)
        self._plan = told
        last = None if self._last_task is None else self._groups[self._last_task]
        if last is None or not has_progress(told):
            yield self._make.frame(None, "plan", outer=PLAN, plan=told)
        else:
            yield self._make.frame(last, "plan", plan=told)

    def _summed_up(self, group: Group, words: str, files: tuple[ArtifactRef, ...]) -> Iterator[AgentFrame]:
        group.over, group.text = True, ""
        more = {"taskSummary": words, "fileList": self.links.infos(files)}
        yield from self._says(group, "task_summary", more=more, taskSummary=words)

    def _finished(self, body: RunFinished) -> Iterator[AgentFrame]:
        answer = self._answer
        if answer is not None and body.outcome in {"completed", "declined", "limit"}:
            document = self.links.document(self.run.id, self.style)
            yield from self._result(answer_words(self.run, answer), answer.files, document)
        else:
            yield from self._without_answer(body)

    def _without_answer(self, body: RunFinished) -> Iterator[AgentFrame]:
        """End with why there is no answer, and with what tasks have answered before."""
        done = [(one.task or "", one.answer) for one in self._groups.values() if one.answer is not None]
        found = [(task, answer_words(self.run, answer)) for task, answer in done]
        files = tuple({file.id: file for _, answer in done for file in answer.files}.values())
        yield from self._result(ended_words(self.run, body, found), files)

    def _result(
        self, words: str, files: tuple[ArtifactRef, ...], document: Sequence[dict[str, Any]] = ()
    ) -> Iterator[AgentFrame]:
        """End the run; what is in no other frame any more, such as warnings, is in its words."""
        self.ended = True
        own = self._groups.setdefault(self.run.id, Group(task_id=self.run.id))
        if not self._plans:
            yield from self._thought_over(own)
        place = own if self._last_task is None else self._groups[self._last_task]
        words = "\n\n".join((words, *(f"> {warning}" for warning in dict.fromkeys(self._warnings))))
        more = {"taskSummary": words, "fileList": [*document, *self.links.infos(files)]}
        yield self._make.frame(place, "result", more=more, finish=True, result=words)

    def _untold(self, group: Group) -> bool:
        """Whether the page has no place for the items of a group."""
        return self._plans and group.task is None

    def _says(
        self,
        group: Group,
        kind: str,
        *,
        more: dict[str, Any] | None = None,
        final: bool = True,
        message_id: str | None = None,
        **payload: Any,
    ) -> Iterator[AgentFrame]:
        if self._untold(group):
            return
        yield from self._opened(group)
        if kind not in ENDS:
            yield from self._thought_over(group)
        yield self._make.frame(group, kind, more=more, final=final, message_id=message_id, **payload)

    def _opened(self, group: Group) -> Iterator[AgentFrame]:
        """Tell the task of a group, before anything else of it."""
        if group.task is not None and not group.told:
            group.told = True
            self._last_task = group.task_id
            yield self._make.frame(group, "task", task=group.task)
