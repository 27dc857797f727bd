"""How many clicks a task takes on the page, and for how long the product is waited for."""

from __future__ import annotations

import time
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
    """What a task took: clicks of the mouse (typing is none), seconds from its first click to its result, and those of
    them that came after the last click or key. A test neither reads nor thinks: it waits for the product alone."""

    name: str
    clicks: int = 0
    waited_s: float = 0.0
    last_wait_s: float = 0.0


async def counted(page: Page) -> None:
    """Count what a person does on the page from now on, over reloads too."""
    await page.add_init_script(f"({_COUNT})()")
    await page.evaluate(_COUNT)


@asynccontextmanager
async def task(page: Page, name: str, *, most: int) -> AsyncIterator[Task]:
    """Hold what is done until the context ends to so many clicks; the line that is printed is the record."""
    before = await page.evaluate(_READ)
    done, began_s = Task(name=name), time.monotonic()
    yield done
    done.waited_s = time.monotonic() - began_s
    after = await page.evaluate(_READ)
    done.clicks, done.last_wait_s = after["clicks"] - before["clicks"], (after["now"] - after["last"]) / 1000
    print(f"{name}: {done.clicks} clicks, {done.waited_s:.1f} s of waiting, {done.last_wait_s:.1f} s after the last")
    assert 0 < done.clicks <= most, f"{name} took {done.clicks} clicks"
