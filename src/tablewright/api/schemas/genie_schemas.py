"""Requests of the services that know tables by their description alone; what one has beyond this is passed over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tablewright.api.schemas.genie import GenieWire, Key
from tablewright.api.schemas.genie_tools import Places, Words

MOST_TABLES = 300
MOST_COLUMNS = 2_000
Short = Annotated[str, Field(max_length=2_000)]


class ColumnGiven(GenieWire):
    """A column of a table. `synonyms` and `fewShot` are lists in one text."""

    model_config = ConfigDict(extra="allow")
    model_code: Annotated[str, Field(max_length=300)] | None = None
    column_id: Annotated[str, Field(min_length=1, max_length=300)]
    column_name: Short | None = None
    column_comment: Short | None = None
    few_shot: Words | None = None
    data_type: Annotated[str, Field(max_length=100)] | None = None
    synonyms: Short | None = None
    default_recall: int | None = None


class TableGiven(GenieWire):
    """A table as `allModels` describes it, with its columns."""

    model_config = ConfigDict(extra="allow")
    model_code: Annotated[str, Field(min_length=1, max_length=300)]
    model_name: Short | None = None
    use_prompt: Words | None = None
    business_prompt: Words | None = None
    schema_list: Annotated[list[ColumnGiven], Field(max_length=MOST_COLUMNS, default_factory=list[ColumnGiven])]


class SchemaTask(GenieWire):
    """A question about tables that are described: those of `schemaInfo`, of which `modelCodeList` are meant."""

    request_id: Key
    query: Annotated[Words, Field(min_length=1)]
    current_date_info: Short | None = None
    model_code_list: Places = Field(default_factory=list[str])
    schema_info: Annotated[
        list[TableGiven | ColumnGiven],
        Field(max_length=MOST_COLUMNS, default_factory=list[TableGiven | ColumnGiven]),
    ]

    def tables(self) -> list[TableGiven]:
        """Return the tables that are meant; columns that are listed without one are put together by their codes."""
        found: dict[str, TableGiven] = {}
        for one in self.schema_info[:MOST_COLUMNS]:
            if isinstance(one, TableGiven):
                found[one.model_code] = one
            elif one.model_code:
                table = found.setdefault(one.model_code, TableGiven(model_code=one.model_code, schema_list=[]))
                table.schema_list.append(one)
        wanted = set(self.model_code_list) & found.keys() or found.keys()
        return [table for code, table in found.items() if code in wanted][:MOST_TABLES]


class QueryTask(SchemaTask):
    """A question to be answered by statements in the dialect `dbType`."""

    stream: bool = True
    db_type: Annotated[str, Field(max_length=50)] = "mysql"


class RecallTask(SchemaTask):
    """A question whose tables and columns are looked for. How they are stored elsewhere means nothing here."""

    use_vector: bool | None = None
    use_elastic: bool | None = None
    recall_type: Annotated[str, Field(max_length=50)] | None = None


class FormulaTask(BaseModel):
    """A question about rows that were read, which a formula answers."""

    model_config = ConfigDict(extra="ignore")
    request_id: Key
    query: Annotated[Words, Field(min_length=1)]
    data: Annotated[list[dict[str, Any]], Field(max_length=100_000)] = []


class ProcedureGiven(BaseModel):
    """A procedure that can be followed."""

    model_config = ConfigDict(extra="ignore")
    id: Annotated[int | str | None, Field(alias="sop_id")] = None
    name: Annotated[Short, Field(alias="sop_name")] = ""
    description: Words | None = None
    text: Annotated[Words | None, Field(alias="sop_string")] = None
    steps: Annotated[Words | None, Field(alias="sop_json_string")] = None


class ProcedureTask(GenieWire):
    """A request, and the procedures one of which may be meant for it."""

    request_id: Key
    query: Annotated[Words, Field(min_length=1)]
    sop_list: Annotated[list[ProcedureGiven], Field(max_length=1_000)] | None = None


class Recalled(GenieWire):
    """The tables that a question is about, with the columns that it names."""

    code: Literal[200] = 200
    data: list[dict[str, Any]]
    request_id: str


class Formula(BaseModel):
    """The formula that answers a question; with a `code` other than 200 there is none, and `err_msg` says why."""

    code: int = 200
    expression: str
    request_id: str
    query: str
    err_msg: Annotated[str | None, Field(exclude_if=lambda words: words is None)] = None


class ChosenProcedure(BaseModel):
    """How a procedure is to be used, and its steps; empty where none fits."""

    sop_mode: Literal["HIGH_MODE", "COMMON_MODE", "NO_SOP_MODE"]
    choosed_sop_string: str


class ProcedureReply(GenieWire):
    """The procedure that was chosen."""

    code: Literal[200] = 200
    data: ChosenProcedure
    request_id: str
