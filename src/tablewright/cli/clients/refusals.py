"""What a service at another address refused."""

from __future__ import annotations

from tablewright.errors import TablewrightError


class RemoteSaid(TablewrightError):
    """The service refused; its own message says why. Params: `message`, `remote_code`."""

    code = "remote_said"
