"""The page in a real browser."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, ViewportSize, async_playwright, expect
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.wire import Say

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk")
PATIENCE_MS = PATIENCE_S * 1000
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"]


class Watched:
    """A page and everything that it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(PATIENCE_MS)


@asynccontextmanager
async def browsing(
    url: str, *, locale: str = "en-US", width: int = 1000, path: str = "/classic"
) -> AsyncIterator[Watched]:
    """Open the page in a fresh browser."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE_MS)
        context = await browser.new_context(locale=locale, viewport=ViewportSize(width=width, height=900))
        watched = Watched(await context.new_page())
        await watched.page.goto(f"{url}{path}")
        try:
            yield watched
        finally:
            await browser.close()


async def asked(page: Page, question: str) -> None:
    await page.fill("#question", question)
    await page.click("#send")
    await page.locator("article[data-outcome]").wait_for()


async def test_the_sample_is_asked_and_steps_answer_table_and_chart_appear(commands: Commands) -> None:
    async with commands.serving("--demo") as (url, _process), browsing(url) as watched:
        page = watched.page
        await page.locator("#chips li").first.wait_for()
        assert await page.locator("#sample").is_hidden()
        question = await page.locator("#examples button").first.inner_text()
        await asked(page, question)
        assert question not in await page.locator("#examples").inner_text()
        assert await page.locator("article h3").inner_text() == question
        assert await page.locator("article ol > li.ok").count() >= 2
        await page.get_by_text("Code and output").first.click()
        await page.locator("article details[open] pre", has_text="6000 rows").wait_for()
        await page.locator("article details[open] summary").click()
        await page.locator(".answer button.source").last.click()
        await expect(page.locator("article details[open] summary")).to_be_focused()
        await page.locator("article details[open] summary").click()
        assert await page.locator(".answer p").count() >= 1
        assert await page.locator(".answer td").count() >= 4
        figure = page.locator("article img")
        await figure.wait_for()
        assert await figure.evaluate("image => image.complete && image.naturalWidth > 100")
        before = await page.locator("article").inner_text()
        await page.reload()
        await page.locator("article img").wait_for()
        await page.locator("article[data-outcome]").wait_for()
        assert await page.locator("article").inner_text() == before
        assert watched.complaints == []


async def test_a_file_is_dropped_and_asked_about_in_chinese_on_a_narrow_screen(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url, locale="zh-CN", width=380) as watched:
        page = watched.page
        assert await page.locator("#send").inner_text() == "提问"
        await page.set_input_files("#file", sales)
        await page.locator("#chips li").first.wait_for()
        assert "4 行，3 列" in await page.locator("#chips").inner_text()
        await asked(page, "一共有多少行？")
        assert "4" in await page.locator(".answer").inner_text()
        wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide
        await page.click("#language")
        assert await page.locator("#send").inner_text() == "Ask"
        assert watched.complaints == []


async def test_what_is_done_while_the_page_still_opens_is_not_lost(commands: Commands, sales: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        looking, asked_for = asyncio.Event(), asyncio.Event()

        async def late(route: Route) -> None:
            answer = await route.fetch()
            asked_for.set()
            await looking.wait()
            await route.fulfill(response=answer)

        await page.route("**/api/v1/conversations?*", late)
        await page.reload()
        await asked_for.wait()
        await page.set_input_files("#file", sales)
        await page.fill("#question", "How many rows are there?")
        await page.press("#question", "Enter")
        await page.press("#question", "Enter")
        looking.set()
        await page.locator("article[data-outcome]").wait_for()
        assert "sales.csv" in await page.locator("#chips li").inner_text()
        assert await page.locator("article").count() == 1
        assert "4" in await page.locator(".answer").inner_text()
        assert watched.complaints == []


async def test_what_cannot_be_read_is_told_in_words(commands: Commands, tmp_path: Path) -> None:
    bad = tmp_path / "bad.xlsx"
    bad.write_bytes(b"\x00\x01")
    async with commands.serving() as (url, _process), browsing(url) as watched:
        await watched.page.set_input_files("#file", bad)
        problem = watched.page.locator("#problem")
        await problem.filter(has_text="cannot be read").wait_for()
        assert "bad.xlsx" in await problem.inner_text()


async def test_words_of_a_model_are_shown_as_words(commands: Commands, sales: Path) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> **done**"
    async with FakeOpenAI() as model:
        model.says(Say(text=f"{evil} 4711"))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with commands.serving() as (url, _process), browsing(url) as watched:
            page = watched.page
            await page.set_input_files("#file", sales)
            await page.locator("#chips li").first.wait_for()
            await asked(page, "<b>what</b> is in it?")
            assert await page.locator("article h3").inner_text() == "<b>what</b> is in it?"
            assert "<img src=x" in await page.locator(".answer").inner_text()
            await page.get_by_text("Not found in the output of any step: 4711").wait_for()
            assert await page.locator("article img, article script, article b").count() == 0
            assert await page.title() == "Tablewright"
            assert watched.complaints == []


async def test_off_loopback_the_page_asks_for_the_key(commands: Commands) -> None:
    made = await commands.run("key", "create")
    key = next(word for word in made.out.split() if word.startswith("tw_"))
    async with commands.serving("--host", "0.0.0.0", "--demo") as (url, _process), browsing(url) as watched:
        page = watched.page
        await page.locator("#sign-in").wait_for()
        await page.fill("#key", key)
        await page.click("#sign-in button")
        await page.locator("#chips li").first.wait_for()
        assert await page.locator("#sign-in").is_hidden()
