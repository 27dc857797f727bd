"""The page in Debian's Chromium: opened, watched, and used as a person does."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Dialog, Page, ViewportSize, async_playwright, expect
from tests.support.patience import PATIENCE_S
from tests.support.web_build import AXE, built

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
IN_BROWSER = (
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk"),
    pytest.mark.skipif(not built(), reason="the page is not built: scripts/page.sh (needs npm's registry)"),
)
"""The marks of a test that uses the page."""
PATIENCE_MS = PATIENCE_S * 1000
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"]
CHECKED = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
STILL = """() => Promise.all(document.getAnimations()
  .filter(one => one.effect?.getComputedTiming().endTime !== Infinity)
  .map(one => one.finished.catch(() => null)))"""
"""Waits for what fades or moves and comes to an end: colours in between are nobody's choice."""
LOOK = """async (tags) => (await axe.run(document, { runOnly: tags })).violations.map(
  (each) => each.id + ": " + each.nodes.map((node) => node.html.slice(0, 200)).join(" | "))"""
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


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
async def browsing(url: str, *, locale: str = "en-US", width: int = 1200, height: int = 900) -> AsyncIterator[Watched]:
    """Open an address in a fresh browser."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE_MS)
        context = await browser.new_context(locale=locale, viewport=ViewportSize(width=width, height=height))
        watched = Watched(await context.new_page())
        watched.page.on("dialog", _agree)
        await watched.page.goto(url)
        try:
            yield watched
        finally:
            await browser.close()


@asynccontextmanager
async def opened(
    url: str, *, locale: str = "en-US", width: int = 1200, height: int = 900, expected: str | None = None
) -> AsyncIterator[Page]:
    """Open an address, and in the end find the console empty but for what contains `expected`."""
    async with browsing(url, locale=locale, width=width, height=height) as watched:
        yield watched.page
        assert [said for said in watched.complaints if expected is None or expected not in said] == []


async def _agree(dialog: Dialog) -> None:
    await dialog.accept()


async def accessible(page: Page) -> None:
    """Find no violation of WCAG 2.2 AA."""
    await page.evaluate(
        f"(() => {{ const module = undefined, exports = undefined; {AXE.read_text(encoding='utf-8')} }})()"
    )
    await page.evaluate(STILL)
    found = await page.evaluate(LOOK, CHECKED)
    assert not found, found


async def given(page: Page, *files: Path) -> None:
    """Bring files and wait for them to be in the conversation."""
    before = await page.locator("#chips li").count()
    await page.set_input_files("#file", list(files))
    await page.locator("#chips li").nth(before + len(files) - 1).wait_for()


async def asked(page: Page, words: str) -> None:
    """Send words, without waiting for what comes of them."""
    await page.fill("#message", words)
    await page.press("#message", "Enter")


async def ended(page: Page, place: int = 0) -> None:
    """Wait for the end of a turn, by its place among those that are shown."""
    await page.locator("article[data-outcome]").nth(place).wait_for()


def cell(row: int, column: int) -> str:
    """Return where a cell of the sheet is that is shown; both count from 1."""
    return f"#tw-cell-{row}-{column}"
