from __future__ import annotations

import pytest

from tablewright.sandbox.base import Level
from tablewright.sandbox.conformance import (
    CapsConformance,
    ExecutionConformance,
    InputNamesConformance,
    LeasesConformance,
    LibrariesConformance,
    OutputsConformance,
    ParkingConformance,
    QueueConformance,
    SandboxFilesConformance,
)

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@in_one_loop
class TestEmbeddedLeases(LeasesConformance):
    pass


@in_one_loop
class TestEmbeddedParking(ParkingConformance):
    pass


@in_one_loop
class TestEmbeddedQueue(QueueConformance):
    pass


@in_one_loop
class TestEmbeddedFiles(SandboxFilesConformance):
    pass


@in_one_loop
class TestEmbeddedInputNames(InputNamesConformance):
    pass


@in_one_loop
class TestEmbeddedExecution(ExecutionConformance):
    pass


@in_one_loop
@pytest.mark.parametrize("level", [Level.L3], ids=["strongest"], indirect=True)
class TestEmbeddedOutputs(OutputsConformance):
    pass


@in_one_loop
class TestEmbeddedCaps(CapsConformance):
    pass


@in_one_loop
class TestEmbeddedLibraries(LibrariesConformance):
    pass
