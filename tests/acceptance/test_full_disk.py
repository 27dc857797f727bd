"""A disk that is full can be cleared through the service itself."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.patience import PATIENCE_S

DISK_BYTES = 32 * 1024**2
FILE_BYTES = 5 * 1024**2
SMALL_BYTES = 256 * 1024


@pytest.fixture
async def small_disk(commands: Commands) -> AsyncIterator[Path]:
    """Mount a small file system as the data folder of `commands`."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    folder = commands.folder / "data"
    folder.mkdir()
    mounted = await asyncio.create_subprocess_exec(
        "mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)
    )
    if await mounted.wait() != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    await (await asyncio.create_subprocess_exec("umount", "-l", str(folder))).wait()


def table(seed: int, size: int) -> bytes:
    """Return a CSV of about `size` bytes that no other seed gives."""
    notes = random.Random(seed)
    rows = (f"{notes.randrange(100)},{notes.randbytes(1000).hex()}\n" for _ in range(size // 2000))
    return ("amount,note\n" + "".join(rows)).encode()


async def fill(http: httpx2.AsyncClient, conversation: str, size: int, first: int) -> list[str]:
    """Upload tables until there is no room for another one; return the ids of those that were taken."""
    taken: list[str] = []
    while True:
        content = table(first + len(taken), size)
        sent = await http.post(
            "/api/v1/files", params={"conversation_id": conversation}, files={"file": ("sales.csv", content)}
        )
        if sent.status_code != 201:
            assert sent.status_code == 507, sent.text
            assert sent.json()["error"]["code"] == "storage_full"
            return taken
        taken.append(sent.json()["id"])


async def begun(http: httpx2.AsyncClient) -> str:
    made = await http.post("/api/v1/conversations", json={})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def outcome(http: httpx2.AsyncClient, conversation: str, question: str) -> str:
    asked = await http.post(f"/api/v1/conversations/{conversation}/messages", json={"text": question})
    assert asked.status_code == 202, asked.text
    run_id = asked.json()["run_id"]
    await http.get(f"/api/v1/runs/{run_id}/events")
    return str((await http.get(f"/api/v1/runs/{run_id}")).json()["outcome"])


def stuff(folder: Path) -> Path:
    """Take every byte that is left, as other programs on the same disk do."""
    path = folder / "others"
    with path.open("wb", buffering=0) as file:
        for size in (1024**2, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return path


@pytest.mark.requirement("full-disk-can-be-cleared")
async def test_files_and_conversations_are_deleted_on_a_full_disk_and_their_space_comes_back(
    commands: Commands, small_disk: Path
) -> None:
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        full, kept = await begun(http), await begun(http)
        assert await outcome(http, full, "hello") == "completed"
        large = await fill(http, full, FILE_BYTES, 0)
        await fill(http, full, SMALL_BYTES, 1000)
        await asyncio.to_thread(stuff, small_disk)
        ready = await http.get("/health/ready")
        disk = ready.json()["disk"]
        assert (ready.status_code, disk["ok"], disk["detail"]) == (503, False, "storage_full")
        assert disk["free_bytes"] < disk["total_bytes"] == DISK_BYTES
        assert (await http.delete(f"/api/v1/conversations/{full}")).status_code == 204
        for file in large:
            assert (await http.delete(f"/api/v1/files/{file}")).status_code == 204
        ready = await http.get("/health/ready")
        assert (ready.status_code, ready.json()["disk"]["ok"]) == (200, True), ready.text
        assert ready.json()["disk"]["free_bytes"] > 2 * FILE_BYTES
        sent = await http.post(
            "/api/v1/files", params={"conversation_id": kept}, files={"file": ("new.csv", table(7777, SMALL_BYTES))}
        )
        assert sent.status_code == 201, sent.text
        assert await outcome(http, kept, "What is the total amount?") == "completed"


async def test_a_service_that_starts_on_a_full_disk_can_be_cleared_too(commands: Commands, small_disk: Path) -> None:
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        full = await begun(http)
        files = await fill(http, full, FILE_BYTES, 0)
    await asyncio.to_thread(stuff, small_disk)
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        assert (await http.get("/health/ready")).status_code == 503
        for file in files:
            assert (await http.delete(f"/api/v1/files/{file}")).status_code == 204
        assert (await http.get("/health/ready")).status_code == 200
