"""Requests to the web reach public machines alone, whatever they ask for and wherever they are redirected to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.scripted_http import Hang, Response, ScriptedServer, json_response

from tablewright.data.base import WebRequest
from tablewright.data.download import Address, DownloadLimits
from tablewright.data.web.requests import OURS, GuardedRequests
from tablewright.errors import DownloadFailed, DownloadRefused, FileTooLarge

MIB = 1024**2


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


def requests(server: ScriptedServer, *, size_bytes: int = MIB, timeout_s: float = PATIENCE_S) -> GuardedRequests:
    port = int(server.url.rpartition(":")[2])
    limits = DownloadLimits(size_bytes=size_bytes, timeout_s=timeout_s, redirects=3)
    return GuardedRequests(limits, admits=lambda address, at: at == port and address.is_loopback)


def away(place: str, status: int = 302) -> Response:
    return Response(steps=(), status=status, headers={"location": place})


async def test_a_request_is_sent_whole_and_its_answer_read(server: ScriptedServer) -> None:
    server.respond(json_response({"ok": 1}, status=201))
    request = WebRequest(
        method="PATCH", url=f"{server.url}/a?x=1", query=(("y", "ä"),), headers={"x-mine": "1"}, body=b'{"n": 1}'
    )
    answer = await requests(server).send(request)
    assert (answer.status, answer.text) == (201, '{"ok": 1}')
    (sent,) = server.requests
    assert (sent.method, sent.path, sent.json, sent.headers["x-mine"]) == ("PATCH", "/a?x=1&y=%C3%A4", {"n": 1}, "1")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "169.254.169.254", "10.0.0.1"])
async def test_no_private_machine_is_reached_by_any_method(server: ScriptedServer, method: str, host: str) -> None:
    port = server.url.rpartition(":")[2]
    with pytest.raises((DownloadRefused, DownloadFailed)):
        await GuardedRequests().send(WebRequest(method=method, url=f"http://{host}:{port}/x"))  # type: ignore[arg-type]
    assert server.requests == []


async def test_a_redirect_to_a_private_machine_is_refused_and_one_of_an_effect_not_followed(
    server: ScriptedServer,
) -> None:
    async with ScriptedServer() as inner:
        for place in (f"{inner.url}/admin", "http://169.254.169.254/x", "file:///etc/passwd"):
            server.respond(away(place))
            with pytest.raises(DownloadRefused):
                await requests(server).send(WebRequest(method="GET", url=f"{server.url}/a"))
        server.respond(away(f"{server.url}/b", status=307))
        answer = await requests(server).send(WebRequest(method="POST", url=f"{server.url}/a", body=b"x"))
        assert answer.status == 307
        assert inner.requests == []
        assert [sent.path for sent in server.requests] == ["/a"] * 4


async def test_a_name_is_resolved_once_and_the_connection_goes_to_what_was_checked(server: ScriptedServer) -> None:
    port = int(server.url.rpartition(":")[2])
    said: list[Sequence[Address]] = [(ip_address("127.0.0.1"),), (ip_address("10.0.0.1"),)]

    async def rebinding(host: str, at: int) -> Sequence[Address]:
        return said.pop(0)

    guarded = GuardedRequests(admits=lambda address, at: at == port and address.is_loopback, resolve=rebinding)
    server.respond(json_response({}), json_response({}))
    request = WebRequest(method="POST", url=f"http://rebound.example:{port}/a", body=b"x")
    assert (await guarded.send(request)).status == 200
    with pytest.raises(DownloadRefused):
        await guarded.send(request)
    assert [sent.headers["host"] for sent in server.requests] == [f"rebound.example:{port}"]


async def test_a_redirect_to_another_origin_goes_without_the_headers_of_the_first(server: ScriptedServer) -> None:
    port = int(server.url.rpartition(":")[2])

    async def here(host: str, at: int) -> Sequence[Address]:
        return (ip_address("127.0.0.1"),)

    guarded = GuardedRequests(admits=lambda address, at: at == port, resolve=here)
    server.respond(away(f"http://other.example:{port}/b"), json_response({}))
    headers = {"authorization": "Bearer secret", "x-api-key": "secret"}
    await guarded.send(WebRequest(method="GET", url=f"http://one.example:{port}/a", headers=headers))
    first, second = server.requests
    assert first.headers["x-api-key"] == "secret"
    assert "secret" not in str(second.headers)


@pytest.mark.parametrize("name", [*sorted(OURS), "a b", "x\r\ny", ""])
async def test_headers_of_the_connection_cannot_be_set(server: ScriptedServer, name: str) -> None:
    with pytest.raises(DownloadRefused) as refused:
        await requests(server).send(WebRequest(method="GET", url=server.url, headers={name: "x"}))
    assert refused.value.detail == "request_header"
    assert server.requests == []


@pytest.mark.parametrize("value", ["a\r\nx-evil: 1", "a\nb", "ä"])
async def test_values_of_headers_stay_values(server: ScriptedServer, value: str) -> None:
    with pytest.raises(DownloadRefused):
        await requests(server).send(WebRequest(method="GET", url=server.url, headers={"x-mine": value}))
    assert server.requests == []


async def test_what_is_too_large_too_slow_or_no_text_is_refused(server: ScriptedServer) -> None:
    text = {"content-type": "text/plain"}
    request = WebRequest(method="GET", url=server.url)
    server.respond(Response(steps=(*[b"x" * 65_536] * 64, Hang()), headers=text))
    with pytest.raises(FileTooLarge):
        await requests(server).send(request)
    server.respond(Response(steps=(b"\x89PNG",), headers={"content-type": "image/png"}))
    with pytest.raises(DownloadRefused):
        await requests(server).send(request)
    # The last one: on a busy machine the time may be over before the server has taken this response.
    server.respond(Response(steps=(b"x", Hang()), headers=text))
    with pytest.raises(DownloadFailed) as slow:
        await requests(server, timeout_s=0.2).send(request)
    assert slow.value.detail == "download_slow"
