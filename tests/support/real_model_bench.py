"""A bench for what the product makes of a small real language model: its commands, its service, what is asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.patience import TEST_S
from tests.support.real_model import NoRealModelError, RealModel, real_model

Language = Literal["en", "zh"]
LIMITS = {
    "TABLEWRIGHT_AGENTS__EXECUTORS": "1",
    "TABLEWRIGHT_AGENTS__MAX_INPUT_TOKENS": "2500",
    "TABLEWRIGHT_AGENTS__MAX_STEPS": "2",
    "TABLEWRIGHT_REACT__MAX_STEPS": "2",
    "TABLEWRIGHT_REACT__MAX_STEP_RETRY": "1",
    "TABLEWRIGHT_REACT__MAX_TOTAL_RETRY": "1",
    "TABLEWRIGHT_REPORT__MAX_ROUNDS": "2",
    "TABLEWRIGHT_ROUNDS__MAX_ROUNDS": "3",
    "TABLEWRIGHT_RUNS__TOKENS": "30000",
}
ASKED = {"en": "Which city has the largest amount?", "zh": "哪个城市的金额最大？"}
WISHED = {"en": "Sort the rows by amount", "zh": "按金额降序排序"}
TABLES = {
    "en": "city,product,amount\nBeijing,tea,120\nShanghai,tea,80\nBeijing,coffee,30.5\n",
    "zh": "城市,产品,金额\n北京,茶,120\n上海,茶,80\n北京,咖啡,30.5\n",
}
SHEETS = {
    "en": [{"name": "Sheet1", "range": "A1:B3", "data": [["Product", "Sales"], ["Pen", 12], ["Ink", 30]]}],
    "zh": [{"name": "表1", "range": "A1:B3", "data": [["产品", "销售额"], ["笔", 12], ["墨", 30]]}],
}
MOST_RESIDENT_BYTES = 2_000_000_000
both = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture(scope="module")
def small_model() -> Iterator[RealModel]:
    """Return the one server that all these tests use."""
    try:
        with real_model() as running:
            yield running
            assert running.resident_bytes < MOST_RESIDENT_BYTES
    except NoRealModelError as why:
        pytest.skip(str(why))


@pytest.fixture
def real(commands: Commands, small_model: RealModel) -> Commands:
    """Return commands that can name `tiny:smollm2`, asked for text, and `held:smollm2`, held to a schema."""
    commands.environ = {**small_model.environ, **LIMITS}
    for language, table in TABLES.items():
        (commands.folder / f"{language}.csv").write_text(table, encoding="utf-8")
    return commands


@asynccontextmanager
async def serving(real: Commands, name: str) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve with this model as the default; in the end the service must still be alive."""
    real.environ = {**real.environ, "TABLEWRIGHT_MODEL": name}
    async with real.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=TEST_S) as http:
        yield http
        assert (await http.get("/health")).status_code == 200
        assert process.returncode is None


async def upload(http: httpx2.AsyncClient, language: Language) -> str:
    sent = await http.post("/api/v1/files", files={"file": (f"{language}.csv", TABLES[language].encode())})
    assert sent.status_code == 201, sent.text
    file_id: str = sent.json()["id"]
    return file_id


def frames_in(stream: str) -> list[dict[str, Any]]:
    """Return what an SSE stream carries, frame by frame."""
    lines = [line.removeprefix("data:").strip() for line in stream.split("\n") if line.startswith("data:")]
    return [json.loads(line) for line in lines]
