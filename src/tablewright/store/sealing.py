"""Secrets at rest: sealed with AES-256-GCM under a key in a file that only the service's user can read."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from secrets import token_hex

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tablewright.errors import SecretsUnreadable

FILE_NAME = "connections.key"
KEY_BYTES = 32
NONCE_BYTES = 12


class Sealer:
    """Seals and opens texts; the key is made with the first one. All methods block. Raises `SecretsUnreadable`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def seal(self, secret: str, purpose: str) -> str:
        """Return `secret` sealed, as text; it can be opened for the same `purpose` only."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(self._key(make=True)).encrypt(nonce, secret.encode(), purpose.encode())
        return base64.b64encode(nonce + sealed).decode()

    def open(self, sealed: str, purpose: str) -> str:
        """Return what was sealed for `purpose`."""
        content = base64.b64decode(sealed)
        try:
            opened = AESGCM(self._key()).decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], purpose.encode())
        except InvalidTag as error:
            raise SecretsUnreadable(path=str(self._path)) from error
        return opened.decode()

    def _key(self, *, make: bool = False) -> bytes:
        try:
            if make and not self._path.exists():
                self._make()
            with self._path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                key = file.read()
        except OSError as error:
            raise SecretsUnreadable(path=str(self._path)) from error
        if mode & 0o077 or len(key) != KEY_BYTES:
            raise SecretsUnreadable(path=str(self._path))
        return key

    def _make(self) -> None:
        """Write a new key, complete before it has its name; of two at once the first one's stands."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._path.with_name(f"{FILE_NAME}.{os.getpid()}.{token_hex(4)}")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            self._path.hardlink_to(beside)
        except FileExistsError:
            pass
        finally:
            beside.unlink()
