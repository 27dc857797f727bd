"""The workbook rounds' own wire: requests in camelCase or snake_case, responses in camelCase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from tablewright.domain.naming import storable
from tablewright.domain.rounds.plan import DataScope
from tablewright.domain.rounds.written_plan import canonical

Named = Annotated[str, Field(max_length=200, coerce_numbers_to_str=True), AfterValidator(storable)]
"""A client's own id or a name; an id may also be a number."""
Words = Annotated[str, Field(max_length=100_000), AfterValidator(storable)]
Key = Annotated[Named, Field(min_length=1)]
CELL_CHARS = 32_767
DEEPEST = 30
MOST_NUMBER = 9.99e307
EXAMPLE_REQUEST: dict[str, Any] = {
    "operation": "Create a sales chart and highlight the top 3 products",
    "channelId": "sales-2026",
    "context": {
        "language": "en",
        "spreadsheet_data": {
            "sheets": [{"name": "Sheet1", "range": "A1:B3", "data": [["Product", "Sales"], ["Pen", 12], ["Ink", 30]]}]
        },
    },
}


def _cell(value: Any) -> Any:
    """Check a cell by itself: the validator's own union would be told to people by the names of its members."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= CELL_CHARS:
        return storable(value)
    if isinstance(value, int | float) and -MOST_NUMBER < value < MOST_NUMBER:  # neither NaN nor infinite
        return value
    raise PydanticCustomError("cell_unusable", "a cell is text, a number, true, false or null")


CellIn = Annotated[Any, PlainValidator(_cell, json_schema_input_type=str | bool | float | None)]


def _storable(value: Any, depth: int = 0) -> Any:
    """Make every text within a value of JSON fit to be kept."""
    if depth > DEEPEST:
        raise PydanticCustomError("too_deep", "this is nested too deeply")
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {storable(name): _storable(each, depth + 1) for name, each in value.items()}
    return value


def _parameters(value: dict[str, Any] | None) -> Any:
    return _storable(value)


def _as_plan(value: Any) -> Any:
    """A plan may be given as the list of its steps, and with all names that a plan has elsewhere."""
    plan = canonical(value)
    if isinstance(plan, dict) and "steps" in plan:
        plan["executionPlan"] = plan.pop("steps")
    return plan


def _either(name: str) -> AliasChoices:
    return AliasChoices(to_camel(name), name)


class ExcelInput(BaseModel):
    """What a client sends: both spellings are read, names that are not known are passed over, and null says nothing."""

    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=_either), extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


class SheetIn(ExcelInput):
    """A sheet as the client has it: `data[0][0]` is the top-left cell of `range`, A1 without one. A text that starts
    with `=` is a formula."""

    name: Annotated[str, Field(min_length=1, max_length=31)]
    data: list[list[CellIn]] = []
    range: Annotated[str, Field(max_length=100)] | None = None


class SpreadsheetIn(ExcelInput):
    """The sheets that the client tells of."""

    sheets: Annotated[list[SheetIn], Field(max_length=500)] = []


class HistoryStep(ExcelInput):
    """A step of an earlier round, as the client remembers it."""

    round: int | None = None
    step: int | None = None
    function: Named = ""
    parameters: Annotated[dict[str, Any] | None, AfterValidator(_parameters)] = None


class Context(ExcelInput):
    """The workbook as the client has it, and what may also stand at the top of the request."""

    spreadsheet_data: SpreadsheetIn | None = None
    channel_id: Named | None = None
    language: Annotated[str, Field(max_length=40)] | None = None
    continue_multi_round: bool | None = None
    previous_rounds: Annotated[int, Field(ge=0, le=10_000)] | None = None
    previous_steps_history: Annotated[list[HistoryStep], Field(max_length=10_000)] | None = None


class StepIn(ExcelInput):
    """A step of an edited plan."""

    step: int | None = None
    function: Key
    parameters: Annotated[dict[str, Any], AfterValidator(_parameters)] = {}
    description: Words = ""


class PlanIn(ExcelInput):
    """An edited plan as an object."""

    execution_plan: Annotated[list[StepIn], Field(max_length=1_000)]


class ExcelRequest(ExcelInput):
    """A request of the workbook rounds. `channelId` names the workbook of record; `continueMultiRound` goes on with
    the plan `requestId` (the newest one without it); `editedPlan` replaces its steps, `rejection` asks for another
    plan, `answer` answers the question that a response with `needInfo` asked."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(validation_alias=_either),
        extra="ignore",
        json_schema_extra={"examples": [EXAMPLE_REQUEST]},
    )

    operation: Words = ""
    context: Context = Context()
    continue_multi_round: bool | None = None
    previous_rounds: Annotated[int, Field(ge=0, le=10_000)] | None = None
    previous_steps_history: Annotated[list[HistoryStep], Field(max_length=10_000)] | None = None
    thinking_params: Any = None
    message_id: Named | None = None
    channel_id: Named | None = None
    uid: Named | None = None
    request_id: Named | None = None
    edited_plan: Annotated[
        PlanIn | None, BeforeValidator(_as_plan, json_schema_input_type=PlanIn | list[StepIn] | None)
    ] = None
    rejection: Words | None = None
    answer: Words | None = None


class RollbackRequest(ExcelInput):
    """Undo the round `requestId`, or every round of the plan of that id, and the rounds after it."""

    channel_id: Key
    request_id: Key
    uid: Named | None = None


class RedoRequest(ExcelInput):
    """Take back the last undo."""

    channel_id: Key
    uid: Named | None = None


class ExcelOutput(BaseModel):
    """What is answered. What a response does not say is left out, not null."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class ExcelStepOut(ExcelOutput):
    """A step of a plan; `problems` says in words what keeps it from being executed as it stands."""

    step: int
    function: str
    parameters: dict[str, Any]
    description: str
    problems: list[str] = []


class ResultOut(ExcelOutput):
    """What a reading step found."""

    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    total_rows: int


class ExecutedStep(ExcelOutput):
    """What became of a step."""

    description: str
    function: str
    parameters: dict[str, Any]
    status: Literal["completed", "failed"]
    error: str | None = None
    result: ResultOut | None = None


class ExecutedBatch(ExcelOutput):
    """A batch with all its steps; its id is the round's number."""

    batch_id: int
    steps: list[ExecutedStep]


class MultiRoundResult(ExcelOutput):
    """Where the work stands: go on (`continueNeeded`), refresh (`requiresUpdatedData`, and of what: `dataScope`)."""

    continue_needed: bool
    completed: bool
    requires_updated_data: bool
    data_scope: DataScope
    error: str | None = None
    executed_batches: list[ExecutedBatch] | None = None


class CellOut(ExcelOutput):
    """A cell before and after."""

    ref: str
    before: str | int | float | bool | None
    after: str | int | float | bool | None


class ChangesOut(ExcelOutput):
    """Changed cells of a sheet; `truncated` when more changed than are listed."""

    sheet: str
    range: str
    cells: list[CellOut]
    truncated: bool


class ExcelResponse(ExcelOutput):
    """The answer to a request. `requestId` of a plan confirms it, that of an executed round undoes it."""

    success: bool
    error: str | None = None
    message: str | None = None
    need_info: bool | None = None
    request_id: str
    is_continuation: bool
    total_rounds: int
    execution_plan: list[ExcelStepOut] | None = None
    multi_round_result: MultiRoundResult
    channel_id: str
    workbook_id: str | None = None
    version: int | None = None
    changes: list[ChangesOut] | None = None
    warnings: list[str] | None = None


class SheetOut(BaseModel):
    """A sheet's cells, row by row from the top-left cell of `range`."""

    name: str
    range: str
    data: list[list[str | int | float | bool | None]]
    truncated: bool = False


class SpreadsheetOut(BaseModel):
    """All sheets."""

    sheets: list[SheetOut]


class RestoredResponse(BaseModel):
    """The workbook after an undo or a redo, whole."""

    model_config = ConfigDict(populate_by_name=True)

    success: Literal[True] = True
    request_id: Annotated[str, Field(alias="requestId")]
    version: int
    data_scope: Annotated[Literal["workbook"], Field(alias="dataScope")] = "workbook"
    spreadsheet_data: SpreadsheetOut


class FunctionOut(ExcelOutput):
    """A function that a plan may use: what it does, what it changes, and the JSON schema of its parameters. `label`,
    `description` and the titles of the parameters are in the language of the request; `aliases` are other names by
    which it is accepted."""

    name: str
    label: str
    description: str
    effect: Literal["read", "values", "structure", "format", "chart"]
    destructive: bool
    parameters: dict[str, Any]
    aliases: list[str] = []


class FunctionsResponse(ExcelOutput):
    """Every function."""

    functions: list[FunctionOut]


def wire(response: BaseModel) -> str:
    """Return a response as it is sent: only what was said, in camelCase."""
    return response.model_dump_json(by_alias=True, exclude_unset=True)
