"""The workbook beside the chat, in a real browser: shown, edited by keys, changes marked, undone, found, sorted."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
import xlsxwriter
from playwright.async_api import Page, Route, expect
from tests.support.browser import IN_BROWSER, cell, given, opened

pytestmark = list(IN_BROWSER)
ROWS = [("Lyon", 3.5), ("Oslo", 1.25), ("Bern", 2)]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    with xlsxwriter.Workbook(str(tmp_path / "sales.xlsx")) as made:
        head, money = made.add_format({"bold": True, "bg_color": "#1F4E78"}), made.add_format({"num_format": "0.00"})
        sheet = made.add_worksheet("Sales")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, ["City", "Amount"], head)
        for row, (city, amount) in enumerate(ROWS, 1):
            sheet.write(row, 0, city)
            sheet.write(row, 1, amount, money)
        sheet.write_formula(4, 1, "=SUM(B2:B4)", money)
        chart = made.add_chart({"type": "column"})
        chart.add_series({"categories": "=Sales!$A$2:$A$4", "values": "=Sales!$B$2:$B$4"})
        sheet.insert_chart("E2", chart)
    return tmp_path / "sales.xlsx"


async def texts(page: Page, column: int, rows: range) -> list[str]:
    return [await page.locator(cell(row, column)).inner_text() for row in rows]


async def test_a_sheet_is_shown_edited_undone_searched_and_sorted(served: str, book: Path) -> None:
    async with opened(served, width=1400) as page:
        await given(page, book)
        grid = page.get_by_role("grid")
        await expect(page.locator(cell(5, 2))).to_have_text("6.75")
        assert await texts(page, 2, range(1, 5)) == ["Amount", "3.50", "1.25", "2.00"]
        await expect(page.locator(cell(1, 1))).to_have_css("background-color", "rgb(31, 78, 120)")
        await expect(page.locator("iframe[data-state=drawn]")).to_have_count(1)

        await page.locator(cell(2, 2)).click()
        await page.keyboard.type("10")
        await page.keyboard.press("Enter")
        await expect(page.locator(cell(5, 2))).to_have_text("13.25")
        await expect(page.locator(f"{cell(2, 2)}.tw-changed")).to_have_attribute("title", "3.5 → 10")
        await expect(grid).to_be_focused()
        await expect(grid).to_have_attribute("aria-activedescendant", "tw-cell-3-2")

        await page.keyboard.press("Control+z")
        await expect(page.locator(cell(5, 2))).to_have_text("6.75")
        await page.get_by_role("button", name="Redo").click()
        await expect(page.locator(cell(5, 2))).to_have_text("13.25")

        await page.locator(cell(2, 2)).click()
        await page.keyboard.press("Shift+ArrowDown")
        await expect(page.locator(".tw-status")).to_contain_text("Sum 11.25")

        await page.keyboard.press("Control+f")
        await page.get_by_label("Find what").fill("bern")
        await page.keyboard.press("Enter")
        await expect(grid).to_have_attribute("aria-activedescendant", "tw-cell-4-1")

        await page.locator(cell(2, 1)).click()
        await page.get_by_role("button", name="Sort and filter").click()
        await page.get_by_role("menuitem", name="Ascending").click()
        await expect(page.locator(cell(2, 1))).to_have_text("Bern")


async def test_the_first_cells_wait_for_no_layout_and_no_outline(served: str, book: Path) -> None:
    asked: list[str] = []
    windowed = asyncio.Event()

    async def late(route: Route) -> None:
        await windowed.wait()
        await route.continue_()

    async with opened(served, width=1400) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfinished", lambda request: windowed.set() if "/window?" in request.url else None)
        await page.route("**/layout?*", late)
        await given(page, book)
        await expect(page.locator(cell(5, 2))).to_have_text("6.75")
        assert len([url for url in asked if "/window?" in url]) == 1
        assert not [url for url in asked if re.search(r"/workbooks/[^/]+$", url)]
