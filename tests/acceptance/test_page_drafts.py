"""What a person has typed in the page is not lost by a reload."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Route, expect
from tests.acceptance.test_page import CHROMIUM, PATIENCE_MS, browsing
from tests.support.commands import Commands

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk"),
    pytest.mark.timeout(240),
]
QUESTION = "What is the total amount by city?"


async def test_a_question_that_waits_for_a_file_is_there_again_after_a_reload_and_can_be_asked(
    commands: Commands, sales: Path
) -> None:
    arriving = asyncio.Event()

    async def held(route: Route) -> None:
        arriving.set()
        await asyncio.Event().wait()

    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await page.route("**/api/v1/files?conversation_id=*&tables=*", held)
        await page.set_input_files("#file", sales)
        async with asyncio.timeout(PATIENCE_MS / 1000):
            await arriving.wait()
        await page.fill("#question", QUESTION)
        await page.press("#question", "Enter")
        await page.reload()  # which gives the upload up
        await page.unroute_all(behavior="ignoreErrors")
        await expect(page.locator("#question")).to_have_value(QUESTION, timeout=PATIENCE_MS)
        await page.set_input_files("#file", sales)
        await page.locator("#chips li").wait_for()
        await page.press("#question", "Enter")
        await page.locator("article[data-outcome]").wait_for()
        await expect(page.locator("article h3")).to_have_text(QUESTION)
        await page.reload()
        await page.locator("article[data-outcome]").wait_for()
        await expect(page.locator("#question")).to_have_value("")
