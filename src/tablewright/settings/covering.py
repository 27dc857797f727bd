"""What is secret, covered."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

COVERED = "***"


def without_password(url: str) -> str:
    """Return `url` with its password covered."""
    parts = urlsplit(url)
    if not parts.password:
        return url
    user, _, place = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}:{COVERED}@{place}"))
