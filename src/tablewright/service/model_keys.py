"""Keys of models' providers that were entered here: sealed in a file of the data folder, written and never returned."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from secrets import token_hex

from tablewright.domain.scope import Scope
from tablewright.errors import Forbidden, InvalidInput, SecretsUnreadable
from tablewright.service.databases.connections import Secrets

FILE_NAME = "model-keys.json"
LONGEST = 5_000


class ModelKeys:
    """The keys by provider. They are the service's, for all of its tenants, so that only operators change them."""

    def __init__(self, folder: Path, secrets: Secrets) -> None:
        self._path = folder / FILE_NAME
        self._secrets = secrets
        self._lock = asyncio.Lock()

    async def providers(self) -> tuple[str, ...]:
        """Return the providers whose keys are kept. Raises `SecretsUnreadable`."""
        return tuple(sorted(await asyncio.to_thread(self._read)))

    async def put(self, scope: Scope, provider: str, key: str) -> None:
        """Keep a key in place of an earlier one. Raises `Forbidden`, `InvalidInput` or `SecretsUnreadable`."""
        _require_operator(scope)
        key = key.strip()
        if not key or len(key) > LONGEST or not key.isprintable() or not key.isascii():
            raise InvalidInput("model_key_wrong", field="key")
        async with self._lock:
            await asyncio.to_thread(self._change, provider, key)

    async def remove(self, scope: Scope, provider: str) -> None:
        """Remove a key; nothing happens where there is none. Raises `Forbidden` or `SecretsUnreadable`."""
        _require_operator(scope)
        async with self._lock:
            await asyncio.to_thread(self._change, provider, None)

    def opened(self, provider: str) -> str | None:
        """Return the key of a provider, if one is kept; blocks. Raises `SecretsUnreadable`."""
        sealed = self._read().get(provider)
        return None if sealed is None else self._secrets.open(sealed, _purpose(provider))

    def _read(self) -> dict[str, str]:
        try:
            kept = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise SecretsUnreadable(path=str(self._path)) from error
        return {str(name): str(sealed) for name, sealed in kept.items()} if isinstance(kept, dict) else {}

    def _change(self, provider: str, key: str | None) -> None:
        kept = self._read()
        if key is None:
            kept.pop(provider, None)
        else:
            kept[provider] = self._secrets.seal(key, _purpose(provider))
        beside = self._path.with_name(f"{FILE_NAME}.{os.getpid()}.{token_hex(4)}")
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(json.dumps(kept).encode())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise SecretsUnreadable(path=str(self._path)) from error


def _require_operator(scope: Scope) -> None:
    if not scope.operator:
        raise Forbidden("model_key_operator")


def _purpose(provider: str) -> str:
    return f"model:{provider}"
