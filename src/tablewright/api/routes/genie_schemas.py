"""Services for programs that read their databases themselves: statements, formulas, the right tables and procedures."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.genie_tools import paths
from tablewright.api.genie_tools.faults import tool_faults
from tablewright.api.genie_tools.folds import Frame, ToolFold
from tablewright.api.genie_tools.procedures import procedures_text, said_of
from tablewright.api.genie_tools.queries import FormulaFold, QueryFold, query_frame
from tablewright.api.genie_tools.stream import Service
from tablewright.api.routes.genie_tools import STREAMED
from tablewright.api.schemas.genie_schemas import (
    ChosenProcedure,
    Formula,
    FormulaTask,
    ProcedureReply,
    ProcedureTask,
    QueryTask,
    Recalled,
    RecallTask,
    TableGiven,
)
from tablewright.domain.described_tables import DescribedTables, tables_message
from tablewright.domain.language import language_of
from tablewright.routing.workflows.candidates import Candidate
from tablewright.service.tool_services.calls import ToolCall
from tablewright.service.tool_services.recall import chosen_procedures, recalled
from tablewright.service.tool_services.schemas import (
    DescribedColumn,
    DescribedTable,
    dialect_of,
    facts_of,
)

router = APIRouter(tags=["genie tools"])


@router.post(f"{paths.TOOL}nl2sql", response_class=Response, responses=STREAMED)
async def nl2sql(parts: Parts, caller: Caller, speech: Speech, sent: QueryTask) -> Response:
    """Write statements that answer a question from tables which are described: they are not executed here."""
    given = sent.tables()
    notes = [sent.current_date_info, *(words for one in given for words in (one.use_prompt, one.business_prompt))]
    described = DescribedTables(
        tables=facts_of(map(_table, given), dialect_of(sent.db_type)), notes=tuple(note for note in notes if note)
    )

    async def finish(fold: ToolFold) -> Frame:
        return fold.last(fold.words, [])

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=ToolCall(
            session=sent.request_id, text=sent.query, agent="query_writer", opening=(tables_message(described),)
        ),
        language=speech,
        fold=lambda run: QueryFold(request_id=sent.request_id, run=run),
        finish=finish,
        failed=lambda words: query_frame(sent.request_id, "data", problem=words),
    )
    if sent.stream:
        return service.streamed()
    fold, _ = await service.whole()
    return JSONResponse(next(frame for frame in fold.before_last() if frame["status"] == "data"))


@router.post(f"{paths.TOOL}cal_engine", responses=tool_faults(400, 409, 413, 502, 503, 504, 507))
async def cal_engine(parts: Parts, caller: Caller, speech: Speech, sent: FormulaTask) -> Formula:
    """Write the formula, over the columns of rows that were read, which answers a question."""
    file = await parts.tool_services().rows(caller, sent.request_id, sent.data)

    async def finish(fold: ToolFold) -> Frame:
        return fold.last(fold.words, [])

    service = Service(
        calls=parts.tool_services().calls,
        scope=caller,
        call=ToolCall(session=sent.request_id, text=sent.query, agent="formula_writer", file_ids=(file.id,)),
        language=speech,
        fold=lambda run: FormulaFold(request_id=sent.request_id, run=run, query=sent.query),
        finish=finish,
        failed=lambda words: {"err_msg": words},
    )
    _, last = await service.whole()
    return Formula.model_validate(last)


@router.post(f"{paths.TOOL}table_rag", responses=tool_faults(400))
async def table_rag(caller: Caller, sent: RecallTask) -> Recalled:  # noqa: ARG001
    """Return the tables and columns that a question speaks of, as they were described."""
    given = {table.model_code: table for table in sent.tables()}
    always = frozenset(one.column_id for table in given.values() for one in table.schema_list if one.default_recall)
    found = recalled(sent.query, [_table(one) for one in given.values()], always)
    return Recalled(data=[_narrowed(given[one.code], one) for one in found], request_id=sent.request_id)


@router.post(f"{paths.TOOL}sopRecall", responses=tool_faults(400))
async def sop_recall(parts: Parts, caller: Caller, sent: ProcedureTask) -> ProcedureReply:
    """Choose the procedure that a request is to be carried out by, as workflows are chosen."""
    listed = {str(place): one for place, one in enumerate(sent.sop_list or ())}
    candidates = [
        Candidate(
            id=key, name=one.name, description=one.description or "", utterances=tuple(filter(None, [said_of(one)]))
        )
        for key, one in listed.items()
    ]
    chosen = await chosen_procedures(parts.tool_services().router, caller, sent.query, candidates)
    words = procedures_text(chosen.mode, [listed[key] for key in chosen.ids], language_of(sent.query))
    return ProcedureReply(
        data=ChosenProcedure(sop_mode=chosen.mode, choosed_sop_string=words), request_id=sent.request_id
    )


def _table(given: TableGiven) -> DescribedTable:
    columns = (
        DescribedColumn(
            id=one.column_id,
            name=one.column_name or "",
            type=one.data_type or "",
            samples=one.few_shot or "",
            synonyms=";".join(filter(None, (one.synonyms, one.column_comment))),
        )
        for one in given.schema_list
    )
    return DescribedTable(code=given.model_code, name=given.model_name or "", columns=tuple(columns))


def _narrowed(given: TableGiven, found: DescribedTable) -> dict[str, Any]:
    kept = {column.id for column in found.columns}
    columns = [one for one in given.schema_list if one.column_id in kept]
    told = given.model_copy(update={"schema_list": columns})
    return told.model_dump(by_alias=True, exclude_unset=True) | {
        "schemaList": [one.model_dump(by_alias=True, exclude_unset=True) for one in columns]
    }
