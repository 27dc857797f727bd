"""How smoothly the page scrolls through a large sheet: frames, scripting and layout in Chromium.

    python benchmarks/page.py [--rows 100000] [--columns 20] [--url http://127.0.0.1:8787]

Makes a workbook, gives it to the service (one is started unless `--url` names it), opens the page and turns the wheel
for some seconds. Prints one JSON object, times in milliseconds: what the first cells waited for, how long frames took,
and the main thread's work for one, apart: scripting, style and layout (`script_layout`), painting and handing over
(`painting`), and both (`work`); by the clock, and as processor time (`_cpu`), which other programs change little.
Raster and drawing are other threads' work and count to the frame alone.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import xlsxwriter
from playwright.async_api import Page, async_playwright

CHROMIUM = "/usr/bin/chromium"
WHEEL_PX, TURNS = 240, 240
FRAMES = """() => { window.__frames = []; let last = performance.now();
  const tick = (now) => { window.__frames.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick); }"""
FILLED = "() => document.querySelectorAll('[role=gridcell]:not(:empty)').length > 20"
SCRIPTING = {"FunctionCall", "EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks", "EvaluateScript"}
SCRIPT_LAYOUT = frozenset({*SCRIPTING, "MinorGC", "MajorGC", "HitTest", "UpdateLayoutTree", "Layout"})
PAINTING = frozenset({"PrePaint", "Paint", "Layerize", "Commit"})
FRAME = "Layerize"
"""Is there once in each frame, after its scripts and its layout."""
WAITS = """() => Object.fromEntries(performance.getEntriesByType('resource').flatMap((each) => {
  const part = [[/\\/sheets$/, 'sheets'], [/\\/layout$/, 'layout'], [/\\/window$/, 'window']]
    .find(([path]) => path.test(new URL(each.name).pathname));
  return part ? [[part[1], Math.round(each.duration)]] : []; }).reverse())"""
"""How long the first of each request took that cells wait for: the list of sheets, then the others together."""


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rows", type=int, default=100_000)
    given.add_argument("--columns", type=int, default=20)
    given.add_argument("--url", default=None)
    given.add_argument("--path", default="/", help="where the page is served")
    wanted = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "large.xlsx"
        write_book(book, wanted.rows, wanted.columns)
        print(json.dumps(asyncio.run(measured(book, wanted.url, wanted.path, Path(folder))), indent=2))


def write_book(path: Path, rows: int, columns: int) -> None:
    """Write texts, amounts, days and counts in turn."""
    chance = random.Random(1)  # the same book each time
    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        amount, day = book.add_format({"num_format": "#,##0.00"}), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet = book.add_worksheet("Orders")
        sheet.freeze_panes(1, 1)
        sheet.write_row(0, 0, [f"Column {column}" for column in range(columns)])
        for row in range(1, rows + 1):
            for column in range(columns):
                if column % 4 == 0:
                    sheet.write_string(row, column, f"Text {chance.randrange(3_000)}")
                elif column % 4 == 1:
                    sheet.write_number(row, column, chance.random() * 10_000, amount)
                else:
                    sheet.write_number(row, column, 44_000 + chance.randrange(900), day if column % 4 == 2 else None)


async def measured(book: Path, url: str | None, path: str, folder: Path) -> dict[str, Any]:
    """Return what was measured, on a service of its own if none is named."""
    if url is not None:
        return await scrolled(book, url, path)
    environment = os.environ | {"TABLEWRIGHT_DATA_DIR": str(folder / "data")}
    command = Path(sys.executable).with_name("tablewright")
    service = await asyncio.create_subprocess_exec(
        command, "serve", "--port", "0", stdout=asyncio.subprocess.PIPE, env=environment
    )
    try:
        assert service.stdout is not None
        line = b""
        while b"http://" not in line:
            line = await service.stdout.readline()
        return await scrolled(book, line.decode().split("is ready: ")[-1].strip(), path)
    finally:
        service.terminate()
        await service.wait()


async def scrolled(book: Path, url: str, path: str) -> dict[str, Any]:
    """Open the page on the book, scroll, and return what the browser tells."""
    conversation = await asyncio.to_thread(uploaded, url, book)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1_500, "height": 900})
        began = time.perf_counter()
        await page.goto(f"{url}{path}#/c/{conversation}")
        await page.wait_for_function(FILLED, timeout=120_000)
        shown_ms = (time.perf_counter() - began) * 1_000
        waits = await page.evaluate(WAITS)
        await browser.start_tracing(
            page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"]
        )
        await page.evaluate(FRAMES)
        await turned(page)
        frames = await page.evaluate("() => window.__frames.slice(2)")
        events = json.loads(await browser.stop_tracing())["traceEvents"]
        paint = await page.evaluate(
            "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
        )
        await browser.close()
    work = work_per_frame(events)
    return {
        "first_paint_ms": paint,
        "cells_shown_ms": round(shown_ms),
        "waited_for_ms": waits,
        "frames": len(frames),
        "frame_p50_ms": at(frames, 0.5),
        "frame_p95_ms": at(frames, 0.95),
        "frame_max_ms": at(frames, 1),
    } | {f"{part}_{name}_ms": at(work[part], share) for part in work for name, share in (("p50", 0.5), ("p95", 0.95))}


async def turned(page: Page) -> None:
    """Turn the wheel over the grid, now and then far."""
    box = await page.locator("[role=grid]").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for turn in range(TURNS):
        await page.mouse.wheel(0, WHEEL_PX * (20 if turn % 40 == 39 else 1))
        await page.wait_for_timeout(8)


def uploaded(url: str, book: Path) -> str:
    """Put the book into a new conversation and return its id."""
    head = {"content-type": "application/json"}
    with urlopen(Request(f"{url}/api/v1/conversations", b"{}", head)) as made:
        conversation = str(json.load(made)["id"])
    mark = "-----book"
    start = f'--{mark}\r\ncontent-disposition: form-data; name="file"; filename="large.xlsx"\r\n\r\n'.encode()
    body = start + book.read_bytes() + f"\r\n--{mark}--\r\n".encode()
    head = {"content-type": f"multipart/form-data; boundary={mark}"}
    with urlopen(Request(f"{url}/api/v1/files?conversation_id={conversation}", body, head)):
        return conversation


def work_per_frame(events: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Return the main thread's work from one frame to the next, by what it was."""
    page = next(((each["pid"], each["tid"]) for each in events if each.get("name") == "FireAnimationFrame"), None)
    mine = sorted(
        (each for each in events if (each.get("pid"), each.get("tid")) == page and each.get("ph") == "X"),
        key=lambda each: each["ts"],
    )
    starts = [each["ts"] for each in mine if each["name"] == FRAME]
    parts = {"script_layout": SCRIPT_LAYOUT, "painting": PAINTING, "work": SCRIPT_LAYOUT | PAINTING}
    return {
        f"{part}{kind}": per_frame([each for each in mine if each["name"] in names], starts, measure)
        for part, names in parts.items()
        for kind, measure in (("", "dur"), ("_cpu", "tdur"))
    }


def per_frame(events: list[dict[str, Any]], starts: list[float], measure: str) -> list[float]:
    """Return how long events took in each frame by a measure, those within others once."""
    found = [0.0] * (len(starts) - 1)
    outer_end = 0.0
    for event in events:
        if event["ts"] < outer_end:
            continue
        outer_end = event["ts"] + event.get("dur", 0)
        frame = bisect.bisect_right(starts, event["ts"]) - 1
        if 0 <= frame < len(found):
            found[frame] += event.get(measure, 0) / 1_000
    return found


def at(values: list[float], share: float) -> float | None:
    """Return the value below which a share of the values are."""
    ordered = sorted(values)
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 1) if ordered else None


if __name__ == "__main__":
    main()
