"""Workflows on the page: made of a template, changed as a graph and as an outline, published, run and answered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urljoin

from playwright.async_api import Page, expect
from tests.support.browser import IN_BROWSER, accessible, asked, given, opened
from tests.support.page_states import seen

pytestmark = [*IN_BROWSER]
GREETING = {
    "id": "greeting",
    "name": "Greeting",
    "nodes": [
        {"id": "start", "kind": "start"},
        {"id": "who", "kind": "ask_user", "prompt": "Who is there?"},
        {"id": "end", "kind": "end", "text": "Good morning, {{ who.text }}."},
    ],
    "edges": [{"source": "start", "target": "who"}, {"source": "who", "target": "end"}],
}


async def kept(page: Page) -> str:
    """Store the greeting and return its id."""
    made = await page.request.post(urljoin(page.url, "/api/v1/workflows"), data={"definition": GREETING})
    return str((await made.json())["id"])


async def moved_and_kept(page: Page) -> None:
    """Move the chosen node by keys, find it there after a reload, and have the nodes arranged anew."""
    box, placed = page.locator(".react-flow__node", has_text="who"), "one => getComputedStyle(one).transform"
    before = await box.evaluate(placed)
    await box.focus()
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await expect(box).not_to_have_css("transform", before)
    after = await box.evaluate(placed)
    await page.reload()
    await expect(box).to_have_css("transform", after)
    await page.get_by_role("button", name="Arrange anew").click()
    await expect(box).to_have_css("transform", before)
    await box.click()


async def test_a_draft_is_changed_by_keyboard_published_run_and_answered(served: str) -> None:
    async with opened(served) as page:
        own_id = await kept(page)
        await page.goto(f"{page.url.split('#')[0]}#/workflows/{own_id}/edit")
        await expect(page.locator(".react-flow__node")).to_have_count(3)
        await page.get_by_text("nothing to mend").wait_for()
        await page.locator(".react-flow__node", has_text="who").click()
        await seen(page, "editor")
        await moved_and_kept(page)
        await expect(page.get_by_label("prompt")).to_have_value("Who is there?")
        await page.get_by_text("Outline", exact=True).click()
        line = page.get_by_role("treeitem", selected=True)
        await line.focus()
        await page.keyboard.press("Insert")
        await page.get_by_label("Add behind it").select_option("template")
        await page.get_by_text("nothing to mend").wait_for()
        await page.get_by_role("button", name="More parameters").click()
        await page.get_by_role("textbox", name="text", exact=True).fill("{{ nobody.text }}")
        await expect(page.get_by_role("treeitem", name="text template").get_by_text("to mend")).to_be_visible()
        await expect(page.get_by_role("button", name="Publish")).to_be_disabled()
        await accessible(page)
        await page.get_by_role("treeitem", name="text template").focus()
        await page.keyboard.press("Alt+ArrowUp")
        await expect(page.get_by_role("treeitem").nth(1)).to_contain_text("template")
        await page.keyboard.press("Delete")
        await expect(page.get_by_role("treeitem")).to_have_count(3)
        await page.get_by_role("button", name="Undo").click()
        await expect(page.get_by_role("treeitem")).to_have_count(4)
        await page.get_by_role("button", name="Redo").click()
        await page.get_by_text("nothing to mend").wait_for()
        await page.get_by_role("button", name="Publish").click()
        await page.get_by_role("listitem").filter(has_text="Version 1").wait_for()
        await accessible(page)
        await page.request.post(urljoin(page.url, f"/api/v1/workflows/{own_id}/run"))
        await page.reload()
        row = page.locator("tr[data-run]")
        await expect(row).to_contain_text("by hand")
        await row.get_by_role("link").click()
        await expect(page.locator(".flow-box.waiting")).to_contain_text("who")
        await seen(page, "waiting")
        await page.get_by_role("textbox", name="Who is there?").fill("Ann")
        await page.get_by_role("button", name="Answer").click()
        await page.locator("article[data-outcome=completed]").wait_for()
        await expect(page.locator(".flow-box.ok")).to_have_count(3)
        assert "Good morning, Ann." in await page.locator("article").inner_text()
        await deleted(page, own_id)


async def test_a_workflow_that_reads_a_file_is_run_on_one_and_again_once_it_is_there(served: str, sales: Path) -> None:
    async with opened(served) as page:
        await page.goto(f"{page.url.split('#')[0]}#/workflows")
        await page.get_by_role("button", name="Run: Data cleaning").click()
        await page.locator("article[data-outcome=failed]").wait_for()
        await given(page, sales)
        await page.get_by_role("button", name="Try again").click()
        await page.locator("article[data-outcome=completed]").wait_for()  # this table has nothing to clean
        await page.get_by_role("link", name="Workflows", exact=True).click()
        async with page.expect_file_chooser() as choosing:
            await page.get_by_role("button", name="Run on files…: Data cleaning").click()
        await (await choosing.value).set_files(sales)
        await page.locator("#chips li").wait_for()
        await page.locator("article[data-outcome=completed]").wait_for()


TRIP = {
    "id": "trip",
    "name": "Plan a trip",
    "nodes": [
        {"id": "start", "kind": "start"},
        {"id": "where", "kind": "ask_user", "prompt": "Where do you go?"},
        {"id": "when", "kind": "ask_user", "prompt": "When do you leave?"},
        {"id": "end", "kind": "end", "text": "To {{ where.text }} on {{ when.text }}."},
    ],
    "edges": [
        {"source": "start", "target": "where"},
        {"source": "start", "target": "when"},
        {"source": "where", "target": "end"},
        {"source": "when", "target": "end"},
    ],
}


async def test_several_questions_wait_at_once_and_each_is_answered(served: str) -> None:
    async with opened(served) as page:
        own_id = await published(page, TRIP)
        await page.goto(f"{page.url.split('#')[0]}#/workflows")
        await page.reload()
        await page.get_by_role("button", name="Run: Plan a trip").click()
        where, when = (page.get_by_role("textbox", name=name) for name in ("Where do you go?", "When do you leave?"))
        await where.wait_for()
        await when.wait_for()
        await page.get_by_role("link", name="Plan a trip").wait_for()  # the list of conversations has it
        await seen(page, "several-questions")
        for field, words, left in ((when, "Monday", 1), (where, "Rome", 0)):
            await field.fill(words)
            await field.press("Enter")
            await expect(page.get_by_role("button", name="Answer", exact=True)).to_have_count(left)
        await page.locator("article[data-outcome=completed]").wait_for()
        assert "To Rome on Monday." in await page.locator("article").inner_text()
        await deleted(page, own_id)


ORDERS = {
    "id": "orders",
    "name": "Order status",
    "description": "Looks up an order by its number: status, delivery, shipment",
    "examples": ["check my order", "where is my order", "what is the status of my order"],
    "nodes": [
        {"id": "start", "kind": "start"},
        {"id": "number", "kind": "ask_user", "prompt": "Which order number?"},
        {"id": "end", "kind": "end", "text": "Order {{ number.text }} is on its way."},
    ],
    "edges": [{"source": "start", "target": "number"}, {"source": "number", "target": "end"}],
}
STOCK = {
    "id": "stock",
    "name": "Order of the shelves",
    "description": "Looks up the stock of an article on order: how many are left",
    "examples": ["check the stock of my order", "how many are left", "how much stock is left"],
    "nodes": [{"id": "start", "kind": "start"}, {"id": "end", "kind": "end", "text": "12 are left."}],
    "edges": [{"source": "start", "target": "end"}],
}


async def published(page: Page, definition: Mapping[str, object]) -> str:
    """Store a definition, publish it and return its id."""
    made = await page.request.post(urljoin(page.url, "/api/v1/workflows"), data={"definition": definition})
    own_id = str((await made.json())["id"])
    assert (await page.request.post(urljoin(page.url, f"/api/v1/workflows/{own_id}/publish"), data={})).ok
    return own_id


async def deleted(page: Page, *own_ids: str) -> None:
    """Delete definitions, so that they answer nobody else's messages."""
    for own_id in own_ids:
        assert (await page.request.delete(urljoin(page.url, f"/api/v1/workflows/{own_id}"))).ok


async def test_a_workflow_that_was_not_meant_is_refused_and_the_one_that_was_begins(served: str) -> None:
    async with opened(served) as page:
        orders, stock = await published(page, ORDERS), await published(page, STOCK)
        await asked(page, "check my order")
        await page.get_by_text("Which order number?").first.wait_for()
        refuse = page.get_by_role("button", name="Not “Order status”?")
        await refuse.wait_for()
        await seen(page, "not-this-one")
        await refuse.click()
        await page.get_by_role("menuitem", name="No workflow").wait_for()
        await page.get_by_role("menuitem", name="Order of the shelves").click()
        await page.locator("article[data-outcome=cancelled]").wait_for()
        await page.get_by_text("12 are left.").first.wait_for()
        kept = await (await page.request.get(urljoin(page.url, "/api/v1/workflows/corrections"))).json()
        assert [(each["message"], each["workflow"], each["wanted"]) for each in kept["items"]] == [
            ("check my order", orders, stock)
        ]
        await page.request.delete(urljoin(page.url, f"/api/v1/workflows/corrections/{kept['items'][0]['id']}"))
        await deleted(page, orders, stock)


async def test_who_answers_where_no_workflow_fits_is_chosen_for_oneself_and_for_all(served: str) -> None:
    async with opened(served) as page:
        own_id = await published(page, GREETING)
        await page.goto(f"{page.url.split('#')[0]}#/settings")
        await page.reload()
        mine = page.get_by_label("Where no workflow fits, my messages go to")
        await mine.select_option(label="Greeting")
        everybody = page.get_by_label("Where no workflow fits, messages on this server go to")
        await everybody.select_option(label="nobody")
        await page.get_by_role("region", name="Workflows").scroll_into_view_if_needed()
        await seen(page, "workflow-settings")
        await page.reload()
        await expect(mine).to_have_value(own_id)
        await expect(everybody).to_have_value("none")
        await mine.select_option(label="whoever answers for all")
        await everybody.select_option(value="")
        await expect(mine).to_have_value("")
        found = await (await page.request.get(urljoin(page.url, "/api/v1/workflows/settings"))).json()
        assert (found["fallback"], found["system"]["default"]) == (None, None)
        await deleted(page, own_id)
