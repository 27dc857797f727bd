"""How many clicks a task takes on the page, and for how long the person then waits for the product."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Page

_COUNT = """() => {
  const count = () => JSON.parse(sessionStorage.getItem("clicks") ?? '{"clicks": 0, "last": 0}');
  const kept = (one) => JSON.stringify({ clicks: count().clicks + one, last: Date.now() });
  const add = (one) => sessionStorage.setItem("clicks", kept(one));
  addEventListener("click", (event) => event.isTrusted && event.detail > 0 && add(1), true);
  addEventListener("keydown", (event) => event.isTrusted && add(0), true);
}"""
_READ = """() => ({ clicks: 0, last: 0, ...JSON.parse(sessionStorage.getItem("clicks") ?? "{}"), now: Date.now() })"""


@dataclass(slots=True, kw_only=True)
class Task:
    """What a task took: clicks of the mouse (typing is none), and seconds from the last of them, or the last key, to
    the result."""

    name: str
    clicks: int = 0
    waited_s: float = 0.0


async def counted(page: Page) -> None:
    """Count what a person does on the page from now on, over reloads too."""
    await page.add_init_script(f"({_COUNT})()")
    await page.evaluate(_COUNT)


@asynccontextmanager
async def task(page: Page, name: str, *, most: int) -> AsyncIterator[Task]:
    """Hold what is done until the context ends to so many clicks; the line that is printed is the record."""
    before = await page.evaluate(_READ)
    done = Task(name=name)
    yield done
    after = await page.evaluate(_READ)
    done.clicks, done.waited_s = after["clicks"] - before["clicks"], (after["now"] - after["last"]) / 1000
    print(f"{name}: {done.clicks} clicks, then {done.waited_s:.1f} s")
    assert 0 < done.clicks <= most, f"{name} took {done.clicks} clicks"
