"""Generated requests against the OpenAPI document: nothing breaks, and every answer is as documented."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

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

from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.bootstrap.keys import Keys
from tablewright.cli.serve import bind

EXAMPLES = 12
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve fake parts on a free port."""
    folder: Path = tmp_path_factory.mktemp("service")
    api = create_api(FakeParts(folder=folder).opening(), Access(keyless=True, read_key=Keys(folder).scope_of))
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(api, log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(timeout=0.01)
    assert thread.is_alive()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=60)
    assert not thread.is_alive()


def document() -> dict[str, Any]:
    api = create_api(cast(Any, nullcontext()), Access(keyless=True, read_key=lambda _key: None))
    return api.openapi()


schema = schemathesis.openapi.from_dict(document()).exclude(path_regex="/events$")


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
    case.call_and_validate(base_url=service, checks=CHECKS, timeout=60)
