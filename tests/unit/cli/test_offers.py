"""Offered readings at the command line: shown with numbers, chosen, answered later."""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.offers import OPTIONS, QUESTION, ROWS, regions_sandbox, unsure_analyst
from tests.support.parts import FakeParts

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.cli.ask_command import AskCommand
from tablewright.cli.clients.base import Client
from tablewright.cli.clients.in_process import InProcessClient
from tablewright.cli.evaluate import CaseRunner
from tablewright.cli.exits import Exit
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.service.evaluation import EvaluationCase, result_object


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Client]:
    parts = FakeParts(
        folder=folder,
        script=CodeAnalyst().run,
        running=await regions_sandbox(),
        models=Models({BUILTIN: unsure_analyst()}),
    )
    async with parts.opening() as app:
        yield InProcessClient(app)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.csv"
    path.write_text("line\nEast\nWest\n", encoding="utf-8")
    return path


async def command(client: Client, sources: Sequence[str], question: str, **given: object) -> int:
    """Run `ask` on a client that stays open."""
    defaults = {"json": False, "yes": False, "conversation": None, "model": None, "out": None, "language": "en"}
    return await AskCommand(argparse.Namespace(**{**defaults, **given}), list(sources), question, 0.0).run(client)


async def test_a_question_that_waits_is_answered_by_the_next_command(
    orders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(tmp_path / "data") as client:
        conversation = await client.start_conversation("", "en")
        own = conversation.id
        assert await client.questions.waiting(own) is None
        assert await command(client, [str(orders)], QUESTION, conversation=own) == Exit.DECLINED
        shown = capsys.readouterr().out
        assert all(f"{number}. {option}" in shown for number, option in enumerate(OPTIONS, 1))
        assert f"tablewright ask --conversation {own}" in shown
        asked = await client.questions.waiting(own)
        assert asked is not None
        assert asked.options == OPTIONS
        assert await command(client, [], "2", conversation=own, json=True) == Exit.DONE
        assert json.loads(capsys.readouterr().out)["result"]["rows"] == [[ROWS["West"]]]
        assert await client.questions.waiting(own) is None


async def test_the_json_of_a_run_that_waits_has_the_readings(
    orders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(tmp_path / "data") as client:
        assert await command(client, [str(orders)], QUESTION, json=True) == Exit.DECLINED
    line = json.loads(capsys.readouterr().out)
    assert line["declined"]
    assert [reading["text"] for reading in line["readings"]] == ["orders in East", "orders in West"]
    assert [reading["result"]["rows"] for reading in line["readings"]] == [[[1204]], [[1187]]]
    assert OPTIONS[1] in line["answer"]


async def test_an_evaluation_does_not_wait_and_tells_the_readings(orders: Path, tmp_path: Path) -> None:
    case = EvaluationCase(id="c", language="en", prompt=QUESTION, files=(orders,), folder=tmp_path / "files")
    async with opened(tmp_path / "data") as client:
        line = result_object("c", await CaseRunner(client).ask(case), seconds=0.0)
    assert line["declined"]
    assert line["readings"][1] == {
        "text": "orders in West", "result": {"columns": ["orders"], "rows": [[1187]]}, "charts": []
    }  # fmt: skip
