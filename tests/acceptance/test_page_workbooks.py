"""Workbooks on the page, in a real browser: plans agreed to, cells edited, versions undone, compared, fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.acceptance.test_page import CHROMIUM, browsing
from tests.support.commands import Commands
from tests.support.sales_book import write_sales
from tests.support.workbooks import read_parts

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk")
SORT = "sort by Amount descending and highlight the top 3"
SORT_ZH = "按 Amount 降序排序并高亮前3名"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


async def given(page: Page, book: Path) -> None:
    await page.set_input_files("#file", book)
    await page.locator("#chips li").first.wait_for()
    await page.locator("#book-title").wait_for()


async def wanted(page: Page, words: str) -> None:
    """Ask for a change and wait for its plan."""
    await page.check("#changing")
    await page.fill("#question", words)
    await page.click("#send")
    await page.locator(".plan input[type=checkbox]").first.wait_for()


async def first_cells(page: Page, count: int) -> list[str]:
    if not await page.locator("#book details").first.evaluate("part => part.open"):
        await page.locator("#book summary").first.click()
    await page.locator("#cell-B2").wait_for()
    return [await page.locator(f"#cell-B{row}").input_value() for row in range(2, 2 + count)]


@pytest.mark.requirement("page-plan-is-edited-and-agreed-to")
async def test_a_plan_is_reordered_cut_and_agreed_to_then_undone_and_redone(commands: Commands, book: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, book)
        before = await first_cells(page, 3)
        await wanted(page, SORT)
        steps = page.locator(".plan > li")
        count = await steps.count()
        assert count >= 2
        await page.get_by_role("button", name="Move step 1 down").press("Enter")
        await expect(
            page.get_by_role("button", name="Move step 2 down" if count > 2 else "Move step 2 up")
        ).to_be_focused()
        await page.get_by_role("button", name="Move step 2 up").click()
        await steps.nth(count - 1).get_by_role("checkbox").first.uncheck()
        await expect(page.get_by_role("button", name="Do it")).to_be_in_viewport()
        assert not await page.is_checked("#changing")
        await page.get_by_role("button", name="Do it").click()
        await page.locator("article[data-outcome=completed]").wait_for()
        await expect(page.locator(".plan")).to_be_hidden()
        await page.locator("article caption", has_text="Changed cells").wait_for()
        await page.locator("#book-title", has_text="version 2").wait_for()
        after = await first_cells(page, 3)
        assert after == sorted(after, key=float, reverse=True) != before
        await page.click("#undo")
        await page.locator("#book-title", has_text="version 1").wait_for()
        await expect(page.locator("#cell-B2")).to_have_value(before[0])
        await page.click("#redo")
        await page.locator("#book-title", has_text="version 2").wait_for()
        await expect(page.locator("#cell-B2")).to_have_value(after[0])
        assert watched.complaints == []


async def test_a_persons_own_edit_makes_a_version_that_is_compared_and_fetched(commands: Commands, book: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url, locale="zh-CN", width=420) as watched:
        page = watched.page
        await given(page, book)
        await first_cells(page, 1)
        await page.fill("#cell-B2", "4321")
        await page.keyboard.press("Enter")
        await page.locator("#book-title", has_text="版本 2").wait_for()
        await expect(page.locator("#cell-B2")).to_have_value("4321")
        await expect(page.locator("#cell-B3")).to_be_focused()
        await page.fill("#cell-E2", "=B2*2")
        await page.fill("#cell-E3", "x")
        await page.keyboard.press("Enter")
        await page.locator("#book-title", has_text="版本 4").wait_for()
        await expect(page.locator("#cell-E3")).to_have_value("x")
        await expect(page.locator("#cell-E2")).to_have_value("8642")
        await page.locator("#book summary", has_text="版本").click()
        await page.locator(".versions li").last.get_by_role("button").click()
        await page.locator(".versions td", has_text="4321").wait_for()
        async with page.expect_download() as fetched:
            await page.locator(".versions li").last.get_by_role("link").click()
        assert read_parts(await (await fetched.value).path()) == read_parts(book)
        wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide
        assert watched.complaints == []


async def test_words_reject_a_plan_and_another_comes_in_chinese(commands: Commands, book: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url, locale="zh-CN") as watched:
        page = watched.page
        await given(page, book)
        await wanted(page, SORT_ZH)
        await page.get_by_label("要改成什么样？").fill("只高亮前2名")
        await page.get_by_role("button", name="重新计划").click()
        await page.locator(".plan").get_by_text("2").first.wait_for()
        await page.get_by_role("button", name="不执行", exact=True).click()
        await page.locator("article[data-outcome]").wait_for()
        await page.locator("#book-title", has_text="版本 1").wait_for()
        assert watched.complaints == []


async def test_a_plan_saved_on_the_page_is_applied_to_another_workbook(
    commands: Commands, book: Path, tmp_path: Path
) -> None:
    longer = write_sales(tmp_path / "longer.xlsx", 18)
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, book)
        await wanted(page, SORT)
        await page.get_by_role("button", name="Do it").click()
        await page.locator("article[data-outcome=completed]").wait_for()
        async with page.expect_download() as fetched:
            await page.get_by_role("button", name="Save the plan").click()
        saved = tmp_path / "plan.json"
        await (await fetched.value).save_as(saved)
        await page.click("#fresh")
        await given(page, longer)
        await page.set_input_files("#saved-plan", saved)
        await page.locator("#book-told").get_by_role("button", name="Do it").click()
        await page.locator("#book-title", has_text="version 2").wait_for()
        found = [float(value) for value in await first_cells(page, 18)]
        assert found == sorted(found, reverse=True)
        assert watched.complaints == []


async def test_an_edit_of_ones_own_while_a_plan_waits_is_no_reason_to_plan_anew(commands: Commands, book: Path) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, book)
        await wanted(page, SORT)
        await first_cells(page, 1)
        await page.fill("#cell-B2", "4321")
        await page.keyboard.press("Enter")
        await page.locator("#book-title", has_text="version 2").wait_for()
        await page.get_by_role("button", name="Do it").click()
        await page.locator("article[data-outcome=completed]").wait_for()
        await page.locator("#book-title", has_text="version 3").wait_for()
        await expect(page.locator("#cell-B2")).to_have_value("4321")
        assert watched.complaints == []


async def test_a_step_of_ones_own_is_added_and_one_that_cannot_be_done_is_refused(
    commands: Commands, book: Path
) -> None:
    async with commands.serving() as (url, _process), browsing(url) as watched:
        page = watched.page
        await given(page, book)
        await wanted(page, SORT)
        count = await page.locator(".plan > li").count()
        await page.get_by_text("Add a step").click()
        await page.get_by_label("Function").select_option("set_values")
        await page.get_by_role("button", name="Add", exact=True).click()
        added = page.locator(".plan > li").nth(count)
        await added.get_by_label("values").fill('[["mine"]]')
        await page.get_by_role("button", name="Do it").click()
        await page.locator("#problem", has_text=f"Step {count + 1} (set_values)").wait_for()
        assert [text for text in watched.complaints if "422" not in text] == []
        await added.get_by_label("range").fill("F1")
        await page.get_by_role("button", name="Do it").click()
        await page.locator("article[data-outcome=completed]").wait_for()
        await page.locator("article td", has_text="mine").wait_for()
