"""The built-in analyst as a model: it reads the task rather than the messages, and answers in the form common to all
models."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from tablewright.analyst import grammar as shipped_grammar
from tablewright.analyst.answering import conclude
from tablewright.analyst.answering.plausible import flaw_of
from tablewright.analyst.apart import Apart
from tablewright.analyst.base import NotUnderstood, Understanding, Understood, Unsure
from tablewright.analyst.choosing import plan_of, summed_up, workflow_named
from tablewright.analyst.evaluating.base import PlanEvaluator
from tablewright.analyst.evaluating.heads import HEAD_ROWS, HeadPlanEvaluator
from tablewright.analyst.linking.vocabulary import worded
from tablewright.analyst.operating import planned
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import named
from tablewright.analyst.queries import Query, Splitter, Work, nothing_to_query, work
from tablewright.analyst.query_writing import StatementWriter, nothing_written, queries_of
from tablewright.analyst.repairing import repaired
from tablewright.analyst.reporting import structured_round
from tablewright.analyst.reporting.recommending import answerable
from tablewright.analyst.suggesting import questions, suggestions
from tablewright.analyst.understanding.base import Grammar
from tablewright.analyst.understanding.deciding import MOST_WRONG, Trust
from tablewright.analyst.understanding.offering import question_of
from tablewright.analyst.understanding.remembered import CHARS_READ, QuestionReader
from tablewright.analyst.writing import write_steps
from tablewright.analyst.writing.steps import Segment, block
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.message import Message, TextPart, ToolCallPart
from tablewright.domain.task import (
    AnalyzeTable,
    Chat,
    ChooseWorkflow,
    PlanOperations,
    PlanTasks,
    RepairStep,
    StepFacts,
    StructuredRound,
    Summarize,
    SumUp,
    Task,
    UseTools,
    WriteQuery,
)
from tablewright.errors import ModelCannotWrite
from tablewright.models.base import ModelRequest, StreamEnded, StreamPart, TextPiece, ToolCalled, UsageSeen
from tablewright.models.control import ASK_USER, DECLINE
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags
from tablewright.models.planning import PLANNING
from tablewright.texts.catalogue import text

NAME = "builtin"
QUERY_TOOL = "query_database"
CODE_TOOL = "run_python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """Queries of databases that are made before any code is written."""

    made: tuple[Query, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool; `key` tells it from others of its run, where its turn does not."""

    name: str
    arguments: dict[str, object]
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Code, step by step."""

    segments: tuple[Segment, ...]


AboutTables = AnalyzeTable | UseTools | RepairStep | Summarize | WriteQuery
"""Tasks whose question is read."""
OtherTask = PlanOperations | PlanTasks | SumUp | ChooseWorkflow | Chat
Said = str | dict[str, object] | Queries | tuple[Call, ...]
"""Text, the arguments of `decline`, queries, or calls of other tools."""


class BuiltinAnalyst:
    """A model that understands table questions in Chinese and English without a language model, asks which reading is
    meant where it is not sure, and declines the rest.

    Of the answers that it is sure of, at most the share `most_wrong` should be wrong. Without an
    `evaluator` it answers what it reads without a word left out. `trust` is the learned one unless another is given.
    """

    def __init__(
        self,
        values: ValueLookup,
        tags: CodeTags = DEFAULT_TAGS,
        split: Splitter = nothing_to_query,
        *,
        write: StatementWriter = nothing_written,
        grammar: Grammar = shipped_grammar,
        evaluator: PlanEvaluator | None = None,
        most_wrong: float = MOST_WRONG,
        trust: Trust | None = None,
    ) -> None:
        self._values = values
        self._tags = tags
        self._split = split
        self._write = write
        self._apart = Apart()
        self._reader, self._head_reader = (
            QuestionReader(values, self._apart, grammar=grammar, evaluator=each, most_wrong=most_wrong, trust=trust)
            for each in (evaluator, evaluator and HeadPlanEvaluator(evaluator))
        )

    @property
    def name(self) -> str:
        return NAME

    async def suggested(self, language: Language, datasets: Sequence[DatasetFacts], most: int) -> tuple[str, ...]:
        """Return up to `most` questions about the largest table that were read, executed and would be answered; of
        large tables, executed on their first rows."""
        found: list[str] = []
        largest = sorted(datasets, key=lambda facts: -facts.rows)[:1]
        reader = self._head_reader if largest and largest[0].rows > HEAD_ROWS else self._reader
        for question in [wanted for facts in largest for wanted in questions(language, facts)]:
            if len(found) == most:
                break
            task = AnalyzeTable(question=question, language=language, datasets=tuple(datasets))
            if isinstance(await reader.of(task), Understood):
                found.append(question)
        return tuple(found)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        """Stream the answer to the task: code line by line, prose, or a call of `ask_user` or `decline`."""
        earlier = (turn.question for turn in reversed(request.task.history))
        datasets = worded(request.task.datasets, request.task.question, *earlier)
        task = replace(request.task, datasets=datasets)
        queries = any(tool.name == QUERY_TOOL for tool in request.tools)
        if isinstance(task, AboutTables):
            reading = await self._reader.of(task)
            said = await self._apart.do(self._values, lambda _: self._about_tables(task, reading, queries=queries))
        elif isinstance(task, StructuredRound):
            said = await self._round(task)
        else:
            said = await self._apart.do(self._values, lambda values: self._answer(task, values))
        usage = UsageSeen(input_tokens=0, output_tokens=0, method="estimate")
        if isinstance(said, str):
            for line in said.splitlines(keepends=True):
                yield TextPiece(text=line)
            yield usage
            yield StreamEnded(message=Message(role="assistant", parts=(TextPart(text=said, origin="output"),)))
            return
        calls = _calls(said)
        for call in calls:
            yield ToolCalled(call_id=call.call_id, name=call.name, arguments=call.arguments)
        yield usage
        yield StreamEnded(message=Message(role="assistant", parts=calls), reason="tool_calls")

    async def _round(self, task: StructuredRound) -> str:
        asked = await self._reader.of(task) if task.question.strip() and task.datasets else None
        said = await self._apart.do(self._values, lambda values: structured_round(task, values, asked))
        return await answerable(said, task, self._reader.of)

    async def _about_tables(self, task: AboutTables, reading: Understanding, *, queries: bool) -> Said:
        match task:
            case AnalyzeTable():
                said = self._analyzed(task, reading, queries=queries)
                return block(said.segments, self._tags) if isinstance(said, Steps) else said
            case UseTools():
                return self._worked(task, reading)
            case RepairStep():
                return self._repaired(task, reading, queries=queries)
            case Summarize():
                return _summarized(task, reading)
            case WriteQuery():
                return self._queried(task, reading)

    async def _answer(self, task: OtherTask, values: ValueLookup) -> Said:
        match task:
            case PlanOperations() if len(task.question) > CHARS_READ:
                words = text("operating.too_long", task.language, most=CHARS_READ)
                return json.dumps({"execution_plan": [], "error": words}, ensure_ascii=False)
            case PlanOperations():
                return await planned(task, values)
            case _:
                return _arranged(task)

    def _worked(self, task: UseTools, reading: Understanding) -> Said:
        """Have the code of the question run, a call per step, and conclude from what the steps put out."""
        if task.last:
            return _summarized(task, reading)
        failed = next((step for step in task.progress if step.error is not None), None)
        if failed is not None:
            return _failed(failed, task)
        said = self._analyzed(task, reading, queries=False)
        if not isinstance(said, Steps):
            return said
        codes = ("\n".join((f"# {segment.name}", *segment.lines)) for segment in said.segments)
        return tuple(Call(name=CODE_TOOL, arguments={"code": code}) for code in codes)

    def _analyzed(self, task: AnalyzeTable | UseTools, reading: Understanding, *, queries: bool) -> Said | Steps:
        if isinstance(reading, NotUnderstood):
            return _declined(reading, task)
        if isinstance(reading, Unsure):
            key = f"{ASK_USER}-{len(task.asked)}"
            return (Call(name=ASK_USER, arguments=question_of(reading, task.language), key=key),)
        todo = self._work(reading.plan, task, queries=queries)
        if todo.queries:
            return Queries(made=todo.queries)
        steps = write_steps(todo.plan, todo.datasets, task.language)
        rest = steps[len(_succeeded(task)) :]
        if rest:
            return Steps(segments=tuple(rest))
        done = _succeeded(task)
        result = next((step.result for step in reversed(done) if step.result is not None), None)
        flaw = None if reading.chosen else flaw_of(reading.plan, task.question, task.language, result)
        if flaw is not None:
            hints = suggestions(task.language, task.datasets)
            return _declined(NotUnderstood(understood=(), reason=flaw, params={}, suggestions=hints), task)
        return conclude(reading.plan, done, task.language, task.datasets)

    def _queried(self, task: WriteQuery, reading: Understanding) -> Said:
        if isinstance(reading, NotUnderstood):
            return _declined(reading, task)
        return queries_of(task, reading, self._write) or _unwritten(task)

    def _work(self, plan: Plan, task: Task, *, queries: bool) -> Work:
        """Return what is to be done for a plan: queries of databases first, if there are any to be made."""
        asked = queries and any(dataset.table is not None for dataset in task.datasets)
        split = self._split(plan, task.datasets, task.language) if asked else None
        return work(plan, task.datasets, task.progress, split)

    def _repaired(self, task: RepairStep, reading: Understanding, *, queries: bool) -> Said:
        failed = task.progress[-1] if task.progress else None
        if failed is None or not isinstance(reading, Understood):
            return _failed(failed, task)
        code = repaired(failed.code, failed.error or "", named(reading.plan)) if task.attempt == 1 else None
        if code is None:
            return _failed(failed, task)
        todo = self._work(reading.plan, task, queries=queries)
        steps = write_steps(todo.plan, todo.datasets, task.language)
        again = Segment(name=failed.name, part=0, lines=_body(code, self._tags))
        return block([again, *steps[len(_succeeded(task)) + 1 :]], self._tags)


def _summarized(task: Summarize | UseTools, reading: Understanding) -> str:
    done = _succeeded(task)
    if isinstance(reading, Understood) and any(step.result or step.tables or step.charts for step in done):
        return conclude(reading.plan, done, task.language, task.datasets)
    if not done:
        return text("answer.nothing_done", task.language)
    steps = text("words.comma", task.language).join(step.name for step in done)
    return text("answer.steps_done", task.language, steps=steps)


def _arranged(task: PlanTasks | SumUp | ChooseWorkflow | Chat) -> Said:
    """Return the answer to a task about the work of others."""
    match task:
        case PlanTasks():
            return (Call(name=PLANNING, arguments=plan_of(task)),)
        case SumUp():
            return summed_up(task)
        case ChooseWorkflow():
            return workflow_named(task)
        case Chat():
            raise ModelCannotWrite(model=NAME)


def _succeeded(task: Task) -> tuple[StepFacts, ...]:
    return tuple(step for step in task.progress if step.error is None and step.query is None)


def _calls(said: dict[str, object] | Queries | tuple[Call, ...]) -> tuple[ToolCallPart, ...]:
    if isinstance(said, tuple):
        return tuple(
            ToolCallPart(call_id=f"{NAME}-{call.key or place}", name=call.name, arguments=call.arguments)
            for place, call in enumerate(said)
        )
    if isinstance(said, Queries):
        return tuple(
            ToolCallPart(call_id=f"{NAME}-{query.dataset_id}", name=QUERY_TOOL, arguments=query.arguments())
            for query in said.made
        )
    return (ToolCallPart(call_id=f"{NAME}-{DECLINE}", name=DECLINE, arguments=dict(said)),)


def _body(code: str, tags: CodeTags) -> list[str]:
    """Return a step's lines without its annotation, which `block` adds again."""
    return [line for line in code.strip("\n").splitlines() if not line.startswith(tags.step_annotation)]


def _declined(reading: NotUnderstood, task: Task) -> dict[str, object]:
    return {
        "understood": text("words.comma", task.language).join(reading.understood),
        "reason": text(reading.reason, task.language, **reading.params),
        "suggestions": list(reading.suggestions),
    }


def _unwritten(task: WriteQuery) -> dict[str, object]:
    return {"understood": "", "reason": text("answer.no_statement", task.language), "suggestions": []}


def _failed(step: StepFacts | None, task: Task) -> dict[str, object]:
    """Return the arguments of `decline` that name the failed step and its error."""
    name = step.name if step is not None else ""
    lines = (step.error or "").strip().splitlines() if step is not None else []
    language = task.language
    return {
        "understood": text("answer.understood_step", language, step=name),
        "reason": text("answer.repair_failed", language, step=name, error=lines[0] if lines else ""),
        "suggestions": [text("answer.repair_suggestion", language), text("answer.repair_suggestion_2", language)],
    }
