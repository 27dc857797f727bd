"""Logs: one line an event, with its ids and without secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from tablewright.telemetry import configure, log_context, quiet, redact


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave logging as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.disable(logging.NOTSET)


def test_a_line_is_json_with_the_ids_of_what_it_belongs_to() -> None:
    written = io.StringIO()
    configure(form="json", stream=written)
    with log_context(run_id="r1"):
        logging.getLogger("tablewright.x").info("步骤 %s", 3, extra={"step": 3})
    line = json.loads(written.getvalue())
    assert line["event"] == "步骤 3"
    assert (line["run_id"], line["step"], line["level"], line["logger"]) == ("r1", 3, "info", "tablewright.x")


@pytest.mark.parametrize(
    "said",
    [
        "Authorization: Bearer hush-hush",
        "key tw_hush-hush",
        "api_key=hush-hush",
        "postgresql://u:hush-hush@db/x",
        "sk-hush-hush",
        '"password": "hush-hush"',
    ],
)
def test_secrets_do_not_reach_the_log(said: str) -> None:
    written = io.StringIO()
    configure(form="json", stream=written)
    logging.getLogger("tablewright.x").warning("%s", said)
    try:
        raise ValueError(said)
    except ValueError:
        logging.getLogger("tablewright.x").exception("broken")
    assert "hush-hush" not in written.getvalue()
    assert "hush-hush" not in redact(said)


def test_a_command_logs_nothing() -> None:
    written = io.StringIO()
    configure(form="json", stream=written)
    quiet()
    logging.getLogger("tablewright.x").error("nobody hears")
    assert written.getvalue() == ""
