"""The base of all errors, and their families by who can do something about them."""

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


class OperatorError(TablewrightError):
    """The operator of the service can fix it; raised at start-up."""


class ModelError(TablewrightError):
    """A language model or its endpoint failed. Params: `model`."""


class MachineError(TablewrightError):
    """This machine, or something it runs, failed."""


class RunError(TablewrightError):
    """A run ended without completing its answer; its log shows how far it came."""


class InternalError(TablewrightError):
    """Code of ours used other code of ours wrongly. Params: `note`, for developers: no message shows it."""
