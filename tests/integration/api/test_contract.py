"""Generated requests against the OpenAPI document: nothing breaks, and every answer is as documented."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.cli.serve import bind
from tablewright.service.api_keys import ApiKeys

EXAMPLES = 12
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve fake parts on a free port."""
    folder: Path = tmp_path_factory.mktemp("service")
    api = create_api(FakeParts(folder=folder).opening(), Access(keyless=True, read_key=ApiKeys(folder).scope_of))
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(api, log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(timeout=0.01)
    assert thread.is_alive()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=PATIENCE_S)
    assert not thread.is_alive()


@cache
def document() -> dict[str, Any]:
    api = create_api(cast(Any, nullcontext()), Access(keyless=True, read_key=lambda _key: None))
    return api.openapi()


schema = schemathesis.openapi.from_dict(document()).exclude(path_regex="/events$")


@pytest.mark.long
@pytest.mark.requirement("api-contract-holds")
@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
def test_generated_requests_are_answered_as_documented(case: schemathesis.Case[Any], service: str) -> None:
    case.headers.pop("accept", None)  # with it the answer may be a stream
    operation = document()["paths"][case.path].get(case.method.lower(), {"responses": {}})
    demanded = "500" in operation["responses"]
    checks = [check for check in CHECKS if check is not not_a_server_error or not demanded]
    response = case.call_and_validate(base_url=service, checks=checks, timeout=PATIENCE_S)
    assert not demanded or response.status_code != 500 or response.json()["error"]["code"] == "not_found"


WRONG = ("PUT", "DELETE", "POST", "GET", "PATCH")


@pytest.mark.requirement("api-contract-holds")
@pytest.mark.parametrize("path", sorted(document()["paths"]))
def test_a_method_that_a_path_does_not_take_is_answered_with_those_that_it_takes(service: str, path: str) -> None:
    taken = {method.upper() for method in document()["paths"][path]}
    method = next(name for name in WRONG if name not in taken)
    with httpx2.Client(base_url=service, timeout=PATIENCE_S) as http:
        got = http.request(method, path.replace("{", "").replace("}", ""))
    assert got.status_code == 405
    assert set(got.headers["allow"].split(", ")) == taken
    assert got.json()["error"]["code"] == "method_not_allowed"


@pytest.mark.requirement("api-contract-holds")
def test_what_exists_is_sent_as_documented(service: str) -> None:
    """Generated ids hit nothing: here the exports and downloads find something. A run of this kind has no plan and
    is of no workflow."""
    with httpx2.Client(base_url=f"{service}/api/v1", timeout=PATIENCE_S) as http:
        made = http.post("/conversations", json={}).json()["id"]
        files = {"file": ("a.csv", b"a,b\n1,2\n")}
        file_id = http.post("/files", params={"conversation_id": made}, files=files).json()["id"]
        asked = http.post(f"/conversations/{made}/messages", json={"text": "How many rows?"})
        run_id = asked.json()["run_id"]
        http.get(f"/runs/{run_id}/events")
    names = {"run_id": run_id, "file_id": file_id, "conversation_id": made, "filename": "a.csv", "kind": "html"}
    found = 0
    for path, methods in document()["paths"].items():
        needed = set(re.findall(r"{(\w+)}", path))
        if "get" not in methods or path.endswith(("/events", "/plan", "/workflow")) or not needed <= names.keys():
            continue
        case = schema[path]["GET"].Case(path_parameters={name: names[name] for name in needed})
        response = case.call_and_validate(base_url=service, checks=CHECKS, timeout=PATIENCE_S)
        assert response.status_code == 200, path
        found += bool(needed)
    assert found >= 9
