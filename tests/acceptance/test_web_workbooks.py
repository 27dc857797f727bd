"""Workbooks in a real browser: plans agreed to and saved, cells edited, versions undone, compared, fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.support.browser import IN_BROWSER, OVERFLOWS, asked, cell, ended, given, opened
from tests.support.sales_book import sales_rows, write_sales
from tests.support.workbooks import read_parts

pytestmark = list(IN_BROWSER)
SORT = "sort by Amount descending and highlight the top 3"

AMOUNTS = [row[1] for row in sales_rows(10)]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


async def amounts(page: Page, count: int, first: int) -> list[float]:
    """Return the first cells of the second column, below its header, once the first of them is `first`."""
    await expect(page.locator(cell(2, 2))).to_have_text(str(first))
    return [float(await page.locator(cell(row, 2)).inner_text()) for row in range(2, 2 + count)]


async def entered(page: Page, row: int, column: int, text: str) -> None:
    """Type into a cell as one does who sees it."""
    await page.locator(cell(row, column)).click()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")


async def version(page: Page, number: int, words: str = "Versions") -> None:
    await page.get_by_role("button", name=f"{words} {number}", exact=True).wait_for()


@pytest.mark.requirement("page-plan-is-edited-and-agreed-to")
async def test_a_plan_is_reordered_cut_and_agreed_to_then_undone_and_redone(served: str, book: Path) -> None:
    async with opened(served, width=1400) as page:
        await given(page, book)
        before = await amounts(page, 3, AMOUNTS[0])
        await asked(page, SORT)
        await expect(page.locator(".plan-steps > li")).to_have_count(2)
        await page.get_by_role("button", name="Move step 1 down").press("Enter")
        await expect(page.get_by_role("button", name="Move step 2 up")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Remove step 2").click()
        agree = page.get_by_role("button", name="Run it", exact=True)
        await expect(agree).to_be_in_viewport()
        await agree.click()
        await ended(page)
        await expect(page.locator(".plan-box")).to_have_count(0)
        await expect(page.locator(".round-steps li")).to_have_count(1)
        await version(page, 2)
        after = await amounts(page, 3, max(AMOUNTS))
        assert after == sorted(after, reverse=True) != before
        await expect(page.locator(f"{cell(2, 2)}.tw-changed")).to_have_count(1)
        await page.get_by_role("button", name="Undo", exact=True).click()
        await version(page, 1)
        await expect(page.locator(cell(2, 2))).to_have_text(f"{before[0]:g}")
        await page.get_by_role("button", name="Redo").click()
        await version(page, 2)
        await expect(page.locator(cell(2, 2))).to_have_text(f"{after[0]:g}")


async def test_a_persons_own_edit_makes_a_version_that_is_compared_and_fetched(served: str, book: Path) -> None:
    async with opened(served, locale="zh-CN", width=420) as page:
        await given(page, book)
        await page.get_by_text("表格", exact=True).click()
        await entered(page, 2, 2, "4321")
        await version(page, 2, "版本")
        await expect(page.locator(cell(2, 2))).to_have_text("4321")
        await expect(page.get_by_role("grid")).to_have_attribute("aria-activedescendant", "tw-cell-3-2")
        await entered(page, 2, 1, "=B2*2")
        await page.keyboard.type("x")  # while the edit before it is on its way
        await page.keyboard.press("Enter")
        await version(page, 4, "版本")
        await expect(page.locator(cell(2, 1))).to_have_text("8642")
        await expect(page.locator(cell(3, 1))).to_have_text("x")
        await page.get_by_role("button", name="版本 4", exact=True).click()
        first = page.get_by_role("listitem").filter(has_text="版本 1 ·")
        await first.get_by_role("button", name="与当前版本比较").click()
        await expect(first.get_by_role("status")).to_contain_text("个单元格变化")
        async with page.expect_download() as fetched:
            await first.get_by_role("link", name="下载").click()
        assert read_parts(await (await fetched.value).path()) == read_parts(book)
        await page.keyboard.press("Escape")
        await expect(page.locator(f"{cell(2, 2)}.tw-changed")).to_have_attribute("title", "38 → 4321")
        assert not await page.evaluate(OVERFLOWS)


async def test_a_plan_that_was_saved_is_shown_and_run_on_another_workbook(
    served: str, book: Path, tmp_path: Path
) -> None:
    longer = write_sales(tmp_path / "longer.xlsx", 18)
    async with opened(served, width=1400) as page:
        await given(page, book)
        await asked(page, SORT)
        await page.get_by_role("button", name="Run it", exact=True).click()
        await ended(page)
        async with page.expect_download() as fetched:
            await page.get_by_role("button", name="Save the plan").click()
        saved = tmp_path / "plan.json"
        await (await fetched.value).save_as(saved)
        await page.click("#fresh")
        await page.set_input_files("#file", [longer, saved])
        dialog = page.get_by_role("dialog", name="A saved plan: plan.json")
        await expect(dialog.locator(".plan-steps > li")).to_have_count(2)
        await dialog.get_by_role("button", name="Run it on this workbook").click()
        await version(page, 2)
        await dialog.get_by_role("button", name="Close").click()
        found = await amounts(page, 18, max(row[1] for row in sales_rows(18)))
        assert found == sorted(found, reverse=True)


async def test_an_edit_of_ones_own_beside_a_plan_is_kept_and_a_step_that_cannot_be_done_is_refused_in_words(
    served: str, book: Path
) -> None:
    async with opened(served, width=1400, expected="422") as page:
        await given(page, book)
        await asked(page, SORT)
        lines = page.locator(".plan-steps > li")
        await lines.nth(1).wait_for()
        await entered(page, 2, 2, "4321")
        await version(page, 2)
        await page.get_by_label("Add a step").select_option("set_values")
        await lines.nth(2).get_by_label("range").fill("F1")
        agree = page.get_by_role("button", name="Run it", exact=True)
        await agree.click()
        await page.get_by_role("alert").filter(has_text="empty in step 3").wait_for()
        await lines.nth(2).get_by_label("values").fill('"mine"')
        await agree.click()
        await page.get_by_role("alert").filter(has_text="Step 3 (set_values)").wait_for()
        await lines.nth(2).get_by_label("values").fill('[["mine"]]')
        await agree.click()
        await ended(page)
        await version(page, 3)
        await expect(page.locator(cell(2, 2))).to_have_text("4321")
        await expect(page.locator(cell(1, 6))).to_have_text("mine")
        await asked(page, SORT)
        await page.get_by_role("button", name="Do not run it").click()
        await ended(page, 1)
        await version(page, 3)
