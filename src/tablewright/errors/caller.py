"""Errors that the caller can fix."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import CallerError


class InvalidInput(CallerError):
    """A value in the request is unusable; `field` names it."""

    code: ClassVar[str] = "invalid_input"


class AgentTypeMissing(InvalidInput):
    """No type of agent was given. Params: `known`."""

    code: ClassVar[str] = "agent_type_missing"


class AgentTypeUnknown(InvalidInput):
    """There is no such type of agent. Params: `value`, `known`."""

    code: ClassVar[str] = "agent_type_unknown"


class QuestionMissing(InvalidInput):
    """No question was given."""

    code: ClassVar[str] = "question_missing"


class ImageUnread(InvalidInput):
    """An image was given, and nobody here can look at it."""

    code: ClassVar[str] = "chat_image_unread"


class ImageInvalid(ImageUnread):
    """What says that it is an image is none, or is broken off."""

    code: ClassVar[str] = "chat_image_none"


class ImageRemote(ImageUnread):
    """An image was given by an address, and addresses are never fetched."""

    code: ClassVar[str] = "chat_image_address"


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


class ShareUnknown(NotFound):
    """No conversation is open by this link: it is wrong, has expired or was revoked, which is not said."""

    code: ClassVar[str] = "share_unknown"


class PlaceNotFound(NotFound):
    """There is no table at the place named by a caller of the tools.

    Params: `kind`, `id`, and `folder` if relative paths start there.
    """

    code: ClassVar[str] = "place_not_found"


class FileNotNamed(NotFound):
    """No file of the conversation has this name. Params: `kind`, `id`, `near`, `known` (names, comma-separated)."""

    code: ClassVar[str] = "file_not_named"


class SearchFailed(CallerError):
    """The search engine is not set up, or did not answer. Params: `provider`."""

    code: ClassVar[str] = "search_failed"


class Conflict(CallerError):
    """The current state does not allow it."""

    code: ClassVar[str] = "conflict"


class RunInProgress(Conflict):
    """The conversation already has a live run. Params: `run_id`."""

    code: ClassVar[str] = "run_in_progress"


class RequestIdTaken(Conflict):
    """The id of a request was that of another message, or of one in another session. Params: `request_id`."""

    code: ClassVar[str] = "request_id_taken"


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
