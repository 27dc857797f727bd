"""`tablewright serve`, as a process."""

from __future__ import annotations

import asyncio
import resource
import shutil
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S, slow
from tests.support.scripted_http import Hang
from tests.support.wire import Say

HALF_OPEN = 1500
ENDS_S = slow(4.0)
"""Far less than the stream would last, which has no end."""


async def test_the_demo_is_made_once_and_answers(commands: Commands) -> None:
    async with (
        commands.serving("--demo") as (url, _process),
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
    ):
        found = (await http.get("/api/v1/conversations")).json()["items"]
        assert {item["language"] for item in found} == {"zh", "en"}
        english = next(item["id"] for item in found if item["language"] == "en")
        question = (await http.get("/api/v1/samples")).json()["questions"][0]
        asked = await http.post(f"/api/v1/conversations/{english}/messages", json={"text": question})
        run_id = asked.json()["run_id"]
        events = (await http.get(f"/api/v1/runs/{run_id}/events")).text
        assert "event: output.image" in events
        assert (await http.get(f"/api/v1/runs/{run_id}")).json()["outcome"] == "completed"
        await http.delete(f"/api/v1/conversations/{english}")
    async with (
        commands.serving("--demo") as (url, _process),
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
    ):
        assert [item["language"] for item in (await http.get("/api/v1/conversations")).json()["items"]] == ["zh"]


async def test_a_signal_ends_the_service_at_once_though_a_stream_is_open(commands: Commands, sales: Path) -> None:
    async with FakeOpenAI() as model:
        model.says(Say(text="thinking about it"), Hang())
        commands.environ = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        }
        async with commands.serving() as (url, process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            made = (await http.post("/api/v1/conversations", json={})).json()["id"]
            message = {"text": "hi?", "model": "openai:fake", "mode": "analyze"}
            run_id = (await http.post(f"/api/v1/conversations/{made}/messages", json=message)).json()["run_id"]
            async with http.stream("GET", f"/api/v1/runs/{run_id}/events") as stream:
                lines = stream.aiter_lines()
                async with asyncio.timeout(PATIENCE_S):
                    while "thinking" not in await anext(lines):
                        pass
                    began = asyncio.get_running_loop().time()
                    process.send_signal(signal.SIGTERM)
                    async for _ in lines:
                        pass
            async with asyncio.timeout(PATIENCE_S):
                await process.communicate()
            assert asyncio.get_running_loop().time() - began < ENDS_S
            assert process.returncode == 0
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        run = (await http.get(f"/api/v1/runs/{run_id}")).json()
        assert run["outcome"] == "failed"
        assert run["failure"]["code"] == "owner_lost"


@pytest.mark.requirement("bad-input-port")
async def test_a_port_in_use_is_told_in_one_line(commands: Commands) -> None:
    async with commands.serving() as (url, _process):
        port = url.rsplit(":", 1)[1]
        said = await commands.run("serve", "--port", port)
    assert said.code == 1
    assert said.err.count("\n") == 1
    assert port in said.err
    assert "--port" in said.err
    assert "PORT=" in said.err


@pytest.mark.requirement("security-key-off-loopback")
async def test_off_loopback_it_does_not_start_without_a_key(commands: Commands) -> None:
    said = await commands.run("serve", "--host", "0.0.0.0", "--port", "0")
    assert said.code == 2
    assert "tablewright key create" in said.err
    made = await commands.run("key", "create")
    key = next(word for word in made.out.split() if word.startswith("tw_"))
    async with commands.serving("--host", "0.0.0.0") as (url, _process), httpx2.AsyncClient(base_url=url) as http:
        assert (await http.get("/api/v1/conversations")).status_code == 401
        allowed = await http.get("/api/v1/conversations", headers={"authorization": f"Bearer {key}"})
        assert allowed.status_code == 200


@pytest.mark.requirement("slow-clients-keep-nobody-out")
async def test_1500_half_open_requests_keep_nobody_out_of_a_service_with_1024_descriptors(commands: Commands) -> None:
    if shutil.which("prlimit") is None:
        pytest.skip("needs prlimit")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < HALF_OPEN + 500:
        pytest.skip("this process may not open as many connections")
    commands.before = ("prlimit", "--nofile=1024:1024")
    held: list[socket.socket] = []
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        host, port = url.removeprefix("http://").split(":")
        try:
            for number in range(HALF_OPEN):
                held.append(socket.create_connection((host, int(port)), timeout=PATIENCE_S))
                with suppress(OSError):
                    held[-1].sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n" if number % 2 else b"")
            assert (await http.get("/health")).status_code == 200
            assert (await http.post("/api/v1/conversations", json={})).status_code == 201
            sent = await http.post("/api/v1/files", files={"file": ("a.csv", b"a,b\n1,2\n")})
            assert sent.status_code == 201
        finally:
            for opened in held:
                opened.close()


OPENED = """
import asyncio, sys
from tablewright.bootstrap.build import build
from tablewright.settings.tree import ProviderSettings, Settings

SDK = ("pydantic_ai", "openai", "pydantic_ai.models.openai")

async def main():
    providers = {"mine": ProviderSettings(base_url="http://127.0.0.1:9/v1")} if sys.argv[2] == "provider" else {}
    settings = Settings(data_dir=sys.argv[1], providers=providers)
    async with build(settings) as app:
        await app.sandbox.ready()
        tries = 0
        while providers and not all(name in sys.modules for name in SDK) and (tries := tries + 1) < 6000:
            await asyncio.sleep(0.01)

asyncio.run(main())
print(all(name in sys.modules for name in SDK), any(name in sys.modules for name in SDK))
"""


@pytest.mark.requirement("models-sdk-loaded-ahead")
@pytest.mark.parametrize(("configured", "loaded"), [("provider", "True True"), ("none", "False False")])
async def test_the_sdk_of_a_configured_provider_is_loaded_before_it_is_asked_and_otherwise_never(
    tmp_path: Path, configured: str, loaded: str
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OPENED, str(tmp_path / "data"), configured, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, _ = await process.communicate()
    assert out.decode().strip() == loaded
