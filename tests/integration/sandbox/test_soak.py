"""Sessions in a row with random faults leave nothing behind; benchmarks/sandbox_soak.py does the same for thousands."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.sandbox_soak import grown, soak

from tablewright.sandbox.base import Level


def _is_empty(folder: Path) -> bool:
    return not list(folder.iterdir())


@pytest.mark.requirement("sandbox-faults-leave-nothing")
async def test_sessions_with_random_faults_leave_no_process_file_or_memory(tmp_path: Path) -> None:
    made, looks = await soak(60, seed=7, level=Level.L3, folder=tmp_path)
    assert len(made.faults) > 8
    assert not made.wrong
    assert not grown(looks[0], looks[1])
    assert not grown(looks[1], looks[2])
    assert _is_empty(tmp_path)
