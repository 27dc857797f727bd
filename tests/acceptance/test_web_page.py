"""The page that is built with the package, in a real browser: each test ends with nothing to read on the console."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.acceptance.test_page import CHROMIUM, Watched, browsing
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.sales_book import write_sales
from tests.support.web_build import AXE, built
from tests.support.wire import Say

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk"),
    pytest.mark.skipif(not built(), reason="the page is not built: scripts/page.sh (needs npm's registry)"),
]
LOOK = """async (tags) => (await axe.run(document, { runOnly: tags })).violations.map(
  (each) => each.id + ": " + each.nodes.map((node) => node.html.slice(0, 200)).join(" | "))"""
SORT = "sort by Amount descending and highlight the top 3"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


@asynccontextmanager
async def opened(
    commands: Commands, *words: str, locale: str = "en-US", width: int = 1200
) -> AsyncIterator[tuple[Page, Watched]]:
    """Serve, open the page, and in the end find its console empty."""
    async with (
        commands.serving(*words) as (url, _process),
        browsing(url, locale=locale, width=width, path="/") as watched,
    ):
        yield watched.page, watched
        assert watched.complaints == []


async def given(page: Page, *files: Path) -> None:
    await page.set_input_files("#file", list(files))
    await page.locator("#chips li").nth(len(files) - 1).wait_for()


async def asked(page: Page, words: str) -> None:
    await page.fill("#message", words)
    await page.press("#message", "Enter")


async def ended(page: Page, place: int = 0) -> None:
    await page.locator("article[data-outcome]").nth(place).wait_for()


async def accessible(page: Page) -> None:
    """Find no violation of WCAG 2.2 AA."""
    await page.evaluate(
        f"(() => {{ const module = undefined, exports = undefined; {AXE.read_text(encoding='utf-8')} }})()"
    )
    found = await page.evaluate(LOOK, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    assert found == []


async def test_a_sample_is_asked_with_one_click_and_its_numbers_lead_to_their_step(commands: Commands) -> None:
    async with opened(commands) as (page, _watched):
        await page.locator(".sample .question").nth(5).wait_for()
        await accessible(page)
        question = await page.locator(".sample .question").first.inner_text()
        await page.locator(".sample .question").first.click()
        await ended(page)
        assert await page.locator("article h3").inner_text() == question
        chart = page.locator("article iframe[sandbox='allow-scripts']")
        await expect(chart).to_have_attribute("data-state", "drawn")
        await page.locator(".answer button.source").last.click()
        line = page.locator(".step-line[aria-expanded=true]")
        await expect(line).to_be_focused()
        await page.locator(".code-view").first.wait_for()
        await page.locator(".work-pane [role=grid]").wait_for()
        await accessible(page)
        await page.reload()
        await ended(page)
        assert await page.locator("article h3").inner_text() == question
        assert await page.locator("article").count() == 1


async def test_a_plan_is_changed_in_its_fields_reordered_and_run(commands: Commands, book: Path) -> None:
    async with opened(commands) as (page, _watched):
        await given(page, book)
        await page.locator(".dataset").first.wait_for()
        await asked(page, SORT)
        lines = page.locator(".plan-steps > li")
        await lines.nth(1).wait_for()
        await page.get_by_role("button", name="Move step 1 down").click()
        await page.get_by_role("button", name="Move step 2 up").click()
        await page.get_by_role("button", name="Change step 2").click()
        await page.get_by_label("top count").fill("2")
        await expect(page.locator("#stop")).to_be_visible()
        await accessible(page)
        await page.reload()
        await page.locator(".plan-steps > li").nth(1).wait_for()
        await page.get_by_role("button", name="Remove step 2").click()
        await page.get_by_role("button", name="Run it", exact=True).click()
        await ended(page)
        assert await page.locator(".round-steps li.ok").count() == 1
        await page.get_by_role("button", name="Undo this round").click()
        await page.get_by_role("button", name="Undone").wait_for()


async def test_words_reject_a_plan_and_another_comes_in_chinese_on_a_narrow_screen_in_the_dark(
    commands: Commands, book: Path
) -> None:
    async with opened(commands, locale="zh-CN", width=390) as (page, _watched):
        await page.emulate_media(color_scheme="dark")
        await page.get_by_text("今天想从表格里知道什么？").wait_for()
        await accessible(page)
        await given(page, book)
        await asked(page, "按 Amount 降序排序并高亮前3名")
        await page.locator(".plan-steps > li").nth(1).wait_for()
        await accessible(page)
        await asked(page, "只排序")
        await expect(page.locator(".plan-steps > li")).to_have_count(1)
        wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide
        await page.click("#stop")
        await ended(page)
        await page.locator("#language").click()
        await expect(page.get_by_role("textbox", name="Your message")).to_be_visible()


async def test_a_run_that_is_followed_over_a_reload_is_stopped(commands: Commands, sales: Path) -> None:
    slow = "<|begin_code|>\n# @step: Wait\nimport time\ntime.sleep(3600)\n<|end_code|>\n"
    async with FakeOpenAI() as model:
        model.says(Say(text=slow))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with opened(commands) as (page, _watched):
            await given(page, sales)
            await asked(page, "Wait for it")
            await page.locator("article").wait_for()
            await page.reload()
            await page.locator("article .step-name", has_text="Wait").wait_for()
            await page.locator("#stop").click()
            await ended(page)
            assert await page.locator("article").count() == 1
            await expect(page.locator("#stop")).to_have_count(0)


async def test_words_of_a_model_are_shown_as_words(commands: Commands, sales: Path) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> [a](javascript:1)"
    async with FakeOpenAI() as model:
        model.says(Say(text=f"{evil} 4711"))
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with opened(commands) as (page, _watched):
            await given(page, sales)
            await asked(page, "<b>what</b> is in it?")
            await ended(page)
            assert await page.locator("article h3").inner_text() == "<b>what</b> is in it?"
            assert "<img src=x" in await page.locator(".answer").inner_text()
            await page.locator(".unproven", has_text="4711").wait_for()
            assert await page.locator("article img, article script, article b, a[href^=javascript]").count() == 0
            assert await page.title() == "Tablewright"


async def test_a_conversation_is_found_renamed_and_deleted_and_every_part_opens(
    commands: Commands, sales: Path
) -> None:
    async with opened(commands) as (page, _watched):
        page.on("dialog", lambda dialog: dialog.accept())
        await given(page, sales)
        await asked(page, "How many rows are there?")
        await ended(page)
        assert "4" in await page.locator(".answer").inner_text()
        await page.get_by_role("button", name="More for How many rows are there?").click()
        await page.get_by_role("menuitem", name="Rename").click()
        await page.get_by_role("textbox", name="Title").fill("Counted")
        await page.get_by_role("button", name="Save", exact=True).click()
        await page.fill("#search", "counted")
        await page.get_by_role("link", name="Counted").wait_for()
        for part, words in (
            ("Data", "sales.csv"),
            ("Workflows", "Templates"),
            ("At work", "Just ended"),
            ("Settings", "Models"),
        ):
            await page.get_by_role("link", name=part, exact=True).click()
            await page.get_by_role("main").get_by_text(words).first.wait_for()
            await accessible(page)
        await page.get_by_role("button", name="More for Counted").click()
        await page.get_by_role("menuitem", name="Delete").click()
        await expect(page.get_by_role("link", name="Counted")).to_have_count(0)


async def test_off_loopback_the_page_asks_for_the_key(commands: Commands) -> None:
    made = await commands.run("key", "create")
    key = next(word for word in made.out.split() if word.startswith("tw_"))
    async with (
        commands.serving("--host", "0.0.0.0", "--demo") as (url, _process),
        browsing(url, path="/") as watched,
    ):
        page = watched.page
        await page.fill("#key", key)
        await page.click("#sign-in button[type=submit]")
        await page.get_by_role("link", name="Sample data").wait_for()
        await expect(page.locator("#sign-in")).to_have_count(0)
