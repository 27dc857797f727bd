"""Tests that every sandbox must pass: derive test classes from these and provide the fixtures they name.

`LeasesConformance`, `ParkingConformance` and `QueueConformance` also apply to the fake, scripted with
`examples.SCRIPT`; `ExecutionConformance`, `InputNamesConformance`, `OutputsConformance` and `LibrariesConformance` need
real Python; `attacks.ATTACKS` must not succeed on any sandbox. The tests need only pytest with asyncio in automatic
mode.
"""

from __future__ import annotations

from tablewright.sandbox.conformance.caps import CapsConformance
from tablewright.sandbox.conformance.execution import ExecutionConformance
from tablewright.sandbox.conformance.files import InputNamesConformance, SandboxFilesConformance
from tablewright.sandbox.conformance.leases import LeasesConformance, QueueConformance
from tablewright.sandbox.conformance.libraries import LibrariesConformance
from tablewright.sandbox.conformance.outputs import OutputsConformance
from tablewright.sandbox.conformance.parking import ParkingConformance

__all__ = [
    "CapsConformance",
    "ExecutionConformance",
    "InputNamesConformance",
    "LeasesConformance",
    "LibrariesConformance",
    "OutputsConformance",
    "ParkingConformance",
    "QueueConformance",
    "SandboxFilesConformance",
]
