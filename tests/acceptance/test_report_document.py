"""A report as a file in a browser: nothing in it executes, nothing is loaded, and its charts are seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.async_api import Request, async_playwright
from tests.support.patience import PATIENCE_S
from tests.support.reports import REPORT
from tests.unit.report.test_attacks import SMALL

from tablewright.report.blocks import ReportMeta, ReportView
from tablewright.report.html_file import write_html
from tablewright.report.slides_file import write_slides
from tablewright.report.view import view_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk")


async def test_nothing_of_all_attacks_executes_or_loads_in_a_browser(tmp_path: Path) -> None:
    views = [view_of(REPORT), *(view_of(attack["text"]) for attack in SMALL)]
    whole = ReportView(blocks=tuple(block for view in views for block in view.blocks))
    write_html(whole, ReportMeta(title="all"), tmp_path / "all.html")
    asked: list[str] = []
    dialogs: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_S * 1000
        )
        page = await browser.new_page()

        def noted(request: Request) -> None:
            asked.append(request.url)

        page.on("request", noted)
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        await page.goto((tmp_path / "all.html").as_uri(), timeout=PATIENCE_S * 1000)
        charts = page.locator("figure svg")
        assert await charts.count() >= 15
        assert all([await charts.nth(at).is_visible() for at in range(3)])
        assert await page.locator("script, iframe, object, embed, form, style ~ style, link, base").count() == 0
        assert await page.evaluate("document.querySelectorAll('[onerror], [onload], [onclick]').length") == 0
        await browser.close()
    assert dialogs == []
    assert [url for url in asked if not url.startswith(("file:", "data:image/png"))] == []


async def test_keys_turn_slides_and_nothing_but_their_own_script_runs(tmp_path: Path) -> None:
    views = [view_of(REPORT), *(view_of(attack["text"]) for attack in SMALL)]
    whole = ReportView(blocks=tuple(block for view in views for block in view.blocks))
    write_slides(whole, ReportMeta(title="all"), tmp_path / "all.slides.html")
    asked: list[str] = []
    dialogs: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_S * 1000
        )
        page = await browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        await page.goto((tmp_path / "all.slides.html").as_uri(), timeout=PATIENCE_S * 1000)
        count = await page.locator("section").count()
        assert count > 5
        for key, slide in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("End", count - 1), ("Home", 0)):
            await page.keyboard.press(key)
            top = "Math.abs(document.querySelectorAll('section')[at].getBoundingClientRect().top)"
            bottom = "innerHeight + scrollY >= document.documentElement.scrollHeight - 2"
            await page.wait_for_function(f"at => {top} < 2 || {bottom}", arg=slide, timeout=PATIENCE_S * 1000)
        await browser.close()
    assert dialogs == []
    assert [url for url in asked if not url.startswith(("file:", "data:image/png"))] == []
