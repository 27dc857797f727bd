"""The kinds of nodes, with what is configured of each.

Fields that are called templates are texts in which `{{ expression }}` stands for a value; expressions are those of
`workflows/expressions`. A value of an object of templates is rendered where it is a text; where it is nothing but one
`{{ expression }}`, it is the value itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from tablewright.domain.plan_file import SheetShape
from tablewright.domain.workflow.edges import Edge
from tablewright.domain.workflow.forms import TableForm

Values = dict[str, Any]
Consent = Literal["ask", "given"]
"""Whether a node asks before it changes anything; `given` counts once the workflow is published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often a node that failed is tried again: at most `attempts` attempts, the second `backoff_s` after the first,
    each later one after twice the time before."""

    attempts: int = 1
    backoff_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeBase:
    """What every node has.

    `id` is unique in the whole workflow, loops included, and is the name of the node's output in expressions.
    `timeout_s` bounds one attempt, without what a person takes to answer. With `on_error` `continue`, a node that has
    failed for good has the output `{"error": {"code", "params"}}`, and the nodes behind it go on.
    """

    id: str
    name: str = ""
    timeout_s: float | None = None
    retry: Retry = field(default_factory=Retry)
    on_error: Literal["fail", "continue"] = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNode(NodeBase):
    """Where the workflow begins; its output is the inputs."""

    kind: Literal["start"] = "start"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndNode(NodeBase):
    """Where the workflow ends: `text` is a template of the answer, `outputs` an object of templates."""

    text: str = ""
    outputs: Values = field(default_factory=Values)
    kind: Literal["end"] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateNode(NodeBase):
    """Puts out `{"text": …}`, and each of `values`, an object of templates, under its name."""

    text: str = ""
    values: Values = field(default_factory=Values)
    kind: Literal["template"] = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionNode(NodeBase):
    """Goes the way `true` or `false`, as the expression `when` is. Output: `{"result": bool}`."""

    when: str
    kind: Literal["condition"] = "condition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A way of a switch, taken if the expression `when` is true and no case before it was."""

    name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchNode(NodeBase):
    """Goes the way of the first case that holds, or `default`. Output: `{"case": name}`."""

    cases: tuple[Case, ...]
    kind: Literal["switch"] = "switch"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelNode(NodeBase):
    """All nodes behind it work at the same time."""

    kind: Literal["parallel"] = "parallel"


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinNode(NodeBase):
    """Waits for every branch that was taken. Output: `{node: output}` of the nodes right before it."""

    kind: Literal["join"] = "join"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopNode(NodeBase):
    """Repeats `nodes`, once for each item of the list `over` (an expression), or until the expression `until` is true
    after a turn, or both.

    Within, `item`, `index` (from 0) and `previous` (what the turn before gave, or none) are known. A turn gives the
    value of the expression `collect`, or else `{node: output}` of the nodes with nothing behind them. Up to
    `concurrency` turns work at the same time; with `until`, one. Output: `{"items": [what each turn gave], "count"}`.
    More turns than `max_turns` are a failure. What fails in it fails the loop, whose `on_error` decides then; its
    `timeout_s` bounds what all turns work together.
    """

    nodes: tuple[Annotated[Node, Field(discriminator="kind")], ...] = ()
    edges: tuple[Edge, ...] = ()
    over: str | None = None
    until: str | None = None
    collect: str | None = None
    concurrency: int = 1
    max_turns: int = 100
    kind: Literal["loop"] = "loop"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskUserNode(NodeBase):
    """Asks the person: `prompt` and `default` are templates.

    Of a `text`, the answer is `{"text"}`; of a `choice` among `options` (or the list that the expression
    `options_from` gives) it is `{"text", "choice"}`, and the option is the way; of a `form` it is `{"values"}`, which
    `schema`, a JSON schema of an object, describes. `default` answers where nobody is there to; of a `form`, it is a
    JSON object.

    A text may have to be a `number` (from `minimum` to `maximum`) or a `date`; its output then has `value` too. Any
    other may have to fit `pattern` as a whole, and be `min_length` to `max_length` characters long.

    A question expires `expires_s` after it was asked, or at the time that the template `expires_at` gives. It then goes
    on with its default or, without one, the way `expired`; who answers in time goes the way of the option, or
    `answered`. The output has `expired`, true or false.
    """

    prompt: str
    form: Literal["text", "choice", "form"] = "text"
    options: tuple[str, ...] = ()
    options_from: str | None = None
    schema: Values | None = None
    default: str | None = None
    accepts: Literal["text", "number", "date"] = "text"
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    expires_s: float | None = None
    expires_at: str | None = None
    kind: Literal["ask_user"] = "ask_user"

    @property
    def expires(self) -> bool:
        """Whether the question is closed at some time."""
        return self.expires_s is not None or self.expires_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitNode(NodeBase):
    """Waits for `seconds`, or until the time that the template `until` gives (ISO 8601; without a zone, UTC)."""

    seconds: float | None = None
    until: str | None = None
    kind: Literal["wait"] = "wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubWorkflowNode(NodeBase):
    """Runs another workflow, the one called `workflow`, on an object of templates. Output: `{"text", "outputs"}`."""

    workflow: str
    inputs: Values = field(default_factory=Values)
    kind: Literal["sub_workflow"] = "sub_workflow"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentNode(NodeBase):
    """Has an agent answer the template `question`. Output: `{"text", "rows", "columns", "files"}`."""

    question: str
    agent: str = "code_analyst"
    kind: Literal["agent"] = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNode(NodeBase):
    """Has the run's model write what the template `prompt` asks for. Output: `{"text"}`.

    `materials`, an object of templates, is told to it as data. With `schema`, the JSON schema of an object, it must
    write such an object; the output is `{"text", "values"}`.
    """

    prompt: str
    materials: Values = field(default_factory=Values)
    schema: Values | None = None
    kind: Literal["model"] = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolNode(NodeBase):
    """Calls a tool with an object of templates. Output: `{"text"}`."""

    tool: str
    arguments: Values = field(default_factory=Values)
    kind: Literal["tool"] = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeNode(NodeBase):
    """Runs Python in the sandbox. Each of `inputs`, an object of templates, is a variable of the code.

    `reads` are the names under which the code reads the run's first files, in their order, whatever those are called;
    `made_for` are the forms that their tables must have, in any number of rows.
    Output: `{"result", "text"}`: the value of the variable `result` as JSON, and what was printed.
    """

    code: str
    inputs: Values = field(default_factory=Values)
    reads: tuple[str, ...] = ()
    made_for: tuple[TableForm, ...] = ()
    kind: Literal["code"] = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpNode(NodeBase):
    """Sends a request to the address `url`, a template, behind the address guard.

    `query` and `headers` are objects of templates. The body is either `json`, a value with templates, or `text`, a
    template. A method that may change something asks before it is sent, unless `consent` is `given` and the workflow
    was published so. Output: `{"url", "status", "headers", "text", "json"}`, of which `json` is none where the answer
    is none. A status from 400 on fails the node, unless `any_status`. With `main_text`, a page is read for its main
    text; output: `{"url", "title", "text"}`.
    """

    url: str
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    query: Values = field(default_factory=Values)
    headers: Values = field(default_factory=Values)
    json: Any = None
    text: str | None = None
    any_status: bool = False
    main_text: bool = False
    consent: Consent = "ask"
    kind: Literal["http"] = "http"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseNode(NodeBase):
    """Queries a database, read-only. `query` is no template: `parameters`, an object of templates, are its values.

    Output: `{"columns", "rows", "total", "truncated"}`; of the rows, up to `max_rows`. `total` counts them all; it is
    none if more were found that cannot be counted.
    """

    query: str
    database: str = "primary"
    parameters: Values = field(default_factory=Values)
    max_rows: int = 1_000
    kind: Literal["database"] = "database"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookNode(NodeBase):
    """Changes the workbook by operations: `{"function", "parameters", "description"}` each, with templates in it.

    What changes it asks before, as a node `http` does. With `made_for`, the sheets of the workbook that the steps were
    written for, they are fitted to the run's, which must be of the same form: ranges follow the rows of its tables.
    Output: `{"version", "changed", "file", "round_id"}`.
    """

    steps: tuple[Values, ...]
    made_for: tuple[SheetShape, ...] = ()
    consent: Consent = "ask"
    kind: Literal["workbook"] = "workbook"


Node = (
    StartNode
    | EndNode
    | TemplateNode
    | ConditionNode
    | SwitchNode
    | ParallelNode
    | JoinNode
    | LoopNode
    | AskUserNode
    | WaitNode
    | SubWorkflowNode
    | AgentNode
    | ModelNode
    | ToolNode
    | CodeNode
    | HttpNode
    | DatabaseNode
    | WorkbookNode
)
"""A new kind joins here; whoever distinguishes kinds ends in `assert_never`."""
