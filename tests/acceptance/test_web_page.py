"""The page that is built with the package, in a real browser: each test ends with nothing to read on the console."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Page, Route, expect
from tests.support.browser import IN_BROWSER, OVERFLOWS, accessible, asked, ended, given, opened
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.page_states import SLOW, seen, settings_of
from tests.support.sales_book import write_sales
from tests.support.structured_bench import report
from tests.support.wire import Say

pytestmark = list(IN_BROWSER)
SORT = "sort by Amount descending and highlight the top 3"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_sales(tmp_path / "sales.xlsx")


async def test_a_sample_is_asked_with_one_click_and_its_numbers_lead_to_their_step(served: str) -> None:
    async with opened(served) as page:
        await page.locator(".sample .question").nth(5).wait_for()
        await seen(page, "start")
        question = await page.locator(".sample .question").first.inner_text()
        await page.locator(".sample .question").first.click()
        await ended(page)
        assert await page.locator("article h3").inner_text() == question
        chart = page.locator("article iframe[sandbox='allow-scripts']")
        await expect(chart).to_have_attribute("data-state", "drawn")
        for part in ("Use in the workbook", "CSV"):  # come as their scripts do
            await page.locator(".answer").get_by_role("button", name=part).wait_for()
        answer = await page.locator(".answer").inner_text()
        await page.locator(".answer button.source").last.click()
        line = page.locator(".step-line[aria-expanded=true]")
        await expect(line).to_be_focused()
        await page.locator(".code-view").first.wait_for()
        await expect(line).to_be_in_viewport()
        await expect(page.locator(".work .step")).to_have_count(3)
        assert (await line.locator(".step-name").inner_text()).startswith("Compute")
        await page.locator(".work-pane [role=grid]").wait_for()
        await seen(page, "completed")
        await page.reload()
        await ended(page)
        assert await page.locator("article h3").inner_text() == question
        assert await page.locator("article").count() == 1
        await expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)


async def test_an_answer_is_read_in_chinese_in_the_dark(served: str) -> None:
    async with opened(served, locale="zh-CN") as page:
        await page.emulate_media(color_scheme="dark")
        await page.locator(".sample .question").first.click()
        await ended(page)
        await expect(page.locator("article iframe")).to_have_attribute("data-state", "drawn")
        await page.locator(".work-pane [role=grid]").wait_for()
        await seen(page, "completed-zh-dark")


async def test_a_report_is_written_with_one_click_and_about_what_is_asked(served: str, sales: Path) -> None:
    async with opened(served) as page:
        await given(page, sales)
        await page.locator("section").get_by_role("button", name="Write a report").click()
        await ended(page)
        await expect(page.locator("article h3")).to_have_text("Report on these tables")
        await page.locator(".structured .sr-analysis").wait_for()
        for chart in await page.locator(".structured iframe").all():
            await expect(chart).to_have_attribute("data-state", "drawn")
        await seen(page, "report")
        await page.locator(".composer").get_by_role("button", name="Write a report").click()
        await asked(page, "amount by city")
        await ended(page, 1)
        await expect(page.locator(".structured")).to_have_count(2)
        await page.reload()
        await ended(page, 1)
        await expect(page.locator("article h3").first).to_have_text("Report on these tables")


async def test_a_plan_is_changed_in_its_fields_and_kept_over_a_reload(served: str, book: Path) -> None:
    async with opened(served) as page:
        await given(page, book)
        await page.locator(".dataset").first.wait_for()
        await page.locator("section .question").first.wait_for()
        await seen(page, "file")
        await asked(page, SORT)
        lines = page.locator(".plan-steps > li")
        await lines.nth(1).wait_for()
        would = page.get_by_role("button", name="cells would change")
        await would.click()
        await expect(lines.first.locator(".cell-rows tbody tr").first).to_contain_text("A2")
        await page.get_by_role("status").filter(has_text="cells would change in").wait_for()
        await expect(page.locator(".tw-changed").first).to_be_visible()
        await expect(lines.nth(1)).to_contain_text("no contents change")
        await seen(page, "plan")
        await page.get_by_role("button", name="Change step 2").click()
        await page.get_by_label("top count").fill("2")
        await expect(page.locator(".tw-changed")).to_have_count(0)
        await expect(page.locator("#stop")).to_be_visible()
        await accessible(page)
        await page.reload()
        await lines.nth(1).wait_for()
        await page.get_by_role("button", name="Change step 2").click()
        await page.get_by_label("top count").fill("2")
        await page.get_by_role("button", name="Run it", exact=True).click()
        await ended(page)
        await expect(page.locator(".round-steps li.ok").nth(1)).to_contain_text("2")
        await page.get_by_role("button", name="Undo this round").click()
        await page.get_by_role("button", name="Undone").wait_for()


async def test_words_reject_a_plan_and_another_comes_in_chinese_on_a_narrow_screen_in_the_dark(
    served: str, book: Path
) -> None:
    async with opened(served, locale="zh-CN", width=390) as page:
        await page.emulate_media(color_scheme="dark")
        await page.get_by_text("今天想从表格里知道什么？").wait_for()
        await seen(page, "start-zh-dark-phone")
        await given(page, book)
        assert "2 个工作表" in await page.locator("#chips").inner_text()
        await asked(page, "按 Amount 降序排序并高亮前3名")
        await page.locator(".plan-steps > li").nth(1).wait_for()
        await seen(page, "plan-zh-dark-phone")
        await asked(page, "只排序")
        await expect(page.locator(".plan-steps > li")).to_have_count(1)
        assert not await page.evaluate(OVERFLOWS)
        await page.click("#stop")
        await ended(page)
        await page.get_by_role("button", name="菜单").click()
        await page.click("#fresh")
        await expect(page.locator("article")).to_have_count(0)
        await page.get_by_role("button", name="菜单").click()
        await page.get_by_role("link", name="按 Amount 降序排序并高亮前3名").first.click()
        await ended(page)
        assert "sales.xlsx" in await page.locator("#chips").inner_text()
        assert not await page.evaluate(OVERFLOWS)
        await page.locator("#language").click()
        await expect(page.get_by_role("textbox", name="Your message")).to_be_visible()


CHARTED = """<div><h2>Sales</h2>{evil}<div id="c"></div><script>var chart=echarts.init(document.getElementById("c"));
chart.setOption({{title:{{text:"By city"}},xAxis:{{data:["a"]}},yAxis:{{}},series:[{{type:"bar",data:[3]}}]}})</script>
</div>

```python
print(42)
```
"""


async def reported(page: Page, url: str) -> None:
    """Have a report made in the conversation that is open, and find its parts in their order."""
    before = page.url
    home = f"{url.rstrip('/')}/api/v1/conversations/{before.rsplit('/', 1)[-1]}/messages"
    assert (await page.request.post(home, data={"text": "report on it", "mode": "report"})).ok
    await page.reload()
    await ended(page, 2)
    turn = page.locator("article").nth(2)
    await expect(turn.locator("iframe[sandbox='allow-scripts']")).to_have_attribute("data-state", "drawn")
    assert await turn.locator(".structured > *").evaluate_all("all => all.map(one => one.classList[1])") == [
        "sr-analysis", "sr-plan", "report", "sr-grey", "sr-grey",
    ]  # fmt: skip
    assert await turn.locator("img, script, a[href^=javascript]").count() == 0
    await turn.get_by_role("button", name="View").press("Enter")
    await expect(turn.locator(".cm-content")).to_contain_text("print(42)")
    await accessible(page)
    await turn.get_by_role("button", name="And tea?").press("Enter")
    await expect(page.locator("#message")).to_be_focused()
    await expect(page.locator("#message")).to_have_value("And tea?")


async def still_stopping(route: Route) -> None:
    response = await route.fetch()
    with suppress(Error):  # the page was opened anew meanwhile, and waits for it no more
        await route.fulfill(response=response, json={**await response.json(), "cancelling": True})


async def test_words_of_a_model_are_shown_as_words_and_a_run_of_its_code_is_stopped_after_reloads(
    commands: Commands, sales: Path
) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> [a](javascript:1)"
    async with FakeOpenAI() as model:
        model.says(Say(text=f"{evil} 4711"))
        model.says(Say(text=SLOW))
        model.says(Say(text=report(CHARTED.format(evil=evil), number=1, recommended_questions=["And tea?"])))
        commands.environ = settings_of(model)
        async with commands.serving() as (url, _process), opened(url) as page:
            await given(page, sales)
            await asked(page, "<b>what</b> is in it?")
            await ended(page)
            assert await page.locator("article h3").inner_text() == "<b>what</b> is in it?"
            assert "<img src=x" in await page.locator(".answer").inner_text()
            await page.locator(".unproven", has_text="4711").wait_for()
            assert await page.locator("article img, article script, article b, a[href^=javascript]").count() == 0
            assert await page.title() == "Tablewright"
            await asked(page, "Wait for it")
            await page.locator("article .step.running", has_text="Wait").wait_for()
            await seen(page, "executing")
            await stopped_after_reloads(page)
            await reported(page, url)


async def stopped_after_reloads(page: Page) -> None:
    """Stop what runs: that a stop is under way is said, here and where it was asked for before the page was opened."""
    stop, running = page.locator("#stop"), page.locator("article .step.running")
    await page.route("**/api/v1/runs/*", still_stopping)
    await page.reload()
    await expect(stop).to_have_text("Stopping…")
    await page.unroute("**/api/v1/runs/*")
    await page.reload()
    await running.wait_for()
    await expect(stop).to_be_enabled()
    passing: list[Route] = []
    await page.route("**/cancel", lambda route: passing.append(route))  # noqa: PLW0108  # Playwright marks handlers
    await stop.click()
    await expect(stop).to_have_text("Stopping…")
    await expect(stop).to_be_disabled()
    await passing[0].continue_()
    await page.locator("article[data-outcome=cancelled]").wait_for()
    assert await page.locator("article").count() == 2
    await expect(stop).to_have_count(0)
    await expect(page.locator("article .step")).to_have_count(2)
    assert await page.locator("article .step.running, article .step.announced").count() == 0


@pytest.mark.requirement("page-finds-its-way-back")
async def test_a_conversation_is_found_renamed_and_deleted_and_every_part_opens(served: str, sales: Path) -> None:
    async with opened(served) as page:
        await given(page, sales)
        await asked(page, "How many rows does this table have?")
        await ended(page)
        assert "4" in await page.locator(".answer").inner_text()
        await page.get_by_role("button", name="More for How many rows does this table have?").click()
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
            await seen(page, part.lower().replace(" ", "-"))
        await page.get_by_role("link", name="Counted").click()
        await ended(page)
        await page.get_by_role("button", name="More for Counted").click()
        await page.get_by_role("menuitem", name="Delete").click()
        await expect(page.get_by_role("link", name="Counted")).to_have_count(0)
        await expect(page.locator("article")).to_have_count(0)
        await page.locator(".sample .question").first.wait_for()


async def test_off_loopback_the_page_asks_for_the_key(commands: Commands) -> None:
    made = await commands.run("key", "create")
    key = next(word for word in made.out.split() if word.startswith("tw_"))
    async with (
        commands.serving("--host", "0.0.0.0", "--demo") as (url, _process),
        opened(url, expected="401") as page,
    ):
        await page.fill("#key", key)
        await page.click("#sign-in button[type=submit]")
        await page.get_by_role("link", name="Sample data").wait_for()
        await expect(page.locator("#sign-in")).to_have_count(0)
