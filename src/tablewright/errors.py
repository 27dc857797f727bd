"""Every error that Tablewright raises on purpose.

    TablewrightError
    ├── CallerError             the caller can fix it
    │   ├── InvalidInput        invalid_input
    │   │   ├── QuestionMissing       question_missing
    │   │   ├── FileUnreadable        file_unreadable
    │   │   │   ├── FileEmpty         file_empty
    │   │   │   ├── FileEncrypted     file_encrypted
    │   │   │   ├── FormatUnsupported format_unsupported
    │   │   │   └── WorkbookSlow      workbook_slow
    │   │   ├── FileTooLarge          file_too_large
    │   │   ├── DownloadRefused       download_refused
    │   │   ├── OutputRefused         output_refused
    │   │   ├── PlanInvalid           plan_invalid
    │   │   ├── PlanFileInvalid       plan_file_invalid
    │   │   └── WorkbookDiffers       workbook_differs
    │   ├── DownloadFailed      download_failed
    │   ├── NotFound            not_found
    │   │   └── PlaceNotFound         place_not_found
    │   ├── Conflict            conflict
    │   │   ├── RunInProgress         run_in_progress
    │   │   ├── AlreadyAnswered       already_answered
    │   │   └── WorkbookChanged       workbook_changed
    │   ├── Unauthorized        unauthorized
    │   ├── Forbidden           forbidden
    │   └── Busy                busy
    ├── OperatorError           the operator of the service can fix it
    │   ├── SettingsInvalid     settings_invalid
    │   ├── KeyRequired         key_required
    │   └── PortInUse           port_in_use
    ├── ModelError              a language model or its endpoint failed
    │   ├── ModelUnknown        model_unknown
    │   ├── ModelNotSetUp       model_not_set_up
    │   ├── ModelUnreachable    model_unreachable                        retried
    │   ├── ModelRejected       model_rejected
    │   ├── ModelSilent         model_silent
    │   ├── ModelOverloaded     model_overloaded                         retried
    │   ├── ModelTimeout        model_timeout                            retried
    │   ├── ModelStreamCut      model_stream_cut                         retried before the first part
    │   └── PlanUnreadable      plan_unreadable
    ├── MachineError            this machine or what it runs failed
    │   ├── SandboxUnavailable  sandbox_unavailable
    │   ├── SandboxLost         sandbox_lost
    │   ├── ReadersUnavailable  readers_unavailable
    │   ├── PdfUnavailable      pdf_unavailable
    │   ├── PdfFailed           pdf_failed
    │   ├── StorageFull         storage_full
    │   ├── StorageUnwritable   storage_unwritable
    │   ├── StoreUnavailable    store_unavailable
    │   │   ├── StoreDamaged          store_damaged
    │   │   ├── StoreMissing          store_missing
    │   │   └── VersionDamaged        version_damaged
    │   └── OwnerLost           owner_lost         the process executing the run died
    ├── RunError                a run ended without completing its answer
    │   ├── RunLimit            run_limit
    │   ├── StepsFailed         steps_failed
    │   └── StepExhausted       step_exhausted
    └── InternalError           a mistake in Tablewright, which nobody else can fix

An error carries a stable `code` and `params`, and no prose of ours: the text that a person reads, with the remedy,
comes from the message catalogue at the edge (`tablewright.texts`), in their language. Where an error has several
reasons, its `detail` is the code of one in the same catalogue. What others said (the operating system, a database, a
provider, the code of a step) is the param `words`, shown as it is. `str(error)` is for logs.
"""

from __future__ import annotations

from typing import ClassVar

Parameter = str | int | float | None
"""The type of values for the placeholders of a message."""


class TablewrightError(Exception):
    """The base class of all errors. `params` fill the placeholders of the catalogue's message for `code`.

    `detail` is the code of the reason, empty where `code` says all or only `words` say more.
    """

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __init__(self, detail: str = "", /, *, field: str | None = None, **params: str | float | None) -> None:
        self.detail = detail
        self.field = field
        self.params: dict[str, Parameter] = {"detail": detail, **params}
        super().__init__(detail or self.code)

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.params.items() if name != "detail")
        return " ".join(part for part in (f"{self.code}:", self.detail, f"({given})" if given else "") if part)


class CallerError(TablewrightError):
    """The caller can fix the request."""


class InvalidInput(CallerError):
    """A value in the request is unusable; `field` names it."""

    code: ClassVar[str] = "invalid_input"


class QuestionMissing(InvalidInput):
    """No question was given."""

    code: ClassVar[str] = "question_missing"


class FileUnreadable(InvalidInput):
    """The file is not what its name says, or is damaged. Params: `name`."""

    code: ClassVar[str] = "file_unreadable"


class FileEmpty(FileUnreadable):
    """The file contains no table. Params: `name`."""

    code: ClassVar[str] = "file_empty"


class FileEncrypted(FileUnreadable):
    """The file is protected by a password. Params: `name`."""

    code: ClassVar[str] = "file_encrypted"


class FormatUnsupported(FileUnreadable):
    """There is no reader for this kind of file. Params: `name`, `supported`."""

    code: ClassVar[str] = "format_unsupported"


class WorkbookSlow(FileUnreadable):
    """Work on a workbook took longer than is allowed; `detail` says which. Params: `name`, `limit_s`."""

    code: ClassVar[str] = "workbook_slow"


class FileTooLarge(InvalidInput):
    """The file exceeds the configured size. Params: `name`, `limit_bytes`."""

    code: ClassVar[str] = "file_too_large"


class DownloadRefused(InvalidInput):
    """The address, or what it serves, is not allowed as a source of tables. Params: `url` (without secrets)."""

    code: ClassVar[str] = "download_refused"


class OutputRefused(InvalidInput):
    """A result may not be written to this path. Params: `path`."""

    code: ClassVar[str] = "output_refused"


class DownloadFailed(CallerError):
    """The address did not deliver the file. Params: `url` (without secrets)."""

    code: ClassVar[str] = "download_failed"


class PlanInvalid(InvalidInput):
    """A plan cannot be executed as it stands. Params: `step`, `function`, `problem`."""

    code: ClassVar[str] = "plan_invalid"


class PlanFileInvalid(InvalidInput):
    """The file is not a saved plan, or is one of a later version. Params: `name`."""

    code: ClassVar[str] = "plan_file_invalid"


class WorkbookDiffers(InvalidInput):
    """A saved plan does not fit the workbook. `detail` is the code of a difference; the other params belong to it."""

    code: ClassVar[str] = "workbook_differs"


class NotFound(CallerError):
    """It does not exist, or does not belong to the caller. Params: `kind`, `id`."""

    code: ClassVar[str] = "not_found"


class PlaceNotFound(NotFound):
    """There is no table at the place named by a caller of the tools.

    Params: `kind`, `id`, and `folder` if relative paths start there.
    """

    code: ClassVar[str] = "place_not_found"


class Conflict(CallerError):
    """The current state does not allow it."""

    code: ClassVar[str] = "conflict"


class RunInProgress(Conflict):
    """The conversation already has a live run. Params: `run_id`."""

    code: ClassVar[str] = "run_in_progress"


class WorkbookChanged(Conflict):
    """The workbook has been changed by somebody else.

    Params: `version` (its current head), `base` (the expected one).
    """

    code: ClassVar[str] = "workbook_changed"


class AlreadyAnswered(Conflict):
    """Another answer to this request was accepted earlier. Params: `request_id`."""

    code: ClassVar[str] = "already_answered"


class Unauthorized(CallerError):
    """The key is missing or unknown."""

    code: ClassVar[str] = "unauthorized"


class Forbidden(CallerError):
    """The caller is known but not allowed to do this, or the Host or Origin is foreign."""

    code: ClassVar[str] = "forbidden"


class Busy(CallerError):
    """A bounded queue is full, or waiting for it took too long. Params: `what`, `waited_s`."""

    code: ClassVar[str] = "busy"


class OperatorError(TablewrightError):
    """The operator of the service can fix it; raised at start-up."""


class SettingsInvalid(OperatorError):
    """The configuration is invalid. Params: `source`, `setting`."""

    code: ClassVar[str] = "settings_invalid"


class KeyRequired(OperatorError):
    """Listening off loopback requires a key, and there is none. Params: `host`."""

    code: ClassVar[str] = "key_required"


class PortInUse(OperatorError):
    """Another process is listening on the port. Params: `port`."""

    code: ClassVar[str] = "port_in_use"


class ModelError(TablewrightError):
    """A language model or its endpoint failed. Params: `model`."""


class ModelUnknown(ModelError):
    """There is no such provider or model. Params: `model`, `known`."""

    code: ClassVar[str] = "model_unknown"


class ModelNotSetUp(ModelError):
    """The model's provider lacks a key or a library. Params: `setting`, or `extra` and `module`."""

    code: ClassVar[str] = "model_not_set_up"


class ModelUnreachable(ModelError):
    """Nothing answers at the endpoint."""

    code: ClassVar[str] = "model_unreachable"
    retryable: ClassVar[bool] = True


class ModelRejected(ModelError):
    """The endpoint refused the request (key, quota, malformed); retrying will not help."""

    code: ClassVar[str] = "model_rejected"


class ModelSilent(ModelError):
    """The model ended its turn without text and without code."""

    code: ClassVar[str] = "model_silent"


class ModelOverloaded(ModelError):
    """The endpoint is overloaded (429, 5xx). Params: `retry_after_s`."""

    code: ClassVar[str] = "model_overloaded"
    retryable: ClassVar[bool] = True


class ModelTimeout(ModelError):
    """The endpoint did not answer in time."""

    code: ClassVar[str] = "model_timeout"
    retryable: ClassVar[bool] = True


class ModelStreamCut(ModelError):
    """The stream ended before the model had finished."""

    code: ClassVar[str] = "model_stream_cut"
    retryable: ClassVar[bool] = True


class PlanUnreadable(ModelError):
    """The model's reply could not be read as a plan, twice. Params: `problem`."""

    code: ClassVar[str] = "plan_unreadable"


class MachineError(TablewrightError):
    """This machine, or something it runs, failed."""


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


class RunError(TablewrightError):
    """A run ended without completing its answer; its log shows how far it came."""


class RunLimit(RunError):
    """The limit on steps, tokens or wall-clock time was reached. Params: `limit`, `value`."""

    code: ClassVar[str] = "run_limit"


class StepsFailed(RunError):
    """A step still failed after its repairs. Params: `step`, `attempts`, `words` (its last error)."""

    code: ClassVar[str] = "steps_failed"


class StepExhausted(RunError):
    """A step exceeded its memory, time or disk limit. Params: `step`, `status` (that of the execution)."""

    code: ClassVar[str] = "step_exhausted"


class InternalError(TablewrightError):
    """Code of ours used other code of ours wrongly. Params: `note`, for developers: no message shows it."""
