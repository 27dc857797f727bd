"""The attacks by size: each takes bounded time and memory, and becomes what the list says."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.patience import slow
from tests.unit.report.test_attacks import LARGE, faults_of

pytestmark = pytest.mark.long
MOST_CPU_S = 15.0
MOST_MEMORY_KB = 1_000_000


def memory_kb(name: str) -> int:
    """Return a figure of this process's memory in kilobytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{name}:")[2].split()[0])


@pytest.mark.parametrize("attack", LARGE, ids=[attack["name"] for attack in LARGE])
def test_a_report_that_explodes_takes_seconds_at_most(attack: dict[str, Any]) -> None:
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak counts from now on
    before_kb = memory_kb("VmHWM")
    started = time.process_time()
    became, faults = faults_of(attack)
    assert time.process_time() - started < slow(MOST_CPU_S)
    assert memory_kb("VmHWM") - before_kb < MOST_MEMORY_KB
    assert became == attack["became"]
    assert faults == []
