"""A file that a client gave for a time is gone when that has passed, and no other is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.service_bench import bench
from tests.unit.service.scripts import answering

from tablewright.domain.ids import ManualClock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.service.files.terms import FileTerms, TermsOfFiles

SYSTEM = SystemScope(instance_id="i-1")
OWN, OTHER = Scope(owner="ann"), Scope(tenant="globex", owner="eve")


async def content() -> AsyncIterator[bytes]:
    yield b"line"


@pytest.mark.requirement("openai-files")
async def test_a_file_is_gone_when_its_time_has_passed_and_removed_with_the_next_collection(tmp_path: Path) -> None:
    clock = ManualClock()
    service = bench(tmp_path, answering, clock=clock)
    terms = TermsOfFiles(service.store, service.files, clock)
    hour, day, ever = [await service.files.upload(OWN, name=f"{n}.csv", content=content()) for n in "abc"]
    foreign = await service.files.upload(OTHER, name="a.csv", content=content())
    await terms.keep(OWN, hour.id, purpose="user_data", lasts=timedelta(hours=1))
    await terms.keep(OWN, day.id, purpose="user_data", lasts=timedelta(days=1))
    await terms.keep(OWN, ever.id, purpose="batch", lasts=None)
    await terms.keep(OTHER, foreign.id, purpose="user_data", lasts=timedelta(hours=1))
    assert await terms.remove_due(SYSTEM) == 0
    await clock.advance(3601)
    with pytest.raises(NotFound):
        await terms.get(OWN, hour.id)
    assert await terms.remove_due(SYSTEM) == 2
    assert await terms.remove_due(SYSTEM) == 0
    for scope, file in ((OWN, hour), (OTHER, foreign)):
        with pytest.raises(NotFound):
            await service.files.get(scope, file.id)
    assert (await terms.get(OWN, day.id))[0].id == day.id
    assert await terms.of(OWN, ever.id) == FileTerms(purpose="batch")
    await terms.delete(OWN, ever.id)
    assert await terms.of(OWN, ever.id) == FileTerms()
