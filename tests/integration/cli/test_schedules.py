"""Schedules as commands make and change them, here and over the API."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablewright.cli import schedules
from tablewright.cli.clients.local import open_local
from tablewright.cli.clients.schedules import ScheduleChange, ScheduleWish, read_schedule
from tablewright.cli.exits import WrongUse
from tablewright.cli.schedules import shown_schedule
from tablewright.settings.tree import Settings


def arguments(*words: str, **options: object) -> argparse.Namespace:
    """Return what the parser would make of a command."""
    unset = dict.fromkeys(("when", "zone", "name", "model", "webhook"))
    return argparse.Namespace(**unset | {"words": list(words), "newest": [], "yes": False, "language": "en"} | options)


async def test_a_schedule_changes_where_its_options_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_local(Settings(data_dir=tmp_path), ahead=False) as service:
        wish = ScheduleWish(workflow="monthly_report", when="every monday 08:00", time_zone="UTC", language="en")
        made = await service.schedules.add(wish)

        @asynccontextmanager
        async def same(*_: object, **__: object) -> AsyncIterator[object]:
            yield service

        monkeypatch.setattr(schedules, "client", same)
        await schedules.schedule(arguments("change", made.id, when="every day 07:00", zone="Asia/Shanghai"), {})
        assert "every day 07:00 (Asia/Shanghai)" in capsys.readouterr().out
        await schedules.schedule(arguments("change", made.id, newest=["sales-*.csv"], name="Sales"), {})
        (line,) = await service.schedules.list()
        assert (line.name, line.when, line.time_zone) == ("Sales", "every day 07:00", "Asia/Shanghai")
        with pytest.raises(WrongUse):
            await schedules.schedule(arguments("change", made.id), {})


@pytest.mark.parametrize("names", [(), ("when",), ("when", "files")])
def test_only_what_is_given_is_sent(names: Sequence[str]) -> None:
    whole = {"when": "every day 07:00", "files": ()}
    change = ScheduleChange(**{name: whole[name] for name in names})  # type: ignore[arg-type]
    assert change.given().keys() == set(names)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [("completed", "last 2026-03-02 08:00 UTC: completed (run f-1)"), (None, "going on (run f-1)")],
)
def test_a_line_tells_what_became_of_the_last_time_also_from_another_service(outcome: str | None, words: str) -> None:
    times = {"due_at": "2026-03-02T08:00:00Z", "outcome": outcome, "id": "f-1"}
    item = {"id": "s-1", "name": "Report", "when": "every day 08:00", "time_zone": "UTC", "paused": False}
    line = read_schedule(item | {"next_times": [], "firings": [times]})
    assert words in shown_schedule(line, "en")
    assert "last" not in shown_schedule(read_schedule(item | {"next_times": [], "firings": []}), "en")
