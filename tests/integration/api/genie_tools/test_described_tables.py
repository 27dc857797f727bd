"""Services for programs that read their databases themselves, called as their wire says."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.genie_backend import called, posted
from tests.support.genie_client import PATH as PAGE
from tests.support.genie_client import Serving
from tests.support.parts import CsvTables, FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.query_writer import QueryWriter
from tablewright.analyst.model import BuiltinAnalyst
from tablewright.analyst.sql.statements import statements
from tablewright.data.base import DatasetProfile, FileProfile, OpenLimits
from tablewright.data.sql.formula import formula_of
from tablewright.data.sql.reading import reading_statement
from tablewright.domain.answer import Answer
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.events import AnswerCompleted
from tablewright.domain.table import Table
from tablewright.errors import FileEmpty
from tablewright.models.base import BUILTIN, Model, ThinkingPiece
from tablewright.models.catalogue import Models
from tablewright.models.scripted import Reply, ScriptedModel

COLUMNS: list[dict[str, Any]] = [
    {"modelCode": "m1", "columnId": "region", "columnName": "地区", "dataType": "VARCHAR", "fewShot": "华东,华南"},
    {"modelCode": "m1", "columnId": "amt", "columnName": "销售额", "dataType": "DECIMAL", "synonyms": "营收"},
    {"modelCode": "m1", "columnId": "day", "columnName": "日期", "dataType": "DATE", "defaultRecall": 1},
]
SALES = {"modelCode": "m1", "modelName": "销售明细", "usePrompt": "", "businessPrompt": "", "schemaList": COLUMNS}
STAFF = {
    "modelCode": "m2",
    "modelName": "员工",
    "schemaList": [{"columnId": "who", "columnName": "姓名"}, {"columnId": "pay", "columnName": "工资"}],
}
ASKED = {
    "requestId": "r-1",
    "query": "各地区的销售额合计",
    "currentDateInfo": "2026-11-26",
    "modelCodeList": ["m1"],
    "schemaInfo": [SALES, STAFF],
    "stream": True,
    "dbType": "mysql",
}
FIELDS = ["code", "data", "request_id", "status", "nl2sql_think", "err_msg"]
PROCEDURES = [
    {
        "sop_id": "1",
        "sop_name": "月度销售报告",
        "description": "按月汇总销售额并写成报告",
        "sop_string": "月度销售报告 汇总每月销售额",
        "sop_json_string": json.dumps(
            {
                "sop_steps": [
                    {"title": "1.趋势", "steps": ["按月统计销售额", "找出异常月份"]},
                    {"title": "报告", "steps": ["汇总"]},
                ]
            }
        ),
    },
    {"sop_id": 2, "sop_name": "员工入职办理", "description": "新员工入职手续", "sop_string": "入职 合同 账号"},
]


class JsonTables(CsvTables):
    """Reads a list of objects whose values are numbers or words."""

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        return self._profile(json.loads(await asyncio.to_thread(path.read_bytes)), name)

    @staticmethod
    def _profile(rows: list[dict[str, Any]], name: str) -> FileProfile:
        if not rows:
            raise FileEmpty(name=name)
        numbers = {key: all(isinstance(row.get(key, 0), int | float) for row in rows) for row in rows for key in row}
        facts = DatasetFacts(
            id="t1",
            name="data",
            file_name=name,
            path=f"/data/shared/{name}",
            read=ReadOptions(kind="json"),
            rows=len(rows),
            columns=tuple(
                ColumnFacts(name=key, kind="number" if is_one else "text") for key, is_one in numbers.items()
            ),
            sample=Table(columns=(), rows=(), total_rows=len(rows)),
            profile_ref="",
        )
        return FileProfile(kind="json", datasets=(DatasetProfile(facts=facts, values={}),))


class NoValues:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return None


def writing(folder: Path, model: Model | None = None) -> FakeParts:
    """Return parts whose statements are written by a model, else by the built-in analyst."""
    writes = model or BuiltinAnalyst(NoValues(), write=statements)

    def played(written: Any) -> Any:
        def script(given: AgentInput, context: AgentContext) -> Any:
            return QueryWriter(written).run(given, context)

        return script

    return FakeParts(
        folder=folder,
        tables=JsonTables(),
        models=Models({BUILTIN: writes}),
        others={"query_writer": played(reading_statement), "formula_writer": played(formula_of)},
    )


def queries(*pairs: tuple[str, str]) -> str:
    return json.dumps({"queries": [{"query": query, "sql": sql} for query, sql in pairs]})


@pytest.mark.requirement("genie-tools")
async def test_statements_are_written_for_tables_that_only_the_caller_reads(serving: Serving, tmp_path: Path) -> None:
    frames = await called(await serving(writing(tmp_path)), "nl2sql", ASKED)
    assert [frame["status"] for frame in frames] == ["finished_stream", "data", "finished"]
    assert all(list(frame) == FIELDS and frame["code"] == 200 and frame["request_id"] == "r-1" for frame in frames)
    (one,) = frames[1]["data"]
    assert one["query"] == ASKED["query"]
    assert "FROM `m1`" in one["nl2sql"]
    assert "SUM(" in one["nl2sql"]
    assert "COLLATE" not in one["nl2sql"]
    plain = (await posted(await serving(writing(tmp_path)), "/tool/nl2sql", {**ASKED, "stream": False})).json()
    assert plain == frames[1]


@pytest.mark.requirement("genie-tools")
async def test_thoughts_are_told_whole_and_a_statement_that_writes_is_written_anew(
    serving: Serving, tmp_path: Path
) -> None:
    first, second = (
        queries(("all", "DELETE FROM m1")),
        queries(("all", "SELECT amt FROM m1;"), ("n", "SELECT COUNT(*) FROM m1")),
    )
    model = ScriptedModel(
        [Reply.of(ThinkingPiece(text="Look"), ThinkingPiece(text=" up."), first), second], name=BUILTIN
    )
    frames = await called(await serving(writing(tmp_path, model)), "nl2sql", {**ASKED, "schemaInfo": COLUMNS})
    thoughts = [frame["nl2sql_think"] for frame in frames if frame["status"] == "nl2sql_think"]
    assert thoughts[-1].startswith("Look up.")
    assert all(later.startswith(sooner) for sooner, later in itertools.pairwise(thoughts))
    assert [frame["status"] for frame in frames[-3:]] == ["finished_stream", "data", "finished"]
    assert frames[-2]["data"] == [
        {"query": "all", "nl2sql": "SELECT amt FROM m1"},
        {"query": "n", "nl2sql": "SELECT COUNT(*) FROM m1"},
    ]
    told = "".join(str(message) for message in model.requests[1].messages)
    assert "DELETE" in told
    assert "营收" in told


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize("answer", [queries(), queries(("x", "DROP TABLE m1")), "I cannot."])
async def test_a_question_without_a_statement_says_why(serving: Serving, tmp_path: Path, answer: str) -> None:
    model = ScriptedModel([answer, answer], name=BUILTIN)
    frames = await called(await serving(writing(tmp_path, model)), "nl2sql", ASKED)
    assert [frame["status"] for frame in frames] == ["finished_stream", "data", "finished"]
    assert (frames[1]["code"], frames[1]["data"]) == (500, [])
    assert frames[1]["err_msg"]


@pytest.mark.requirement("genie-tools")
async def test_a_formula_is_written_over_the_columns_of_rows(serving: Serving, tmp_path: Path) -> None:
    rows = [{"地区": "华东", "销售额": 3, "成本": 1.5}, {"地区": "华南", "销售额": 4}]
    body = {"request_id": "r-1", "query": "平均销售额是多少？", "data": rows}
    one = ScriptedModel(
        [queries(("a", 'SELECT r FROM (SELECT SUM("销售额") / SUM("成本") AS r FROM data)'))], name=BUILTIN
    )
    reply = (await posted(await serving(writing(tmp_path, one)), "/tool/cal_engine", body)).json()
    formula = '(SUM("销售额") / SUM("成本"))'
    assert reply == {"code": 200, "expression": formula, "request_id": "r-1", "query": body["query"]}
    assert "成本" in "".join(str(message) for message in one.requests[0].messages)
    empty = await posted(await serving(writing(tmp_path)), "/tool/cal_engine", {**body, "data": []})
    assert empty.status_code == 400
    several = ScriptedModel([queries(("a", "SELECT SUM(x) FROM data"), ("b", "SELECT AVG(x) FROM data"))], name=BUILTIN)
    unsure = (await posted(await serving(writing(tmp_path, several)), "/tool/cal_engine", body)).json()
    assert (unsure["code"], unsure["expression"]) == (500, "")
    assert "AVG(x)" in unsure["err_msg"]


@pytest.mark.requirement("genie-tools")
async def test_rows_are_for_their_call_alone(serving: Serving, tmp_path: Path) -> None:
    asked: list[tuple[str, ...]] = []

    async def looking(given: AgentInput, context: AgentContext) -> Items:
        asked.append(tuple(facts.file_name for facts in given.datasets))
        yield AnswerCompleted(answer=Answer(text="Looked.", outcome="completed"))

    url = await serving(replace(writing(tmp_path), script=looking))
    body = {"request_id": "r-1", "query": "How many?", "data": [{"a": 1}]}
    for data in ([{"a": 1}], [{"b": 2}]):
        await posted(url, "/tool/cal_engine", {**body, "data": data})
    async with httpx2.AsyncClient(base_url=url.removesuffix("/v1"), timeout=PATIENCE_S) as http:
        assert (await http.get("/data/allModels")).json()["data"] == []
        for path, question in ((PAGE, {"query": "How many?"}), ("/data/chatQuery", {"content": "How many in data?"})):
            await http.post(path, json=question)
    await posted(url, "/tool/code_interpreter", {"requestId": "r-1", "task": "Count.", "stream": False})
    assert asked == [(), (), ()]


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize(
    ("query", "codes", "columns"),
    [
        ("华东的营收是多少？", ["m1"], ["region", "amt", "day"]),
        ("工资最高的是谁？", ["m2"], ["pay"]),
        ("What is it?", ["m1", "m2"], ["region", "amt", "day"]),
    ],
)
async def test_the_tables_and_columns_that_a_question_names_are_found(
    serving: Serving, query: str, codes: list[str], columns: list[str]
) -> None:
    body = {**ASKED, "query": query, "modelCodeList": ["m1", "m2"], "useVector": False, "recallType": "only_recall"}
    reply = (await posted(await serving(), "/tool/table_rag", body)).json()
    assert (reply["code"], reply["requestId"]) == (200, "r-1")
    assert [one["modelCode"] for one in reply["data"]] == codes
    assert [column["columnId"] for column in reply["data"][0]["schemaList"]] == columns
    given: Mapping[str, Any] = SALES if codes[0] == "m1" else STAFF
    assert all(column in given["schemaList"] for column in reply["data"][0]["schemaList"])


@pytest.mark.requirement("genie-tools")
async def test_the_procedure_that_a_request_is_for_is_given_as_steps(serving: Serving) -> None:
    url = await serving()
    body = {"requestId": "r-1", "query": "帮我做一份月度销售报告", "sopList": PROCEDURES}
    reply = (await posted(url, "/tool/sopRecall", body)).json()
    assert (reply["code"], reply["requestId"], reply["data"]["sop_mode"]) == (200, "r-1", "HIGH_MODE")
    words = reply["data"]["choosed_sop_string"]
    assert [line for line in words.splitlines() if line.startswith("执行顺序")] == [
        "执行顺序1. 趋势：按月统计销售额", "执行顺序2. 趋势：找出异常月份", "执行顺序3. 报告：汇总",
    ]  # fmt: skip
    assert "入职" not in words
    for nothing in ({"query": "今天天气怎么样", "sopList": PROCEDURES}, {"query": "月度销售报告"}):
        none = (await posted(url, "/tool/sopRecall", {"requestId": "r-1", **nothing})).json()
        assert none["data"] == {"sop_mode": "NO_SOP_MODE", "choosed_sop_string": ""}


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize(
    ("tool", "body"),
    [
        ("nl2sql", {**ASKED, "dbType": "dbase"}),
        ("nl2sql", {**ASKED, "query": ""}),
        ("nl2sql", {**ASKED, "schemaInfo": [{"columnName": "x"}]}),
        ("cal_engine", {"request_id": "r", "query": "x", "data": [1]}),
        ("table_rag", {"query": "x"}),
        ("sopRecall", {"requestId": "r", "query": "x", "sopList": "all"}),
    ],
)
async def test_what_is_no_request_is_told_before_anything_begins(
    serving: Serving, tool: str, body: dict[str, Any]
) -> None:
    reply = await posted(await serving(), f"/tool/{tool}", body)
    assert reply.status_code == 400, reply.text
