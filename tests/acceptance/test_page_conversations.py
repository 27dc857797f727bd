"""Conversations on the page, in a real browser: found again, deleted, asked elsewhere, with connections that break."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Dialog, Page, Route, expect
from tests.acceptance.test_page import CHROMIUM, asked, browsing
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hang
from tests.support.wire import Say

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk")


async def given(page: Page, *files: Path) -> None:
    await page.set_input_files("#file", [str(file) for file in files])
    await page.locator("#chips li").first.wait_for()


async def in_view(page: Page, selector: str) -> bool:
    place = await page.locator(selector).last.bounding_box()
    assert place is not None
    height = float(await page.evaluate("innerHeight"))
    return 0 <= place["y"] <= height - min(place["height"], 40)


async def agree(dialog: Dialog) -> None:
    await dialog.accept()


async def ask_elsewhere(url: str, conversation: str, *questions: str) -> None:
    """Ask over the API, one question after the other."""
    async with httpx2.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as api:
        for question in questions:
            run = (await api.post(f"/conversations/{conversation}/messages", json={"text": question})).json()["run_id"]
            assert "run.finished" in (await api.get(f"/runs/{run}/events")).text


async def test_what_was_just_asked_is_in_view_and_can_be_taken_away(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await page.set_viewport_size({"width": 800, "height": 420})
        await given(page, sales)
        await asked(page, "total amount by city")
        assert await in_view(page, ".answer td")
        await page.fill("#question", "total amount by product")
        await page.press("#question", "Enter")
        await page.locator("article[data-outcome]").nth(1).wait_for()
        assert await in_view(page, ".answer p")
        await page.reload()
        await page.locator("article[data-outcome]").nth(1).wait_for()
        assert await in_view(page, "article h3")
        async with page.expect_download() as fetched:
            await page.get_by_role("link", name="As a web page").last.click()
        assert (await fetched.value).suggested_filename == "analysis.html"
        async with page.expect_download() as fetched:
            await page.get_by_role("link", name="As a notebook").last.click()
        assert json.loads((await (await fetched.value).path()).read_text(encoding="utf-8"))["cells"]
        assert watched.complaints == []


async def test_nothing_of_a_conversation_that_was_left_while_it_was_shown_comes_later(
    commands: Commands, sales: Path
) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, sales)
        await ask_elsewhere(url, page.url.partition("#")[2], "total amount by city", "total amount by product")
        held = asyncio.Event()

        async def late(route: Route) -> None:
            await held.wait()
            await route.continue_()

        await page.route("**/events?*", late)
        await page.reload()
        await expect(page.locator("article")).to_have_count(1)
        await page.click("#fresh")
        await expect(page.locator("article")).to_have_count(0)
        held.set()
        await given(page, sales)
        await asked(page, "How many rows are there?")
        await expect(page.locator("article h3")).to_have_text("How many rows are there?")


async def test_a_stopped_question_leaves_no_step_as_if_it_still_ran(commands: Commands, sales: Path) -> None:
    code = "<|begin_code|>\n# @step: Spin\nwhile True:\n    pass\n# @step: Then\nprint(1)\n<|end_code|>"
    async with FakeOpenAI() as model:
        model.says(Say(text=code))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with commands.serving() as (url, _process), browsing(url) as watched:
            page = watched.page
            await given(page, sales)
            await page.fill("#question", "spin")
            await page.press("#question", "Enter")
            await page.locator("article li.running").wait_for()
            await page.click("#stop")
            await page.locator("article[data-outcome=cancelled]").wait_for()
            assert await page.locator("article li.running, article li.announced, article .busy").count() == 0
            assert watched.complaints == []


async def test_a_stop_that_takes_its_time_is_said_to_be_under_way(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        model.says(Hang())
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with commands.serving() as (url, _process), browsing(url) as watched:
            page = watched.page
            passing = asyncio.Event()

            async def late(route: Route) -> None:
                await passing.wait()
                await route.continue_()

            async def still_stopping(route: Route) -> None:
                response = await route.fetch()
                await route.fulfill(response=response, json={**await response.json(), "cancelling": True})

            await given(page, sales)
            await page.fill("#question", "wait")
            async with page.expect_response(
                lambda sent: sent.request.method == "POST" and sent.url.endswith("/messages")
            ):
                await page.press("#question", "Enter")
            stop = page.locator("#stop")
            await expect(stop).to_be_visible()
            await expect(stop).to_have_text("Stop")
            await page.route("**/api/v1/runs/*", still_stopping)
            await page.reload()
            await expect(stop).to_have_text("Stopping…")
            await page.unroute("**/api/v1/runs/*")
            await page.reload()
            await expect(stop).to_be_enabled()
            await page.route("**/cancel", late)
            await stop.click()
            await expect(stop).to_have_text("Stopping…")
            await expect(stop).to_be_disabled()
            passing.set()
            await page.locator("article[data-outcome=cancelled]").wait_for()
            await expect(stop).to_be_hidden()
            assert watched.complaints == []


async def test_what_can_be_asked_instead_is_said_once(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        await given(watched.page, sales)
        await asked(watched.page, "what is the weather tomorrow?")
        buttons = await watched.page.locator(".answer button").all_inner_texts()
        assert buttons
        words = await watched.page.locator(".answer").inner_text()
        assert [words.count(question) for question in buttons] == [1] * len(buttons)


async def test_one_file_that_cannot_be_read_keeps_no_other_from_coming(
    commands: Commands, sales: Path, tmp_path: Path
) -> None:
    (picture := tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    (other := tmp_path / "other.csv").write_text("a\n1\n", encoding="utf-8")
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, sales, picture, other)
        await expect(page.locator("#chips li")).to_have_count(2)
        await expect(page.locator("#problem")).to_contain_text("picture.png")
        page.on("dialog", agree)
        await page.get_by_role("button", name="Remove other.csv").click()
        await expect(page.locator("#chips li")).to_have_count(1)
        assert "sales.csv" in await page.locator("#chips").inner_text()


@pytest.mark.requirement("page-finds-its-way-back")
async def test_a_conversation_is_found_again_and_deleted(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url, locale="zh-CN", width=400) as watched:
        page = watched.page
        page.on("dialog", agree)
        await given(page, sales)
        await asked(page, "一共有多少行？")
        await page.click("#fresh")
        await expect(page.locator("article")).to_have_count(0)
        await expect(page.locator("#conversations option:checked")).to_have_text("（新对话）")
        await page.select_option("#conversations", label="一共有多少行？")
        await page.locator("article[data-outcome]").wait_for()
        assert "sales.csv" in await page.locator("#chips").inner_text()
        assert not await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        await page.click("#delete")
        await expect(page.locator("article")).to_have_count(0)
        await expect(page.locator("#conversations")).to_be_hidden()
        assert watched.complaints == []


@pytest.mark.requirement("page-finds-its-way-back")
async def test_earlier_questions_come_when_they_are_wanted_and_later_ones_from_elsewhere(
    commands: Commands, sales: Path
) -> None:
    questions = [f"How many rows have amount over {amount}?" for amount in range(12)]
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, sales)
        conversation = page.url.partition("#")[2]
        await ask_elsewhere(url, conversation, *questions)
        await page.reload()
        await expect(page.locator("article[data-outcome]")).to_have_count(10)
        assert await page.locator("article h3").all_inner_texts() == questions[2:]
        await page.get_by_role("button", name="Show earlier questions (2)").click()
        await expect(page.locator("article[data-outcome]")).to_have_count(12)
        await ask_elsewhere(url, conversation, "How many rows are there?")
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.locator("article[data-outcome]")).to_have_count(13)
        assert await page.locator("article h3").all_inner_texts() == [*questions, "How many rows are there?"]
        assert watched.complaints == []


@pytest.mark.requirement("page-finds-its-way-back")
async def test_a_run_whose_connection_broke_is_followed_to_its_end(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        refused: list[Route] = []

        async def once(route: Route) -> None:
            refused.append(route)
            if len(refused) > 1:
                await route.continue_()
            else:
                await route.fulfill(status=502, body="the service is being started")

        await given(page, sales)
        await page.route("**/events?*", once)
        await asked(page, "total amount by city")
        assert await page.locator(".answer td").count() == 6
        assert await page.locator("#problem").is_hidden()
        assert len(refused) == 2
