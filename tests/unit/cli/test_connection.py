"""What commands log."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.cli.connection import client
from tablewright.telemetry import quiet


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Put back how the process logs."""
    root, disabled = logging.getLogger(), logging.root.manager.disable
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.disable(disabled)


@pytest.mark.parametrize("debug", [True, False])
def test_a_command_prints_the_traceback_of_an_unexpected_error_where_the_log_is_at_debug(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], debug: bool
) -> None:
    quiet()
    given = ["log.level=debug"] if debug else []
    client(argparse.Namespace(server=None, set=given, data_dir=str(tmp_path), language="en"), ahead=False)
    try:
        raise KeyError("month")
    except KeyError:
        logging.getLogger("tablewright.service.runs.runs.engine").exception("run failed unexpectedly")
    said = capsys.readouterr().err
    assert ("Traceback" in said and "KeyError: 'month'" in said) is debug
