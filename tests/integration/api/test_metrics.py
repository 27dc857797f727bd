"""What Prometheus is told."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from prometheus_client.parser import text_string_to_metric_families
from tests.support.model_requests import all_parts, request
from tests.support.parts import FakeParts

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.data.fair_queue import SMALL_BYTES
from tablewright.data.turns import Turns
from tablewright.domain.ids import SystemClock
from tablewright.errors import ModelStreamCut
from tablewright.metrics import Metrics
from tablewright.models.base import UsageSeen
from tablewright.models.counted import CountedModel
from tablewright.models.scripted import Reply, ScriptedModel, StreamCut
from tablewright.service.api_keys import ApiKeys

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "reference" / "metrics.md"
ROW = re.compile(r"^\| `(tablewright_[a-z_]+)` \| (\w+) \|", re.MULTILINE)


async def samples(client: httpx2.AsyncClient) -> dict[str, float]:
    """Return every sample by its name and labels."""
    got = await client.get("/metrics")
    assert got.status_code == 200
    assert got.headers["content-type"].startswith("text/plain")
    return read(got.text)


def read(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@pytest.mark.requirement("metrics-of-what-happens")
async def test_runs_steps_requests_and_the_disk_are_told(client: httpx2.AsyncClient) -> None:
    made = (await client.post("/api/v1/conversations", json={})).json()["id"]
    run_id = (await client.post(f"/api/v1/conversations/{made}/messages", json={"text": "How many?"})).json()["run_id"]
    await client.get(f"/api/v1/runs/{run_id}/events")
    await client.get("/api/v1/runs/none")
    await client.get("/no/such/<place>")
    told = await samples(client)
    assert told["tablewright_runs_total{outcome=completed}"] == 1
    assert told["tablewright_runs_running{}"] == 0
    assert told["tablewright_run_wait_seconds_count{}"] == 1
    assert told["tablewright_steps_total{status=ok}"] == 1
    assert told["tablewright_event_watchers{}"] == 0
    assert told["tablewright_sandbox_workers{state=leased}"] == 0
    assert told["tablewright_disk_bytes{kind=total}"] > told["tablewright_disk_bytes{kind=free}"] > 0
    route = "route=/api/v1/runs/{run_id}"
    assert told[f"tablewright_http_requests_total{{method=GET,{route},status=404}}"] == 1
    assert told[f"tablewright_http_request_seconds_count{{method=GET,{route}}}"] == 1
    assert not [name for name in told if "place" in name]


@pytest.mark.requirement("metrics-of-what-happens")
async def test_readers_tell_how_busy_they_are_and_what_waits_by_size(
    parts: FakeParts, client: httpx2.AsyncClient
) -> None:
    parts.pools["tables"] = turns = Turns(2)
    large, small = 100 * SMALL_BYTES, 10

    async def held(size_bytes: int) -> None:
        async with turns.turn("ann", size_bytes):
            await asyncio.Event().wait()

    holding = [asyncio.create_task(held(size_bytes)) for size_bytes in (large, large, small, small, small)]
    await asyncio.sleep(0)  # each has asked for its turn
    told = await samples(client)
    for task in holding:
        task.cancel()
    assert {name: value for name, value in told.items() if "_readers_" in name} == {
        "tablewright_readers_busy{pool=tables,size=large}": 1,
        "tablewright_readers_busy{pool=tables,size=small}": 1,
        "tablewright_readers_waiting{pool=tables,size=large}": 1,
        "tablewright_readers_waiting{pool=tables,size=small}": 2,
        "tablewright_readers_limit{pool=tables}": 2,
    }
    await asyncio.gather(*holding, return_exceptions=True)
    told = await samples(client)
    assert told["tablewright_readers_busy{pool=tables,size=large}"] == 0
    assert told["tablewright_readers_waiting{pool=tables,size=small}"] == 0


async def test_every_metric_is_documented_with_its_type_and_labels(client: httpx2.AsyncClient) -> None:
    await client.get("/health")
    text = (await client.get("/metrics")).text
    families = {family.name: family.type for family in text_string_to_metric_families(text)}
    told = {name + ("_total" if kind == "counter" else ""): kind for name, kind in families.items()}
    told = {name: kind for name, kind in told.items() if not name.endswith("_created")}
    assert dict(ROW.findall(DOCUMENT.read_text(encoding="utf-8"))) == told


async def test_metrics_need_a_key_where_other_requests_do(parts: FakeParts, tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path)
    key = keys.create("ops", SystemClock())
    api = create_api(parts.opening(), Access(keyless=False, read_key=keys.scope_of))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://tables.example") as http:
            assert (await http.get("/health")).status_code == 200
            assert (await http.get("/metrics")).status_code == 401
            assert (await http.get("/metrics", headers={"authorization": f"Bearer {key}"})).status_code == 200


async def test_calls_tokens_and_errors_of_a_model_are_told() -> None:
    usage = UsageSeen(input_tokens=30, output_tokens=4, method="provider")
    metrics = Metrics()
    model = CountedModel(
        ScriptedModel([Reply.of("well", usage), Reply.of("half", StreamCut())], name="mine:m"), metrics
    )
    await all_parts(model.stream(request()))
    with pytest.raises(ModelStreamCut):
        await all_parts(model.stream(request()))
    told = read(metrics.text().decode())
    assert told["tablewright_model_calls_total{model=mine:m}"] == 2
    assert told["tablewright_model_errors_total{code=model_stream_cut,model=mine:m}"] == 1
    assert told["tablewright_model_tokens_total{direction=input,model=mine:m}"] == 30
    assert told["tablewright_model_tokens_total{direction=output,model=mine:m}"] == 4
    assert told["tablewright_model_call_seconds_count{model=mine:m}"] == 2
