"""Files and the questions that wait for them, in a real browser: what a person does early is not lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, Route, expect
from tests.support.browser import IN_BROWSER, asked, ended, given, opened
from tests.support.patience import PATIENCE_S

pytestmark = list(IN_BROWSER)
UPLOADS = "**/api/v1/files?*tables=*"
QUESTION = "What is the total amount by city?"


@asynccontextmanager
async def held(page: Page, address: str) -> AsyncIterator[asyncio.Event]:
    """Hold what the page sends to an address until the context ends; the event says that something is held."""
    arrived, free = asyncio.Event(), asyncio.Event()

    async def late(route: Route) -> None:
        arrived.set()
        await free.wait()
        await route.continue_()

    await page.route(address, late)
    try:
        yield arrived
    finally:
        free.set()


async def test_what_is_done_while_the_page_still_opens_is_not_lost(served: str, sales: Path) -> None:
    async with opened(served) as page:
        async with held(page, "**/api/v1/conversations?*") as looked, held(page, UPLOADS) as sent:
            await page.reload()
            await looked.wait()
            await page.set_input_files("#file", sales)
            await sent.wait()
            await page.fill("#message", "How many rows are there?")
            await page.press("#message", "Enter")
            await page.press("#message", "Enter")
        await ended(page)
        assert "sales.csv" in await page.locator("#chips li").inner_text()
        assert await page.locator("article").count() == 1
        assert "4" in await page.locator(".answer").inner_text()
        await expect(page.locator("#message")).to_have_value("")


async def test_what_is_written_while_a_file_is_read_is_still_there_when_its_conversation_opens(
    served: str, sales: Path
) -> None:
    async with opened(served) as page:
        async with held(page, UPLOADS) as sent:
            await page.set_input_files("#file", sales)
            await sent.wait()
            await page.fill("#message", QUESTION)
        await page.locator("#chips li").wait_for()
        await page.wait_for_url("**/#/c/*")
        await expect(page.locator("#message")).to_have_value(QUESTION)
        await page.click("#fresh")
        await expect(page.locator("#message")).to_have_value("")


async def test_a_file_says_what_can_be_asked_about_it_and_answers_that(served: str, sales: Path) -> None:
    async with opened(served) as page:
        await page.set_input_files("#file", sales)
        offered = page.locator("section .question")
        await offered.first.wait_for()
        questions = await offered.all_inner_texts()
        assert 3 <= len(questions) <= 5
        await offered.first.click()
        await ended(page)
        assert await page.locator("article h3").inner_text() == questions[0]
        await expect(page.locator(".answer")).to_contain_text("tea")


async def test_a_question_that_waits_for_a_file_is_there_again_after_a_reload_and_can_be_asked(
    served: str, sales: Path
) -> None:
    arriving = asyncio.Event()

    async def kept(_route: Route) -> None:
        arriving.set()
        await asyncio.Event().wait()

    async with opened(served) as page:
        await page.route(UPLOADS, kept)
        await page.set_input_files("#file", sales)
        async with asyncio.timeout(PATIENCE_S):
            await arriving.wait()
        await asked(page, QUESTION)
        await page.reload()  # which gives the upload up
        await page.unroute_all(behavior="ignoreErrors")
        await expect(page.locator("#message")).to_have_value(QUESTION)
        await given(page, sales)
        await page.press("#message", "Enter")
        await ended(page)
        await expect(page.locator("article h3")).to_have_text(QUESTION)
        await page.reload()
        await ended(page)
        await expect(page.locator("#message")).to_have_value("")


async def test_one_file_that_cannot_be_read_is_told_in_words_and_keeps_no_other_from_coming(
    served: str, sales: Path, tmp_path: Path
) -> None:
    (bad := tmp_path / "bad.xlsx").write_bytes(b"\x00\x01")
    (picture := tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    (other := tmp_path / "other.csv").write_text("a\n1\n", encoding="utf-8")
    async with opened(served, expected="status of 4") as page:
        async with held(page, UPLOADS) as sent:
            await page.set_input_files("#file", bad)
            await sent.wait()
            await asked(page, QUESTION)
        problem = page.get_by_role("alert")
        await expect(problem.filter(has_text="bad.xlsx")).to_contain_text("cannot be read")
        await expect(page.locator("#message")).to_have_value(QUESTION)  # it waited for a file that did not come
        assert await page.locator("article").count() == 0
        await page.set_input_files("#file", [sales, picture, other])
        await expect(page.locator("#chips li")).to_have_count(2)
        await problem.filter(has_text="picture.png").wait_for()
        await page.get_by_role("button", name="Remove other.csv").click()
        await expect(page.locator("#chips li")).to_have_count(1)
        assert "sales.csv" in await page.locator("#chips").inner_text()
