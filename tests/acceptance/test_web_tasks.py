"""Twelve tasks that a new user brings, each with the fewest clicks: four at most, but for changing a plan."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

from playwright.async_api import Page, expect
from tests.support.browser import IN_BROWSER, cell, ended, opened
from tests.support.clicks import counted, task
from tests.support.page_states import seen
from tests.support.sales_book import write_sales

pytestmark = list(IN_BROWSER)
GREETING = {
    "id": "greeting_task",
    "name": "Greet somebody",
    "nodes": [
        {"id": "start", "kind": "start"},
        {"id": "who", "kind": "ask_user", "prompt": "Who is there?"},
        {"id": "end", "kind": "end", "text": "Good morning, {{ who.text }}."},
    ],
    "edges": [{"source": "start", "target": "who"}, {"source": "who", "target": "end"}],
}


async def typed(page: Page, words: str) -> None:
    """Click into the field at the bottom, write and send."""
    await page.locator("#message").click()
    await page.keyboard.type(words)
    await page.keyboard.press("Enter")


async def test_a_question_is_asked_followed_up_charted_reported_shared_and_found_again(served: str) -> None:
    async with opened(served) as page:
        await page.context.grant_permissions(["clipboard-write"])
        await counted(page)
        samples = page.locator(".sample").first.locator(".question")
        await samples.nth(2).wait_for()
        first = await samples.first.inner_text()
        async with task(page, "ask", most=1):
            await samples.first.click()
            await ended(page)
        async with task(page, "follow up", most=1):
            await typed(page, "What is the total Revenue by Category?")
            await ended(page, 1)
        async with task(page, "take a chart along", most=1):
            chart = page.locator("article").first
            await expect(chart.locator("iframe")).to_have_attribute("data-state", "drawn")
            async with page.expect_download() as picture:
                await chart.get_by_role("button", name="Save as PNG").click()
            assert (await picture.value).suggested_filename.endswith(".png")
        async with task(page, "report", most=2):
            await page.get_by_role("button", name="Export").first.click()
            async with page.expect_download() as report:
                await page.get_by_role("menuitem", name="Word report").click()
            assert (await report.value).suggested_filename.endswith(".docx")
        async with task(page, "share", most=4):
            await page.get_by_role("button", name=f"More for {first}").first.click()
            await page.get_by_role("menuitem", name="Share").click()
            await page.locator("#make-link").click()
            await page.get_by_role("dialog").get_by_role("button", name="Copy", exact=True).click()
        await seen(page, "share")
        await page.keyboard.press("Escape")
        await page.click("#fresh")
        async with task(page, "find an old conversation", most=2):
            await page.locator("#search").click()
            await page.keyboard.type(first[:20])
            await page.get_by_role("link", name=first).first.click()
            await ended(page, 1)


async def test_a_workbook_is_edited_by_a_changed_plan_undone_compared_and_fetched(served: str, tmp_path: Path) -> None:
    book = write_sales(tmp_path / "sales.xlsx")
    async with opened(served, width=1400) as page:
        await counted(page)
        async with task(page, "edit with the plan changed", most=6):
            async with page.expect_file_chooser() as choosing:
                await page.locator(".drop-target").click()
            await (await choosing.value).set_files(book)
            await page.locator("#chips li").wait_for()
            await typed(page, "sort by Amount descending and highlight the top 3")
            await page.get_by_role("button", name="Change step 2").click()
            await page.get_by_label("top count").click()
            await page.keyboard.press("Control+a")
            await page.keyboard.type("2")
            await page.get_by_role("button", name="Run it", exact=True).click()
            await page.get_by_role("button", name="Versions 2", exact=True).wait_for()
        await expect(page.locator(".round-steps li.ok").nth(1)).to_contain_text("2")
        async with task(page, "compare", most=2):
            await page.get_by_role("button", name="Versions 2", exact=True).click()
            await page.get_by_role("button", name="Compare with the current version").click()
            await page.get_by_role("status").filter(has_text="cells changed in").last.wait_for()
        await page.keyboard.press("Escape")
        async with task(page, "undo", most=1):
            await page.get_by_role("button", name="Undo", exact=True).click()
            await page.get_by_role("button", name="Versions 1", exact=True).wait_for()
        await expect(page.locator(cell(2, 2))).to_have_text("38")
        async with task(page, "download", most=1):
            async with page.expect_download() as fetched:
                await page.locator(".tw-bar").get_by_role("link", name="Download").click()
            assert (await fetched.value).suggested_filename == "sales.xlsx"


async def test_a_model_is_connected_and_a_workflow_that_asks_is_run(served: str) -> None:
    async with opened(served) as page:
        await counted(page)
        flows = urljoin(page.url, "/api/v1/workflows")
        kept = (await (await page.request.post(flows, data={"definition": GREETING})).json())["id"]
        assert (await page.request.post(f"{flows}/{kept}/publish", data={})).ok
        async with task(page, "connect a model", most=3):
            await page.get_by_role("link", name="Settings", exact=True).click()
            await page.get_by_label("The model that answers").first.click()
            await page.keyboard.type("builtin")
            await page.get_by_role("button", name="Test this model").click()
            await page.get_by_role("status").filter(has_text="builtin works").wait_for()
        await seen(page, "settings-tested")
        await page.get_by_role("combobox", name="The model that answers").fill("openai:gpt-5-mini")
        await page.get_by_role("textbox", name="Key for openai").fill("sk-never-shown")
        await page.get_by_role("button", name="Save key").click()
        await page.get_by_text("A key for openai is kept.").wait_for()
        assert "sk-never-shown" not in await page.content()
        await page.get_by_role("button", name="Remove the key for openai").click()
        await page.get_by_text("A key for openai is kept.").wait_for(state="detached")
        await page.get_by_role("combobox", name="The model that answers").fill("builtin")
        async with task(page, "run a workflow that asks", most=4):
            await page.get_by_role("link", name="Workflows", exact=True).click()
            await page.get_by_role("button", name="Run: Greet somebody").click()
            await page.get_by_role("textbox", name="Who is there?").click()
            await page.keyboard.type("Ann")
            await page.get_by_role("button", name="Answer").click()
            await page.locator("article[data-outcome=completed]").wait_for()
        assert "Good morning, Ann." in await page.locator("article").inner_text()
