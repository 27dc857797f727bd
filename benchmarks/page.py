"""How smoothly the page scrolls through a large sheet: frames, scripting and layout in Chromium.

    python benchmarks/page.py [--rows 100000] [--columns 20] [--url http://127.0.0.1:8787]

Makes a workbook, gives it to the service (one is started unless `--url` names it), opens the page and turns the wheel
for some seconds. Prints one JSON object: times in milliseconds, p95 of frames and of the main thread's work per frame.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
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
WORK = frozenset({"FunctionCall", "Layout", "UpdateLayoutTree", "PrePaint", "Paint", "Layerize", "FireAnimationFrame"})


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
    command = ("tablewright", "serve", "--port", "0")
    service = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=environment)
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
        "frames": len(frames),
        "frame_p50_ms": at(frames, 0.5),
        "frame_p95_ms": at(frames, 0.95),
        "frame_max_ms": at(frames, 1),
        "work_p50_ms": at(work, 0.5),
        "work_p95_ms": at(work, 0.95),
    }


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


def work_per_frame(events: list[dict[str, Any]]) -> list[float]:
    """Return the main thread's scripting, style, layout and painting between one frame's start and the next."""
    page = next((event["tid"] for event in events if event.get("name") == "FireAnimationFrame"), None)
    mine = sorted((event for event in events if event.get("tid") == page), key=lambda event: event.get("ts", 0))
    starts = [event["ts"] for event in mine if event.get("name") == "FireAnimationFrame"]
    found: list[float] = []
    for start, end in itertools.pairwise(starts):
        here = [event for event in mine if start <= event.get("ts", 0) < end and event.get("name") in WORK]
        outer_end, total = 0.0, 0.0
        for event in here:
            if event["ts"] >= outer_end:
                total += event.get("dur", 0)
                outer_end = event["ts"] + event.get("dur", 0)
        found.append(total / 1_000)
    return found


def at(values: list[float], share: float) -> float | None:
    """Return the value below which a share of the values are."""
    ordered = sorted(values)
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 1) if ordered else None


if __name__ == "__main__":
    main()
