"""The groups of steps of Genie's page: one for each task, one for a whole run without tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import ToolStarted

OUTPUT_CHARS = 20_000
REPORT_CHARS = 1_000_000


@dataclass(slots=True, kw_only=True)
class WrittenReport:
    """What a tool writes as a document: its kind, its words so far, and its file once there is one."""

    kind: str
    text: str = ""
    file: ArtifactRef | None = None


@dataclass(slots=True, kw_only=True)
class Group:
    """A group: what one run of the tree does. `task` is its task, None for the run that was asked.

    `told`: the page knows the task. `text` is what the model has written and is not yet told whole, `thinking` whether
    its end is thought and not said, `message_id` that of its pieces. `ran` counts executions of code that no call of a
    tool has accounted for. `answer` is that of a task that was completed.
    """

    task_id: str
    task: str | None = None
    told: bool = False
    items: int = 0
    text: str = ""
    thinking: bool = False
    message_id: str | None = None
    over: bool = False
    answer: Answer | None = None
    ran: int = 0
    code: dict[str, str] = field(default_factory=dict[str, str])
    output: dict[str, str] = field(default_factory=dict[str, str])
    calls: dict[str, ToolStarted] = field(default_factory=dict[str, ToolStarted])
    reports: dict[str, WrittenReport] = field(default_factory=dict[str, WrittenReport])
    loops: dict[str, int] = field(default_factory=dict[str, int])

    def wrote(self, words: str, *, thinking: bool) -> str:
        """Take a piece of what the model writes, and return it: a paragraph begins where thinking turns to text."""
        if words and self.text.strip() and thinking != self.thinking:
            words = f"\n\n{words}"
        self.thinking = thinking if words else self.thinking
        self.text += words
        return words

    def put_out(self, step_id: str | None, words: str) -> None:
        """Take what a step that runs has put out."""
        key = step_id or ""
        if key in self.reports:
            self.reports[key].text = (self.reports[key].text + words)[:REPORT_CHARS]
        if key in self.output:
            self.output[key] = (self.output[key] + words)[:OUTPUT_CHARS]
