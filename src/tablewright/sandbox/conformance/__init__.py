"""What every sandbox must do, as tests: derive test classes from these and give the fixtures they name.

`LeasesConformance`, `ParkingConformance` and `QueueConformance` hold for the fake too, scripted with `examples.SCRIPT`;
`ExecutionConformance`, `OutputsConformance` and `LibrariesConformance` need real Python; `attacks.ATTACKS` is what must not succeed anywhere.
They need pytest with asyncio in automatic mode, and nothing else."""

from __future__ import annotations

from tablewright.sandbox.conformance.caps import CapsConformance
from tablewright.sandbox.conformance.execution import ExecutionConformance
from tablewright.sandbox.conformance.files import FilesConformance
from tablewright.sandbox.conformance.leases import LeasesConformance, QueueConformance
from tablewright.sandbox.conformance.libraries import LibrariesConformance
from tablewright.sandbox.conformance.outputs import OutputsConformance
from tablewright.sandbox.conformance.parking import ParkingConformance

__all__ = [
    "CapsConformance",
    "ExecutionConformance",
    "FilesConformance",
    "LeasesConformance",
    "LibrariesConformance",
    "OutputsConformance",
    "ParkingConformance",
    "QueueConformance",
]
