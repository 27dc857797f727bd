"""Errors that the operator of the service can fix."""

from __future__ import annotations

from typing import ClassVar

from tablewright.errors.base import OperatorError


class SettingsInvalid(OperatorError):
    """The configuration is invalid. Params: `source`, `setting`."""

    code: ClassVar[str] = "settings_invalid"


class SecretsUnreadable(OperatorError):
    """The key that seals the passwords of connections is missing, or not its owner's alone. Params: `path`."""

    code: ClassVar[str] = "secrets_unreadable"


class KeyRequired(OperatorError):
    """Listening off loopback requires a key, and there is none. Params: `host`."""

    code: ClassVar[str] = "key_required"


class PortInUse(OperatorError):
    """Another process is listening on the port. Params: `port`."""

    code: ClassVar[str] = "port_in_use"
