"""The built-in analyst answers questions about the sample files as hand-written pandas does
(`tests/suites/samples`)."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands import Commands
from tests.support.patience import PATIENCE_S

from tablewright.domain.language import Language
from tablewright.samples import sample_files
from tablewright.texts.catalogue import text

SUITE = Path(__file__).resolve().parents[1] / "suites" / "samples" / "suite.jsonl"
LEAST_ANSWERED, LEAST_RIGHT = 34, 57
"""Of 60: so many are answered right at once, and so many with those of which a right reading is offered."""
MOST_WRONG = 1
"""So many answers may be wrong."""

Result = Mapping[str, Any]


def plain(cell: object, decimals: int) -> tuple[str, object]:
    """Return a cell in the form in which it is compared."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return ("number", round(float(cell), decimals))
    return ("text", str(cell).strip().lower())


def same_rows(wanted: Sequence[Sequence[object]], result: Result, decimals: int) -> bool:
    """Tell whether the result has the wanted rows, in any order, with their cells in any order."""
    table = result["result"] or {"rows": []}
    forms = [
        Counter(tuple(sorted((plain(cell, decimals) for cell in row), key=str)) for row in rows)
        for rows in (wanted, table["rows"])
    ]
    return forms[0] == forms[1]


def same_chart(check: Mapping[str, Any], result: Result) -> bool:
    """Tell whether a chart of the wanted kind with the wanted points was drawn."""
    wanted = Counter((plain(x, 4), plain(y, 4)) for x, y in zip(check["x"], check["y"], strict=True))
    return any(
        chart["type"] == check["type"]
        and Counter((plain(x, 4), plain(y, 4)) for x, y in zip(chart["x"], chart["y"], strict=True)) == wanted
        for chart in result["charts"]
    )


def right(check: Mapping[str, Any], result: Result) -> bool:
    """Tell whether a result is what its check wants."""
    match check["kind"]:
        case "declined":
            return bool(result["declined"])
        case "chart":
            return same_chart(check, result)
        case _:
            return same_rows(check["rows"], result, check["decimals"])


def offered(check: Mapping[str, Any], result: Result) -> bool:
    """Tell whether one of the readings that are offered is what its check wants."""
    readings = result.get("readings", ())
    return check["kind"] != "declined" and any(right(check, {**reading, "declined": False}) for reading in readings)


@pytest.mark.long
async def test_questions_about_the_samples_are_answered_offered_or_declined(commands: Commands) -> None:
    folder = commands.folder / "suite"
    folder.mkdir()
    for path in (*sample_files(), SUITE):
        shutil.copy(path, folder)
    said = await commands.run("eval", str(folder), "--out", str(folder / "results.jsonl"), timeout_s=2 * PATIENCE_S)
    assert said.code == 0, said.err
    cases = [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()]
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    results: dict[str, Result] = {result["id"]: result for result in map(json.loads, lines)}
    missed = [case for case in cases if not right(case["check"], results[case["id"]])]
    lost = [case for case in missed if not offered(case["check"], results[case["id"]])]
    told = [(case["prompt"], results[case["id"]]["answer"]) for case in lost]
    unanswerable = [case for case in missed if case["check"]["kind"] == "declined"]
    assert not [case["prompt"] for case in unanswerable if not results[case["id"]].get("readings")]
    assert len(cases) - len(missed) >= LEAST_ANSWERED, [case["prompt"] for case in missed]
    assert len(cases) - len(lost) >= LEAST_RIGHT, told
    assert sum(not results[case["id"]]["declined"] for case in lost) <= MOST_WRONG, told


@pytest.mark.parametrize(("language", "name"), [("en", "orders.csv"), ("zh", "门店销售.xlsx")])
async def test_every_example_question_is_answered(commands: Commands, language: Language, name: str) -> None:
    path = next(path for path in sample_files() if path.name == name)
    folder = commands.folder / "examples"
    folder.mkdir()
    shutil.copy(path, folder)
    prompts = [text(f"sample_question_{number}", language) for number in (1, 2, 3)]
    cases = [
        {"id": str(number), "lang": language, "files": [name], "prompt": prompt}
        for number, prompt in enumerate(prompts)
    ]
    (folder / "suite.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    said = await commands.run("eval", str(folder), "--out", str(folder / "results.jsonl"))
    assert said.code == 0, said.err
    results = sorted(map(json.loads, (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()), key=str)
    assert not [result["answer"] for result in results if result["declined"]]
    charts = {result["id"]: [chart["type"] for chart in result["charts"]] for result in results}
    assert charts == {"0": ["bar"], "1": [], "2": ["line"]}
