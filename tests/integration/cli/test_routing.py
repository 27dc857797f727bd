"""Who answers where no workflow fits, the toggle, and corrections: as commands, here and over the API."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.workflow_face import Face, face_of, workflow_parts

from tablewright.cli import routing
from tablewright.cli.clients.local import open_local
from tablewright.cli.clients.routing import RemoteRouting
from tablewright.cli.exits import WrongUse
from tablewright.settings.tree import Settings


def arguments(*words: str) -> argparse.Namespace:
    return argparse.Namespace(words=list(words), language="en")


class Remote:
    """A client of the face, of whom only the routing is used."""

    def __init__(self, face: Face, who: str) -> None:
        async def request(method: str, path: str, **given: Any) -> Any:
            status = {"POST": 201, "DELETE": 204}.get(method, 200)
            return await face.call(who, method, path, status, **given)

        self.routing = RemoteRouting(request)


@pytest.fixture(params=["here", "remote"])
async def service(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    if request.param == "here":
        async with open_local(Settings(data_dir=tmp_path), ahead=False) as client:
            yield client
        return
    async with face_of(workflow_parts(tmp_path)) as face:
        yield Remote(face, "boss")


@pytest.fixture(autouse=True)
def _connected(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def same(*_: object, **__: object) -> AsyncIterator[object]:
        yield service

    monkeypatch.setattr(routing, "client", same)


async def test_the_fallback_the_defaults_and_the_toggle_are_chosen_and_left_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await routing.settings(arguments("fallback", "order_query"))
    assert "where none fits: order_query" in capsys.readouterr().out
    await routing.settings(arguments("system.default", "none"))
    await routing.settings(arguments("tenant.enabled", "off"))
    await routing.settings(arguments("fallback", "-"))
    told = capsys.readouterr().out.splitlines()[-7:]
    assert told == [
        "fallback\t-",
        "enabled\t-",
        "tenant.default\t-",
        "tenant.enabled\toff",
        "system.default\tnone",
        "system.enabled\t-",
        "Messages to workflows: off; where none fits: nobody",
    ]
    for wrong in (("fallback",), ("colour", "blue"), ("enabled", "perhaps")):
        with pytest.raises(WrongUse):
            await routing.settings(arguments(*wrong))


async def test_a_wrong_choice_is_corrected_listed_and_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    await routing.correct(arguments("check the stock", "order_query", "monthly_report"))
    await routing.correct(arguments("hello there", "order_query"))
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("check the stock\torder_query → monthly_report")
    assert second.endswith("hello there\torder_query → none")
    await routing.corrections(arguments(first.split("\t")[0]))
    await routing.corrections(arguments())
    assert capsys.readouterr().out.splitlines() == [second]
    with pytest.raises(WrongUse):
        await routing.correct(arguments("only this"))
