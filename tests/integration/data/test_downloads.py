"""Downloads over real HTTP on loopback: what is fetched, and what is refused although a stranger asks for it."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address

import pytest
from tests.support.patience import PATIENCE_S, slow
from tests.support.scripted_http import Hang, Response, ScriptedServer

from tablewright.data.download import Address, DownloadLimits, GuardedDownloads, is_public, resolve
from tablewright.errors import DownloadFailed, DownloadRefused, FileTooLarge, TablewrightError

CSV = b"region,sales\nnorth,1\nsouth,2\n"
MIB = 1024**2


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


def downloads(server: ScriptedServer, **limits: float) -> GuardedDownloads:
    """Downloads that may reach this one server besides public ones."""
    port = int(server.url.rpartition(":")[2])
    return GuardedDownloads(
        DownloadLimits(**limits),  # type: ignore[arg-type]  # fields of the limits
        admits=lambda address, asked: is_public(address) or asked == port,
    )


def answer(*steps: bytes | Hang, status: int = 200, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(steps=steps, status=status, headers={"content-type": "text/csv", **named})


async def fetched(guarded: GuardedDownloads, url: str) -> tuple[str, bytes]:
    async with guarded.open(url) as download:
        return download.name, b"".join([piece async for piece in download.content])


async def refused(guarded: GuardedDownloads, url: str) -> TablewrightError:
    with pytest.raises((DownloadRefused, DownloadFailed, FileTooLarge)) as raised:
        await fetched(guarded, url)
    return raised.value


async def test_a_table_is_fetched_under_the_name_that_its_server_gives(server: ScriptedServer) -> None:
    named = "attachment; filename=\"x.csv\"; filename*=UTF-8''%E9%94%80%E5%94%AE.csv"
    server.respond(answer(CSV), answer(CSV, content_disposition=named), answer(CSV))
    guarded = downloads(server)
    assert await fetched(guarded, f"{server.url}/files/sales.csv?token=secret") == ("sales.csv", CSV)
    assert await fetched(guarded, f"{server.url}/export") == ("销售.csv", CSV)
    assert await fetched(guarded, f"{server.url}/export.php") == ("export.csv", CSV)


async def test_a_redirect_is_followed_and_its_body_is_not_read(server: ScriptedServer) -> None:
    away = answer(b"x" * 1024, Hang(), status=302, location="/there.csv")
    server.respond(away, answer(CSV))
    assert await fetched(downloads(server, timeout_s=PATIENCE_S), f"{server.url}/here") == ("there.csv", CSV)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1", "0.0.0.0", "0177.0.0.1"],
)
async def test_no_way_of_writing_this_machine_reaches_it(server: ScriptedServer, host: str) -> None:
    port = server.url.rpartition(":")[2]
    error = await refused(GuardedDownloads(), f"http://{host}:{port}/sales.csv")
    assert error.detail in {"download_address", "download_unreachable", "download_scheme"}
    assert server.requests == []


@pytest.mark.requirement("data-downloads-public-only")
@pytest.mark.parametrize("host", ["10.0.0.1", "192.168.0.1", "169.254.169.254", "[fe80::1]", "100.64.0.1", "[fd00::1]"])
async def test_private_and_metadata_addresses_are_refused_before_anything_is_sent(host: str) -> None:
    error = await refused(GuardedDownloads(), f"http://{host}/latest/meta-data/x.csv")
    assert (error.code, error.detail) == ("download_refused", "download_address")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.com/a.csv", "gopher://x/", "sales.csv", "http://", ""]
)
async def test_only_http_is_spoken(url: str) -> None:
    assert (await refused(GuardedDownloads(), url)).detail == "download_scheme"


async def test_a_redirect_to_another_service_of_this_machine_is_refused(server: ScriptedServer) -> None:
    async with ScriptedServer() as inner:
        for place in (f"{inner.url}/admin.csv", "http://169.254.169.254/x.csv", "file:///etc/passwd"):
            server.respond(answer(status=302, location=place))
            assert (await refused(downloads(server), f"{server.url}/a.csv")).code == "download_refused"
        assert inner.requests == []


async def test_a_name_is_resolved_once_and_the_connection_goes_to_what_was_checked(server: ScriptedServer) -> None:
    """The name means the server when it is checked and the inner machine the next time it is asked for."""
    port = int(server.url.rpartition(":")[2])
    said: list[Sequence[Address]] = [(ip_address("127.0.0.1"),), (ip_address("10.0.0.1"),)]
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[Address]:
        asked.append(host)
        return said[len(asked) - 1]

    guarded = GuardedDownloads(admits=lambda address, at: at == port and address.is_loopback, resolve=rebinding)
    server.respond(answer(CSV), answer(CSV))
    assert await fetched(guarded, f"http://rebound.example:{port}/a.csv") == ("a.csv", CSV)
    assert asked == ["rebound.example"]
    assert server.requests[0].headers["host"] == f"rebound.example:{port}"
    assert (await refused(guarded, f"http://rebound.example:{port}/a.csv")).detail == "download_address"
    assert len(server.requests) == 1


async def test_a_name_that_also_stands_for_a_private_address_is_refused(server: ScriptedServer) -> None:
    async def mixed(host: str, port: int) -> Sequence[Address]:
        return ip_address("93.184.215.14"), ip_address("127.0.0.1")

    assert (await refused(GuardedDownloads(resolve=mixed), f"{server.url}/a.csv")).detail == "download_address"
    assert server.requests == []


async def test_a_server_that_passes_on_for_ever_is_left(server: ScriptedServer) -> None:
    server.respond(*[answer(status=302, location="/a.csv") for _ in range(9)])
    assert (await refused(downloads(server, redirects=3), f"{server.url}/a.csv")).detail == "download_redirects"
    assert len(server.requests) == 4


async def test_what_is_too_large_is_refused_by_its_length_or_while_it_comes(server: ScriptedServer) -> None:
    pieces = [os.urandom(64 * 1024) for _ in range(64)]
    server.respond(answer(*pieces, Hang()))
    error = await refused(downloads(server, size_bytes=MIB, timeout_s=PATIENCE_S), f"{server.url}/a.csv")
    assert (error.code, error.params["limit_bytes"]) == ("file_too_large", MIB)


async def test_what_unpacks_to_more_than_is_allowed_is_refused_while_it_unpacks(server: ScriptedServer) -> None:
    bomb = gzip.compress(bytes(200 * MIB), 9)
    assert len(bomb) < MIB
    server.respond(answer(bomb, content_encoding="gzip"), answer(gzip.compress(CSV), content_encoding="gzip"))
    error = await refused(downloads(server, size_bytes=8 * MIB), f"{server.url}/a.csv")
    assert error.code == "file_too_large"
    assert await fetched(downloads(server), f"{server.url}/a.csv") == ("a.csv", CSV)
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "compress"])
async def test_other_and_nested_compressions_are_refused(server: ScriptedServer, coding: str) -> None:
    server.respond(answer(zlib.compress(CSV), content_encoding=coding))
    assert (await refused(downloads(server), f"{server.url}/a.csv")).detail == "download_encoding"


async def test_damaged_compression_is_said(server: ScriptedServer) -> None:
    server.respond(answer(gzip.compress(CSV)[:-9], content_encoding="gzip"))
    assert (await refused(downloads(server), f"{server.url}/a.csv")).detail == "download_damaged"


@pytest.mark.parametrize("mime", ["text/html; charset=utf-8", "image/png", "application/pdf", "application/x-sh"])
async def test_what_is_no_table_is_refused_whatever_its_name(server: ScriptedServer, mime: str) -> None:
    server.respond(answer(b"<html>sign in</html>", content_type=mime))
    assert (await refused(downloads(server), f"{server.url}/sales.csv")).detail == "download_type"


async def test_bytes_without_a_type_are_taken_by_their_name(server: ScriptedServer) -> None:
    plain = answer(b"PAR1", content_type="application/octet-stream")
    server.respond(plain, plain)
    assert (await fetched(downloads(server), f"{server.url}/sales.parquet"))[0] == "sales.parquet"
    assert (await refused(downloads(server), f"{server.url}/sales.exe")).detail == "download_type"


async def test_a_server_that_is_slow_says_no_or_is_not_there_is_told_apart(server: ScriptedServer) -> None:
    server.respond(answer(CSV, Hang()), answer(status=404))
    assert (await refused(downloads(server, timeout_s=slow(0.3)), f"{server.url}/a.csv")).detail == "download_slow"
    missing = await refused(downloads(server), f"{server.url}/a.csv")
    assert (missing.detail, missing.params["status"]) == ("download_status", 404)
    async with ScriptedServer() as gone:
        guarded, url = downloads(gone), gone.url
    assert (await refused(guarded, f"{url}/a.csv")).detail == "download_unreachable"


async def test_secrets_of_an_address_are_not_told(server: ScriptedServer) -> None:
    server.respond(answer(status=403))
    error = await refused(downloads(server), f"{server.url}/a.csv?signature=hidden")
    assert "hidden" not in str(error)
    with_password = server.url.replace("http://", "http://me:hidden@")
    error = await refused(downloads(server), f"{with_password}/a.csv")
    assert error.detail == "download_credentials"
    assert "hidden" not in str(error)


async def test_no_proxy_of_the_environment_is_used(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ScriptedServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        server.respond(answer(CSV))
        assert await fetched(downloads(server), f"{server.url}/a.csv") == ("a.csv", CSV)
        assert proxy.requests == []


async def test_numbers_in_any_notation_are_resolved_as_the_system_takes_them() -> None:
    assert [str(address) for address in await resolve("0x7f.1", 80)] == ["127.0.0.1"]
