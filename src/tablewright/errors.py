"""Every error that Tablewright raises on purpose.

    TablewrightError
    ├── CallerError             who asked can put it right
    │   ├── InvalidInput        invalid_input
    │   │   ├── QuestionMissing       question_missing
    │   │   ├── FileUnreadable        file_unreadable
    │   │   │   ├── FileEmpty         file_empty
    │   │   │   ├── FileEncrypted     file_encrypted
    │   │   │   └── FormatUnsupported format_unsupported
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
    ├── OperatorError           who runs the service can put it right
    │   ├── SettingsInvalid     settings_invalid
    │   ├── KeyRequired         key_required
    │   └── PortInUse           port_in_use
    ├── ModelError              a language model or its endpoint failed
    │   ├── ModelUnknown        model_unknown
    │   ├── ModelNotSetUp       model_not_set_up
    │   ├── ModelUnreachable    model_unreachable                        retried
    │   ├── ModelRejected       model_rejected
    │   ├── ModelOverloaded     model_overloaded                         retried
    │   ├── ModelTimeout        model_timeout                            retried
    │   ├── ModelStreamCut      model_stream_cut                         retried before the first part
    │   └── PlanUnreadable      plan_unreadable
    ├── MachineError            this machine or what it runs failed
    │   ├── SandboxUnavailable  sandbox_unavailable
    │   ├── SandboxLost         sandbox_lost
    │   ├── ReadersUnavailable  readers_unavailable
    │   ├── StorageFull         storage_full
    │   ├── StorageUnwritable   storage_unwritable
    │   ├── StoreUnavailable    store_unavailable
    │   └── OwnerLost           owner_lost         the process that ran this died
    └── RunError                a run ended short of its answer
        ├── RunLimit            run_limit
        ├── StepsFailed         steps_failed
        └── StepExhausted       step_exhausted

An error carries a stable `code` and `params`; the words a person reads come from the message catalogue at
the edge (`tablewright.texts`), in their language, with the remedy. `str(error)` is English, for logs.
"""

from __future__ import annotations

from typing import ClassVar

Parameter = str | int | float | None
"""What may fill a placeholder of a message."""


class TablewrightError(Exception):
    """Root of the tree. `params` fill the placeholders of the catalogue's message of this `code`."""

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
    """The request can be put right by who made it."""


class InvalidInput(CallerError):
    """A value of the request is not usable; `field` names it."""

    code: ClassVar[str] = "invalid_input"


class QuestionMissing(InvalidInput):
    """No question was given."""

    code: ClassVar[str] = "question_missing"


class FileUnreadable(InvalidInput):
    """The file is not what its name says, or is damaged. Params: `name`."""

    code: ClassVar[str] = "file_unreadable"


class FileEmpty(FileUnreadable):
    """The file holds no table. Params: `name`."""

    code: ClassVar[str] = "file_empty"


class FileEncrypted(FileUnreadable):
    """The file is protected by a password. Params: `name`."""

    code: ClassVar[str] = "file_encrypted"


class FormatUnsupported(FileUnreadable):
    """No reader for this kind of file. Params: `name`, `supported`."""

    code: ClassVar[str] = "format_unsupported"


class FileTooLarge(InvalidInput):
    """The file exceeds the configured size. Params: `name`, `limit_bytes`."""

    code: ClassVar[str] = "file_too_large"


class DownloadRefused(InvalidInput):
    """The address, or what is there, is not one to fetch a table from. Params: `url` (without secrets)."""

    code: ClassVar[str] = "download_refused"


class OutputRefused(InvalidInput):
    """A result may not be written to that place. Params: `path`."""

    code: ClassVar[str] = "output_refused"


class DownloadFailed(CallerError):
    """The address did not deliver the file. Params: `url` (without secrets)."""

    code: ClassVar[str] = "download_failed"


class PlanInvalid(InvalidInput):
    """A plan cannot be executed as it stands. Params: `step`, `function`, `problem`."""

    code: ClassVar[str] = "plan_invalid"


class PlanFileInvalid(InvalidInput):
    """A file is no saved plan, or one of a later version. Params: `name`."""

    code: ClassVar[str] = "plan_file_invalid"


class WorkbookDiffers(InvalidInput):
    """A saved plan does not fit a workbook: `detail` is the code of a difference, filled by the other params."""

    code: ClassVar[str] = "workbook_differs"


class NotFound(CallerError):
    """No such thing, or not the caller's. Params: `kind`, `id`."""

    code: ClassVar[str] = "not_found"


class PlaceNotFound(NotFound):
    """No table is where a caller of the tools says. Params: `kind`, `id`; `folder` where relative paths begin in it."""

    code: ClassVar[str] = "place_not_found"


class Conflict(CallerError):
    """The state does not allow it now."""

    code: ClassVar[str] = "conflict"


class RunInProgress(Conflict):
    """The conversation already has a live run. Params: `run_id`."""

    code: ClassVar[str] = "run_in_progress"


class WorkbookChanged(Conflict):
    """Somebody else has changed the workbook meanwhile. Params: `version` (its head now), `base` (the one meant)."""

    code: ClassVar[str] = "workbook_changed"


class AlreadyAnswered(Conflict):
    """Another answer to this request was taken before. Params: `request_id`."""

    code: ClassVar[str] = "already_answered"


class Unauthorized(CallerError):
    """No key, or one that is not known."""

    code: ClassVar[str] = "unauthorized"


class Forbidden(CallerError):
    """Known, but not allowed (also a Host or Origin that is not ours)."""

    code: ClassVar[str] = "forbidden"


class Busy(CallerError):
    """A bounded queue is full or was waited on too long. Params: `what`, `waited_s`."""

    code: ClassVar[str] = "busy"


class OperatorError(TablewrightError):
    """Who runs the service can put it right; raised at start-up."""


class SettingsInvalid(OperatorError):
    """The configuration does not read. Params: `source`, `setting`."""

    code: ClassVar[str] = "settings_invalid"


class KeyRequired(OperatorError):
    """A bind off loopback without any key. Params: `host`."""

    code: ClassVar[str] = "key_required"


class PortInUse(OperatorError):
    """Another process listens there. Params: `port`."""

    code: ClassVar[str] = "port_in_use"


class ModelError(TablewrightError):
    """A language model or its endpoint failed. Params: `model`."""


class ModelUnknown(ModelError):
    """No such provider or model. Params: `model`, `known`."""

    code: ClassVar[str] = "model_unknown"


class ModelNotSetUp(ModelError):
    """Its provider lacks a key or a library. Params: `setting`, or `extra` and `module`."""

    code: ClassVar[str] = "model_not_set_up"


class ModelUnreachable(ModelError):
    """Nothing answers at the endpoint."""

    code: ClassVar[str] = "model_unreachable"
    retryable: ClassVar[bool] = True


class ModelRejected(ModelError):
    """The endpoint refused the request (key, quota, malformed): trying again will not help."""

    code: ClassVar[str] = "model_rejected"


class ModelOverloaded(ModelError):
    """The endpoint asks for patience (429, 5xx). Params: `retry_after_s`."""

    code: ClassVar[str] = "model_overloaded"
    retryable: ClassVar[bool] = True


class ModelTimeout(ModelError):
    """No answer, or none in time."""

    code: ClassVar[str] = "model_timeout"
    retryable: ClassVar[bool] = True


class ModelStreamCut(ModelError):
    """The stream ended before the model had finished."""

    code: ClassVar[str] = "model_stream_cut"
    retryable: ClassVar[bool] = True


class PlanUnreadable(ModelError):
    """What it wrote could not be read as a plan, twice. Params: `problem`."""

    code: ClassVar[str] = "plan_unreadable"


class MachineError(TablewrightError):
    """This machine, or what it runs for us, failed."""


class SandboxUnavailable(MachineError):
    """Code cannot be isolated here as strongly as `min_isolation` demands. Params: `level`, `required`."""

    code: ClassVar[str] = "sandbox_unavailable"


class SandboxLost(MachineError):
    """The session or its backend died. Params: `status`."""

    code: ClassVar[str] = "sandbox_lost"


class ReadersUnavailable(MachineError):
    """The processes that open files do not start. The detail is the last that one of them said."""

    code: ClassVar[str] = "readers_unavailable"


class StorageFull(MachineError):
    """No space left where data is kept. Params: `path`."""

    code: ClassVar[str] = "storage_full"


class StorageUnwritable(MachineError):
    """The place where data is kept may not be written: permissions, or a read-only disk. Params: `path`."""

    code: ClassVar[str] = "storage_unwritable"


class StoreUnavailable(MachineError):
    """The database does not answer or is not ours. Params: `url` (without its password)."""

    code: ClassVar[str] = "store_unavailable"


class OwnerLost(MachineError):
    """The process that executed the run ended without ending the run. Params: `run_id`."""

    code: ClassVar[str] = "owner_lost"


class RunError(TablewrightError):
    """A run ended short of its answer; the run's log says how far it came."""


class RunLimit(RunError):
    """Steps, tokens or wall clock used up. Params: `limit`, `value`."""

    code: ClassVar[str] = "run_limit"


class StepsFailed(RunError):
    """A step kept failing after its repairs; the detail is its last error. Params: `step`, `attempts`."""

    code: ClassVar[str] = "steps_failed"


class StepExhausted(RunError):
    """A step used up its memory, time or disk. Params: `step`, `status` (the execution's)."""

    code: ClassVar[str] = "step_exhausted"
