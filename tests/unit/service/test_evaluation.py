from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tablewright.domain.answer import Answer
from tablewright.domain.chart import Chart
from tablewright.domain.ids import ManualClock
from tablewright.domain.table import Table
from tablewright.errors import FileEmpty, InvalidInput, NotFound
from tablewright.service.evaluation import Advance, CaseAnswer, EvaluationCase, evaluate, read_suite, result_object
from tablewright.texts.errors import describe


def suite(folder: Path, count: int = 4) -> Path:
    lines = [
        {"id": f"c{number}", "lang": "en", "files": ["files/t.csv"], "prompt": f"Q{number}?", "check": {"secret": 1}}
        for number in range(count)
    ]
    folder.mkdir(exist_ok=True)
    (folder / "suite.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return folder


def results(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


async def echo(case: EvaluationCase) -> CaseAnswer:
    return CaseAnswer(outcome="completed", answer=Answer(text=case.prompt, outcome="completed"))


async def test_every_case_is_asked_and_written(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    advances: list[Advance] = []
    end = await evaluate(suite(tmp_path / "s"), out, echo, progress=advances.append)
    assert (end.done, end.total) == (4, 4)
    assert sorted((line["id"], line["answer"]) for line in results(out)) == [(f"c{n}", f"Q{n}?") for n in range(4)]
    assert [advance.done for advance in advances] == [0, 1, 2, 3, 4]


async def test_cases_that_are_answered_are_not_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await evaluate(suite(tmp_path / "s"), out, echo, limit=2)
    asked: list[str] = []

    async def ask(case: EvaluationCase) -> CaseAnswer:
        asked.append(case.id)
        return await echo(case)

    await evaluate(tmp_path / "s", out, ask)
    assert asked == ["c2", "c3"]
    assert len(results(out)) == 4


async def test_a_torn_last_line_is_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "c0", "answer": "old"}\n{"id": "c1", "ans', encoding="utf-8")
    await evaluate(suite(tmp_path / "s"), out, echo)
    assert [(line["id"], line["answer"]) for line in results(out)] == [
        ("c0", "old"),
        ("c1", "Q1?"),
        ("c2", "Q2?"),
        ("c3", "Q3?"),
    ]


async def test_only_so_many_are_asked_at_a_time(tmp_path: Path) -> None:
    running = most = 0
    both = asyncio.Event()

    async def ask(case: EvaluationCase) -> CaseAnswer:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 2:
            both.set()
        await both.wait()
        running -= 1
        return await echo(case)

    await evaluate(suite(tmp_path / "s"), tmp_path / "out.jsonl", ask, concurrency=2)
    assert most == 2


async def test_the_time_of_each_is_measured(tmp_path: Path) -> None:
    clock = ManualClock()

    async def ask(case: EvaluationCase) -> CaseAnswer:
        await clock.advance(1.5)
        return await echo(case)

    out = tmp_path / "out.jsonl"
    await evaluate(suite(tmp_path / "s", 1), out, ask, clock=clock)
    assert results(out)[0]["seconds"] == 1.5


async def test_an_error_is_that_cases_outcome_in_its_language(tmp_path: Path) -> None:
    async def ask(case: EvaluationCase) -> CaseAnswer:
        raise FileEmpty(name="t.csv")

    out = tmp_path / "out.jsonl"
    await evaluate(suite(tmp_path / "s", 1), out, ask)
    (line,) = results(out)
    assert line["answer"].startswith("“t.csv” holds no table.")
    assert (line["declined"], line["result"]) == (True, None)


async def test_a_bug_ends_the_evaluation(tmp_path: Path) -> None:
    async def ask(case: EvaluationCase) -> CaseAnswer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await evaluate(suite(tmp_path / "s"), tmp_path / "out.jsonl", ask)


async def test_stopping_keeps_what_was_written_and_stops_what_was_asked(tmp_path: Path) -> None:
    waiting, stopped = asyncio.Event(), asyncio.Event()

    async def ask(case: EvaluationCase) -> CaseAnswer:
        if case.id == "c0":
            return await echo(case)
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    out = tmp_path / "out.jsonl"
    work = asyncio.create_task(evaluate(suite(tmp_path / "s"), out, ask, concurrency=1))
    await waiting.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert stopped.is_set()
    assert [line["id"] for line in results(out)] == ["c0"]


def test_a_case_tells_only_what_is_asked(tmp_path: Path) -> None:
    (case,) = read_suite(suite(tmp_path / "s", 1), tmp_path / "out.jsonl")
    assert case == EvaluationCase(
        id="c0",
        language="en",
        prompt="Q0?",
        files=(tmp_path / "s" / "files" / "t.csv",),
        folder=tmp_path / "out.files" / "c0",
    )


def test_an_id_cannot_lead_out_of_the_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text('{"id": "../../x", "prompt": "问？"}', encoding="utf-8")
    (case,) = read_suite(tmp_path, tmp_path / "out.jsonl")
    assert case.folder == tmp_path / "out.files" / "_.._x"
    assert case.language == "zh"


def test_a_missing_suite_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_suite(tmp_path, tmp_path / "out.jsonl")


@pytest.mark.parametrize(
    "line",
    ['{"id": "a"}', '{"id":', "[1]", '{"id": "a", "prompt": "?", "check": "rows"}', '{"prompt": "?", "files": 1}'],
)
def test_a_line_that_is_no_case_is_told_by_its_number_and_what_it_should_be(line: str, tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text(f'{{"id": "1", "prompt": "?"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as raised:
        read_suite(tmp_path, tmp_path / "out.jsonl")
    assert "suite.jsonl, line 2: a case is one JSON object" in describe(raised.value, "en")
    assert "suite.jsonl 第 2 行" in describe(raised.value, "zh")


def test_a_result_line_has_exactly_what_was_asked() -> None:
    answer = Answer(
        text="It is 7.",
        outcome="completed",
        result=Table(columns=("n",), rows=((7,), (None,)), total_rows=2),
        charts=(Chart(kind="bar", x=("a",), y=(1,), series=("s",)), Chart(kind="pie", x=("b",), y=(2,))),
    )
    answered = CaseAnswer(outcome="completed", answer=answer, files=(Path("/tmp/x.xlsx"),))
    assert result_object("c", answered, seconds=1.23456) == {
        "id": "c",
        "answer": "It is 7.",
        "result": {"columns": ["n"], "rows": [[7], [None]]},
        "charts": [
            {"type": "bar", "x": ["a"], "y": [1], "series": ["s"]},
            {"type": "pie", "x": ["b"], "y": [2], "series": None},
        ],
        "files": ["/tmp/x.xlsx"],
        "declined": False,
        "seconds": 1.235,
    }


def test_a_refusal_is_declined() -> None:
    answered = CaseAnswer(outcome="declined", answer=Answer(text="I cannot.", outcome="declined"))
    line = result_object("c", answered, seconds=0)
    assert (line["declined"], line["answer"], line["result"], line["charts"]) == (True, "I cannot.", None, [])


@pytest.mark.parametrize(
    ("said", "mode"),
    [({}, "auto"), ({"check": {"kind": "rows"}}, "auto"), ({"check": {"kind": "workbook"}}, "edit"),
        ({"mode": "edit"}, "edit")],
)  # fmt: skip
def test_a_case_that_is_checked_as_a_workbook_is_a_change_of_it(
    said: dict[str, Any], mode: str, tmp_path: Path
) -> None:
    line = json.dumps({"id": "a", "prompt": "Q?", **said})
    (tmp_path / "suite.jsonl").write_text(line, encoding="utf-8")
    assert [case.mode for case in read_suite(tmp_path, tmp_path / "out.jsonl")] == [mode]
