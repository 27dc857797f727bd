"""Errors of this machine and of what it runs."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import MachineError


class SandboxUnavailable(MachineError):
    """This machine cannot isolate code as strongly as `min_isolation` demands. Params: `level`, `required`."""

    code: ClassVar[str] = "sandbox_unavailable"


class SandboxLost(MachineError):
    """The session or its backend died. Params: `status`."""

    code: ClassVar[str] = "sandbox_lost"


class ReadersUnavailable(MachineError):
    """The processes that open files fail to start. Params: `words` (the last output of one of them)."""

    code: ClassVar[str] = "readers_unavailable"


class PdfUnavailable(MachineError):
    """There is no Chromium, which prints reports."""

    code: ClassVar[str] = "pdf_unavailable"


class PdfFailed(MachineError):
    """Chromium did not print the report. Params: `words` (its last output) or `seconds` (the time it had)."""

    code: ClassVar[str] = "pdf_failed"


class StorageFull(MachineError):
    """There is no space left where data is stored. Params: `path`."""

    code: ClassVar[str] = "storage_full"


class StorageUnwritable(MachineError):
    """The storage path is not writable: permissions, or a read-only disk. Params: `path`."""

    code: ClassVar[str] = "storage_unwritable"


class StoreUnavailable(MachineError):
    """The database does not answer, or is not a Tablewright database. Params: `url` (without its password)."""

    code: ClassVar[str] = "store_unavailable"


class StoreDamaged(StoreUnavailable):
    """The database file is damaged. Params: `path`."""

    code: ClassVar[str] = "store_damaged"


class StoreMissing(StoreUnavailable):
    """There are files but no database that knows them; an empty one would remove them. Params: `path`, `blobs`."""

    code: ClassVar[str] = "store_missing"


class VersionDamaged(StoreUnavailable):
    """The stored content of a version is not what was stored. Params: `name`, `version`."""

    code: ClassVar[str] = "version_damaged"


class OwnerLost(MachineError):
    """The process executing the run died without ending the run. Params: `run_id`."""

    code: ClassVar[str] = "owner_lost"
