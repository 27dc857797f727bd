"""The states of the page: each is looked at by axe as it is passed, and kept as a picture where that is wanted."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

from playwright.async_api import Page, Route, expect
from tests.support.browser import accessible, asked, ended
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hold
from tests.support.wire import Say, Think

PICTURES = os.environ.get("PAGE_PICTURES")
"""The folder for pictures of the states; `PAGE_PICTURES=docs/images/page pytest tests/acceptance/test_web_*.py` makes
those of the documentation anew."""
WIDTH = 840
"""How wide pictures are, so that they stay small."""
BROKEN = '<|begin_code|>\n# @step: Add up\ntotals = {"tea": 1}\nprint(totals["coffee"])\n<|end_code|>\n'
SLOW = "<|begin_code|>\n# @step: Wait\nwhile True:\n    pass\n# @step: Then\nprint(1)\n<|end_code|>\n"


def settings_of(model: FakeOpenAI) -> dict[str, str]:
    """Return the settings of a service that asks it."""
    return {
        "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
        "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        "TABLEWRIGHT_MODEL": "openai:fake",
        # What runs until it is stopped is looked at meanwhile, which takes longer than a minute on a busy machine.
        "TABLEWRIGHT_REACT__STEP_TIMEOUT": str(PATIENCE_S),
    }


async def seen(page: Page, state: str) -> None:
    """Find no violation in a state."""
    await accessible(page)
    if PICTURES:
        folder = Path(PICTURES)
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        size = page.viewport_size or {"width": 1200, "height": 900}
        shown = {"x": 0, "y": 0, **size, "scale": min(1.0, WIDTH / size["width"])}
        browser = await page.context.new_cdp_session(page)
        made = await browser.send("Page.captureScreenshot", {"format": "webp", "quality": 70, "clip": shown})
        (folder / f"{state}.webp").write_bytes(base64.b64decode(made["data"]))


async def run_goes_through_its_states(page: Page, model: FakeOpenAI) -> None:
    """Have a run think, break, mend, lose its connection, be stopped, and another fail, and look at each."""
    turn = page.locator("article").nth(await page.locator("article").count())
    go_on = asyncio.Event()
    model.respond(model.saying(Think(text="The names of the products first."), Hold(until=go_on), Say(text=BROKEN)))
    model.says(Say(text=SLOW))
    await asked(page, "What sells best?")
    await turn.locator(".thinking p").wait_for()
    await seen(page, "planning")
    go_on.set()
    await turn.locator(".remark.amber").wait_for()
    await turn.locator(".step.running").wait_for()
    await seen(page, "repairing")
    await reconnecting(page)
    await page.locator("#stop").click()
    await expect(turn).to_have_attribute("data-outcome", "cancelled")
    await seen(page, "cancelled")
    model.fails(401, "no such key", code="invalid_api_key")
    place = await page.locator("article").count()
    await asked(page, "And what sells worst?")
    await ended(page, place)
    await expect(page.locator("article").nth(place)).to_have_attribute("data-outcome", "failed")
    await page.locator("article").nth(place).get_by_role("button", name="Try again").wait_for()
    await seen(page, "error")


async def reconnecting(page: Page) -> None:
    """Keep the stream from coming back, look at the page meanwhile, and let it."""

    async def away(route: Route) -> None:
        await route.fulfill(status=502, body="the service is being started")

    await page.route("**/events?*", away)
    await page.reload()
    await page.locator(".amber", has_text="attempt").first.wait_for()
    await seen(page, "reconnecting")
    await page.unroute("**/events?*", away)
    await page.locator("article .step.running").wait_for()
