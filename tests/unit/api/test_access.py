"""Who may come in."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from tablewright.api.access import Access, host_name, is_loopback
from tablewright.domain.scope import Scope
from tablewright.errors import Forbidden, InvalidInput, Unauthorized

KNOWN = {"tw_anna": Scope(owner="anna")}


def connection(method: str = "GET", **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "method": method, "scheme": "http", "path": "/", "headers": raw})


def rules(*, keyless: bool = True, hosts: frozenset[str] = frozenset()) -> Access:
    return Access(keyless=keyless, read_key=KNOWN.get, hosts=hosts)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]"])
def test_loopback_addresses_are_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "example.org", "localhost.evil.org", ""])
def test_any_other_address_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(("header", "name"), [("a:80", "a"), ("A", "a"), ("[::1]:8787", "[::1]"), ("[::1]", "[::1]")])
def test_a_host_header_is_read_with_and_without_its_port(header: str, name: str) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "LOCALHOST"])
def test_on_loopback_this_machines_names_are_taken(host: str) -> None:
    rules().check_address(connection(host=host))


@pytest.mark.parametrize("host", ["evil.org", "evil.org:8787", "127.0.0.1.evil.org", ""])
def test_on_loopback_any_other_name_is_refused(host: str) -> None:
    with pytest.raises(Forbidden):
        rules().check_address(connection(host=host))


def test_names_can_be_added_and_off_loopback_any_name_is_taken_without_such_a_list() -> None:
    rules(hosts=frozenset({"tables.example"})).check_address(connection(host="tables.example"))
    rules(keyless=False).check_address(connection(host="anything.example"))
    with pytest.raises(Forbidden):
        rules(keyless=False, hosts=frozenset({"tables.example"})).check_address(connection(host="other.example"))


def test_a_page_of_the_same_origin_may_ask() -> None:
    rules().check_address(connection(host="127.0.0.1:8787", origin="http://127.0.0.1:8787"))


@pytest.mark.parametrize(
    "origin",
    ["http://evil.org", "http://127.0.0.1:9999", "null", "http://localhost:8787", "http://127.0.0.1:8787.e.org"],
)
def test_a_page_of_another_origin_may_not(origin: str) -> None:
    with pytest.raises(Forbidden):
        rules().check_address(connection(host="127.0.0.1:8787", origin=origin))


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8"])
def test_a_change_as_json_is_taken(kind: str) -> None:
    rules().check_form(connection("POST", content_type=kind, content_length="5"), uploads=False)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_change_as_a_form_could_send_it_is_refused(kind: str) -> None:
    with pytest.raises(InvalidInput):
        rules().check_form(connection("POST", content_type=kind, content_length="5"), uploads=False)


def test_a_change_without_a_body_needs_no_type_and_an_upload_may_be_a_form() -> None:
    rules().check_form(connection("POST"), uploads=False)
    rules().check_form(
        connection("POST", content_type="multipart/form-data; boundary=x", content_length="9"), uploads=True
    )


def test_on_loopback_nobody_needs_a_key_but_a_wrong_one_is_refused() -> None:
    assert rules().scope(connection()) == Scope()
    assert rules().scope(connection(authorization="Bearer tw_anna")).owner == "anna"
    with pytest.raises(Unauthorized):
        rules().scope(connection(authorization="Bearer tw_other"))


def test_off_loopback_a_key_or_a_session_is_needed() -> None:
    access = rules(keyless=False)
    with pytest.raises(Unauthorized):
        access.scope(connection())
    token = access.sessions.open("tw_anna")
    assert access.scope(connection(cookie=f"a=b; tw_session={token}")).owner == "anna"
    access.sessions.close(token)
    with pytest.raises(Unauthorized):
        access.scope(connection(cookie=f"tw_session={token}"))
