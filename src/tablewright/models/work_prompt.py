"""What agents that work with tools read: the system prompt, the data, what was said before, and their own turns. Pure.

The beginning stays as it is while the work goes on, byte for byte, so that a provider may keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.domain.language import Language
from tablewright.domain.message import Message, Part, TextPart
from tablewright.domain.task import DoneTask, PlanTasks, SumUp, UseTools
from tablewright.domain.task_plan import TaskPlan
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, defuse
from tablewright.models.facts import dataset_parts
from tablewright.models.filled import filled, filled_parts, names_in
from tablewright.models.notes import note_lines
from tablewright.models.prompt_files import phrase, prompt
from tablewright.models.relations import relation_lines
from tablewright.models.vocabulary import word_lines

HISTORY = "history_dialogue"


def work_messages(
    task: UseTools | PlanTasks,
    earlier: Sequence[Message],
    transcript: Sequence[Message],
    *,
    tags: CodeTags = DEFAULT_TAGS,
) -> tuple[Message, ...]:
    """Return the messages of a call: `earlier` are the questions and answers before, as turns.

    A brief with a place for them has them there instead. `transcript` begins with the question or the task.
    """
    template = task.brief or prompt(_prompt_of(task), task.language)
    names = ", ".join(task.files) or phrase("no_files", task.language)
    told = HISTORY in names_in(template)
    history = "\n".join(f"{message.role}: {message.text}" for message in earlier) if told else ""
    system = filled(template, {"date": task.today, "files": defuse(names, tags), HISTORY: defuse(history, tags)})
    turns = [
        *_notes(task, tags),
        *_data(task, tags),
        *_earlier_plan(task, tags),
        *(() if told else earlier),
        *transcript,
    ]
    if isinstance(task, UseTools) and task.last:
        turns.append(_said(phrase("use_tools_last", task.language)))
    return (Message(role="system", parts=(TextPart(text=system, origin="system"),)), *turns)


def sum_up_messages(task: SumUp, *, tags: CodeTags = DEFAULT_TAGS) -> tuple[Message, ...]:
    """Return the one message that asks for the answer of a plan."""
    names = "\n".join(task.files) or phrase("no_files", task.language)
    parts = filled_parts(
        task.brief or prompt("sum_up", task.language),
        {
            "query": (task.question, "user"),
            "taskHistory": (defuse(task.record, tags), "output"),
            "fileNameDesc": (defuse(names, tags), "file"),
            "date": (task.today, "system"),
        },
    )
    return (Message(role="user", parts=parts),)


def question_turn(question: str) -> Message:
    """Return the turn with which the work on a question begins."""
    return Message(role="user", parts=(TextPart(text=question, origin="user"),))


def task_turn(task: str, language: Language) -> Message:
    """Return the turn with which the work on a task of a plan begins."""
    before, _, after = phrase("your_task", language, task="\0").partition("\0")
    parts = (TextPart(text=before, origin="system"), TextPart(text=task, origin="user"))
    return Message(role="user", parts=(*parts, *((TextPart(text=after, origin="system"),) if after else ())))


def request_turn(question: str, language: Language) -> Message:
    """Return the turn that tells of the request that tasks belong to."""
    before, _, after = phrase("whole_request", language, question="\0").partition("\0")
    return Message(role="user", parts=(TextPart(text=f"{before}{question}{after}", origin="file"),))


def next_step_turn(language: Language) -> Message:
    """Return the turn that lets an agent go on where nobody has said anything."""
    return _said(phrase("next_step", language))


def is_next_step(message: Message) -> bool:
    """Whether a turn is the loop's own: in the user's place, with nothing but our words."""
    return message.role == "user" and all(part.origin == "system" for part in message.parts)


def results_turn(step_id: int, done: Sequence[DoneTask], plan: TaskPlan, language: Language) -> Message:
    """Return the turn that tells a planner what came of a step, and the plan as it is now."""
    words = [phrase("plan_results", language, step=step_id)]
    for task in done:
        told = {"task": task.text, "result": task.result}
        words.append(
            phrase("plan_result_failed", language, **told) if task.failed else phrase("plan_result", language, **told)
        )
    text = "\n\n".join((*words, plan_lines(plan, language)))
    return Message(role="user", parts=(TextPart(text=text, origin="tool"),))


def too_many_calls(most: int, language: Language) -> str:
    """Say that a call was not made, as its turn had too many."""
    return phrase("call_too_many", language, most=most)


def too_long_call(count: int, most: int, language: Language) -> str:
    """Say that a call was not made, as its arguments have too many characters."""
    return phrase("call_too_long", language, count=count, most=most)


def call_rejected(words: str, language: Language) -> str:
    """Say that a call was not made, as the person did not allow it, with what they said."""
    return " ".join((phrase("call_rejected", language), words)).strip()


def call_unattended(language: Language) -> str:
    """Say that a call was not made, as it needs a person's word and nobody is asked."""
    return phrase("call_unattended", language)


def plan_lines(plan: TaskPlan, language: Language) -> str:
    """Return a plan as a model reads it."""
    lines = [phrase("plan_told", language)]
    for step in plan.steps:
        line = phrase("plan_step_line", language, id=step.id, status=step.status, text=step.text)
        lines.append(line + (phrase("plan_step_note", language, note=step.note) if step.note else ""))
    return "\n".join(lines)


def _prompt_of(task: UseTools | PlanTasks) -> str:
    if isinstance(task, PlanTasks):
        return "plan_tasks"
    return "executor" if task.part == "executor" else "use_tools"


def _notes(task: UseTools | PlanTasks, tags: CodeTags) -> Iterator[Message]:
    """Yield the turn with the notes that the person had kept, if there are any."""
    if lines := note_lines(task):
        yield Message(role="user", parts=(TextPart(text=defuse(lines, tags), origin="file"),))


def _data(task: UseTools | PlanTasks, tags: CodeTags) -> Iterator[Message]:
    """Yield the turn with the facts of the tables, if there are any."""
    if not task.datasets:
        return
    parts: list[Part] = [TextPart(text=f"{phrase('data_heading', task.language)}\n", origin="system")]
    for number, dataset in enumerate(task.datasets, start=1):
        facts = dataset_parts(dataset, number, task.language)
        parts.extend(replace(part, text=defuse(part.text, tags)) for part in facts)
    if related := relation_lines(task.relations, task.datasets, task.language):
        parts.append(TextPart(text=defuse(related, tags), origin="statistics"))
    if words := word_lines(task):
        parts.append(TextPart(text=defuse(words, tags), origin="statistics"))
    yield Message(role="user", parts=tuple(parts))


def _earlier_plan(task: UseTools | PlanTasks, tags: CodeTags) -> Iterator[Message]:
    """Yield the turn with the plan of the request before, if there was one."""
    if isinstance(task, PlanTasks) and task.earlier is not None:
        heading = TextPart(text=f"{phrase('earlier_plan', task.language)}\n", origin="system")
        words = defuse(plan_lines(task.earlier, task.language), tags)
        yield Message(role="user", parts=(heading, TextPart(text=words, origin="tool")))


def _said(words: str) -> Message:
    return Message(role="user", parts=(TextPart(text=words, origin="system"),))
