"""The attacks by size: each takes bounded time and memory, and becomes what the list says."""

from __future__ import annotations

import resource
import time
from typing import Any

import pytest
from tests.support.patience import slow
from tests.unit.report.test_attacks import LARGE, faults_of

MOST_CPU_S = 15.0
MOST_MEMORY_KB = 1_000_000


@pytest.mark.parametrize("attack", LARGE, ids=[attack["name"] for attack in LARGE])
def test_a_report_that_explodes_takes_seconds_at_most(attack: dict[str, Any]) -> None:
    started = time.process_time()
    became, faults = faults_of(attack)
    assert time.process_time() - started < slow(MOST_CPU_S)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MOST_MEMORY_KB
    assert became == attack["became"]
    assert faults == []
