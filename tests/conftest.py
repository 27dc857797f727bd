"""What holds for every test: no way to the outside, a scrubbed environment, and an account of what did not run."""

from __future__ import annotations

import ipaddress
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from tests.support.hangs import pytest_collection_modifyitems, pytest_runtest_call

__all__ = ["pytest_collection_modifyitems", "pytest_runtest_call"]
SCRUBBED = (
    "TABLEWRIGHT_",
    "OPENAI_",
    "ANTHROPIC_",
    "GEMINI_",
    "GOOGLE_",
    "AWS_",
    "OLLAMA_",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)

# Where the environment forbids to keep compiled modules, as images of containers do, each of the hundreds of processes
# that tests start would compile all of them anew: twice the time that starting takes otherwise.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# How long an example takes says how busy the machine is, not whether the code is right. The examples are the same on
# every machine, so that a change is blamed for what it broke alone; `--hypothesis-profile=search` looks for new ones.
settings.register_profile(
    "patient", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", settings.get_profile("patient"), derandomize=False)
settings.load_profile("patient")
# Hypothesis takes constants of the modules that are loaded into its examples: those would change with every commit, and
# with what else runs in a process.
assert callable(providers._get_local_constants)
providers._get_local_constants = lambda: providers._local_constants
SKIPS = 10
"""How a run ends in which a test was skipped that must not be, whatever else failed: running it again mends nothing."""


class OutsideWorldError(Exception):
    """A test tried to leave this machine."""


def _refuse_the_outside(event: str, args: tuple[Any, ...]) -> None:
    if event != "socket.connect" or not isinstance(args[1], tuple):
        return
    host = str(args[1][0])
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local:
        raise OutsideWorldError(f"a test connects to {host}")


sys.addaudithook(_refuse_the_outside)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--strict-skips", action="store_true", help="a skipped test fails the run")


@pytest.fixture(scope="session", autouse=True)
def scrubbed_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run without anybody's keys, settings or home."""
    saved = dict(os.environ)
    for name in list(os.environ):
        if name.upper().startswith(SCRUBBED):
            del os.environ[name]
    home = tmp_path_factory.mktemp("home")
    os.environ.update(
        HOME=str(home),
        XDG_CONFIG_HOME=str(home / "config"),
        XDG_DATA_HOME=str(home / "data"),
        XDG_CACHE_HOME=str(home / "cache"),
    )
    os.environ["LANG"] = "C.UTF-8"
    yield
    os.environ.clear()
    os.environ.update(saved)


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Undo what a command under test did to this process's logging."""
    root = logging.getLogger()
    handlers, level, disabled = list(root.handlers), root.level, logging.root.manager.disable
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.disable(disabled)


def _reason(report: pytest.TestReport) -> str:
    where = report.longrepr
    return str(where[2]).removeprefix("Skipped: ") if isinstance(where, tuple) else str(where)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.section("NOT RUN HERE")
    by_reason: dict[str, list[str]] = {}
    for report in skipped:
        by_reason.setdefault(_reason(report), []).append(report.nodeid)
    for reason, tests in sorted(by_reason.items()):
        files = sorted({str(Path(test.split("::", maxsplit=1)[0])) for test in tests})
        terminalreporter.write_line(f"{len(tests):4d}  {reason}  [{', '.join(files)}]")
    if config.getoption("--strict-skips"):
        terminalreporter.write_line("a skipped test fails this run (--strict-skips)", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    ran = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
    if ran and session.config.getoption("--strict-skips") and reporter.stats.get("skipped"):
        session.exitstatus = SKIPS
