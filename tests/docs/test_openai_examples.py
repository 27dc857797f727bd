"""docs/reference/openai.md: its programs run against a service."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.docs.examples import FENCE, ROOT
from tests.support.commands import Commands
from tests.support.patience import PATIENCE_S

from tablewright.samples import sample_files

PAGE = ROOT / "docs" / "reference" / "openai.md"
PROGRAMS = [match["body"] for match in FENCE.finditer(PAGE.read_text("utf-8")) if match["info"] == "python openai"]


@pytest.mark.requirement("openai-sdk")
async def test_the_programs_of_the_page_run(tmp_path: Path) -> None:
    for sample in sample_files():
        shutil.copy(sample, tmp_path)
    async with Commands(folder=tmp_path).serving() as (url, _):
        told = [await program(body, tmp_path, f"{url}/v1") for body in PROGRAMS]
    assert len(told) == 2
    assert re.search(r"\| Furniture \| 1222006\.63 \|[\s\S]*\| Furniture \| 699\.0[89]", told[0]), told[0]


async def program(body: str, folder: Path, base: str) -> str:
    """Run a program in a folder with the samples and return what it prints."""
    environ = {**os.environ, "OPENAI_BASE_URL": base, "OPENAI_API_KEY": "local"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", body, cwd=folder, env=environ, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()
