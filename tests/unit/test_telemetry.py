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


_BEGUN = "-----BEGIN" + " {}PRIVATE KEY-----"
"""Put together here, so that no line of this file looks like a key."""


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


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("mysql://root:p@ss@h/db", "mysql://root:***@h/db"),
        ("mysql://me@corp.com:pw@h/db?x=a@b", "mysql://me@corp.com:***@h/db?x=a@b"),
        ("postgresql://u:1@h:5432/db", "postgresql://u:***@h:5432/db"),
        ("postgresql://u:a/b?c#d@h/db", "postgresql://u:***@h/db"),
        ("redis://:pw@h:6379/0", "redis://:***@h:6379/0"),
        ("https://x/?api_key=abc&n=1", "https://x/?api_key=***&n=1"),
        ("https://x/?key=abc&n=1", "https://x/?key=***&n=1"),
        ('{"password": "x y z", "n": 1}', '{"password": "***", "n": 1}'),
        ('{"password": "x \\"y\\" z", "n": 1}', '{"password": "***", "n": 1}'),
        ('{\\"password\\": \\"x y z\\", \\"n\\": 1}', '{\\"password\\": \\"***\\", \\"n\\": 1}'),
        ("{'client_secret': 'x y'}", "{'client_secret': '***'}"),
        ("accessToken=a@b", "accessToken=***"),
        ("PWD=x;Server=y", "PWD=***;Server=y"),
        ("Authorization: Basic dXNlcjpwdw==", "Authorization: ***"),
        ("Authorization: Bearer abcdef", "Authorization: Bearer ***"),
        ("密码：红旗123，好", "密码：***，好"),
        ("密码是hunter2", "密码是***"),
        ("id AKIA" + "IOSFODNN7EXAMPLE.", "id AKIA***."),
        ("ghp_abcdefghij0123456789", "ghp_***"),
        ("tvly-abcdefgh12", "tvly-***"),
        ("jwt eyJhbGciOi.eyJzdWIiOi.sig_n-a!", "jwt eyJ***!"),
        (
            f"{_BEGUN.format('RSA ')}\nMIIx\nab==\n-----END RSA PRIVATE KEY-----\nrest",
            f"{_BEGUN.format('RSA ')}***-----END RSA PRIVATE KEY-----\nrest",
        ),
        (f"{_BEGUN.format('')}\nMIIx", f"{_BEGUN.format('')}***"),
    ],
)
def test_a_secret_goes_and_what_stands_around_it_stays(said: str, left: str) -> None:
    assert redact(said) == left
    assert redact(left) == left


@pytest.mark.parametrize(
    "said",
    [
        "http://h:8080/p?x=1",
        "http://h:8080/a@b",
        "http://h:8080, then me@x.org",
        "http://[::1]:8080/a@b",
        "postgresql://reader@h:5432/db",
        "risk-averse, desk-topology, sk-learn",
        "tw_sales_by_region",
        "max_tokens=4000, token_count: 12, tokens: 5",
        '{"password": null, "secret": ""}',
        "Basic statistics; the bearer of news",
        "密码是什么",
        "at 12:30:45 a@b",
    ],
)
def test_what_is_no_secret_stays(said: str) -> None:
    assert redact(said) == said


def test_a_text_under_the_name_of_a_secret_is_one() -> None:
    written = io.StringIO()
    configure(form="json", stream=written)
    logging.getLogger("tablewright.x").info("connected", extra={"db_password": "hush hush", "tokens": "12"})
    line = json.loads(written.getvalue())
    assert (line["db_password"], line["tokens"]) == ("***", "12")


def test_a_command_logs_nothing() -> None:
    written = io.StringIO()
    configure(form="json", stream=written)
    quiet()
    logging.getLogger("tablewright.x").error("nobody hears")
    assert written.getvalue() == ""
