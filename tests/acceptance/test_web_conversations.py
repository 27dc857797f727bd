"""Conversations in a real browser: asked elsewhere, left while they are shown, with connections that break."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Download, Page, Route, expect
from tests.support.browser import IN_BROWSER, asked, ended, given, opened
from tests.support.patience import PATIENCE_S

pytestmark = list(IN_BROWSER)


def conversation_of(page: Page) -> str:
    return page.url.partition("#/c/")[2]


async def ask_elsewhere(url: str, conversation: str, *questions: str) -> None:
    """Ask over the API, one question after the other."""
    async with httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as api:
        for question in questions:
            run = (await api.post(f"/conversations/{conversation}/messages", json={"text": question})).json()["run_id"]
            assert "run.finished" in (await api.get(f"/runs/{run}/events")).text


async def taken(page: Page, name: str) -> Download:
    """Take the newest answer along."""
    await page.get_by_role("button", name="Export").last.click()
    async with page.expect_download() as fetched:
        await page.get_by_role("menuitem", name=name).click()
    return await fetched.value


async def test_what_was_just_asked_is_in_view_and_can_be_taken_away(served: str, sales: Path) -> None:
    async with opened(served, height=460) as page:
        await given(page, sales)
        for place, question in enumerate(("total amount by city", "total amount by product")):
            await asked(page, question)
            await ended(page, place)
            await expect(page.locator("article").nth(place).locator(".answer p").first).to_be_in_viewport()
        await page.reload()
        await ended(page, 1)
        await expect(page.locator("article h3").last).to_be_in_viewport()
        assert (await taken(page, "Web page (html)")).suggested_filename == "analysis.html"
        notebook = await (await taken(page, "Notebook (ipynb)")).path()
        assert json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        await asked(page, "what is the weather tomorrow?")
        await ended(page, 2)
        answer = page.locator(".answer").last
        offered = await answer.get_by_role("button").all_inner_texts()
        words = await answer.inner_text()
        assert offered
        assert [words.count(question) for question in offered] == [1] * len(offered)


@pytest.mark.requirement("page-finds-its-way-back")
async def test_a_connection_that_breaks_is_made_anew_and_nothing_comes_of_what_was_left(
    served: str, sales: Path
) -> None:
    async with opened(served, expected="502") as page:
        await given(page, sales)
        refused: list[Route] = []

        async def once(route: Route) -> None:
            refused.append(route)
            if len(refused) > 1:
                await route.continue_()
            else:
                await route.fulfill(status=502, body="the service is being started")

        await page.route("**/events?*", once)
        await asked(page, "total amount by city")
        await ended(page)
        await expect(page.locator(".answer td")).to_have_count(6)
        assert await page.get_by_role("alert").count() == 0
        assert len(refused) == 2
        await page.unroute("**/events?*", once)

        going = asyncio.Event()

        async def late(route: Route) -> None:
            await going.wait()
            await route.continue_()

        await page.route("**/events?*", late)
        await page.reload()
        await expect(page.locator("article")).to_have_count(1)
        await page.click("#fresh")
        await expect(page.locator("article")).to_have_count(0)
        going.set()
        await given(page, sales)
        await asked(page, "How many rows are there?")
        await ended(page)
        await expect(page.locator("article h3")).to_have_text("How many rows are there?")


@pytest.mark.requirement("page-finds-its-way-back")
async def test_earlier_questions_come_when_they_are_wanted_and_later_ones_from_elsewhere(served: str) -> None:
    questions = [f"How many rows have an amount over {amount}?" for amount in range(12)]
    async with httpx2.AsyncClient(base_url=f"{served}/api/v1") as api:
        conversation = (await api.post("/conversations", json={})).json()["id"]
    await ask_elsewhere(served, conversation, *questions)
    async with opened(f"{served}/#/c/{conversation}") as page:
        await expect(page.locator("article[data-outcome]")).to_have_count(10)
        assert await page.locator("article h3").all_inner_texts() == questions[2:]
        await page.get_by_role("button", name="Show earlier questions (2)").click()
        await expect(page.locator("article[data-outcome]")).to_have_count(12)
        await ask_elsewhere(served, conversation, "How many rows are there?")
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.locator("article[data-outcome]")).to_have_count(13)
        assert await page.locator("article h3").all_inner_texts() == [*questions, "How many rows are there?"]
