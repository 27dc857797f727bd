"""Commands that only look at what is kept."""

from __future__ import annotations

import os
from pathlib import Path

from tablewright.cli.clients.local import open_local
from tablewright.settings.tree import Settings


def children() -> set[str]:
    """Return the ids of this process's children."""
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {pid for listed in tasks for pid in listed.read_text().split()}


async def test_what_is_kept_is_looked_at_without_starting_a_process(tmp_path: Path) -> None:
    (table := tmp_path / "sales.csv").write_text("city,amount\nBeijing,1\n", encoding="utf-8")
    settings, before = Settings(data_dir=tmp_path / "data"), children()
    async with open_local(settings, ahead=False) as service:
        assert await service.files() == ()
        assert children() == before
        conversation = await service.start_conversation("", "en")
        kept = await service.upload(table, conversation.id)
        assert await service.files() == (kept,)
        assert children() > before
    assert children() == before
