"""A client for the part of the Docker daemon's HTTP API that session containers need.

Paths carry no API version, so the daemon uses its own. Raises SandboxUnavailable with the daemon's message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx2

from tablewright.errors import SandboxUnavailable

_TIMEOUT_S = 60.0
_GONE = (HTTPStatus.NOT_MODIFIED, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A container or a volume known to the daemon; a volume's id is its name."""

    id: str
    labels: Mapping[str, str]


class DockerEngine:
    """A client; it can be shared between tasks."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self._http = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(socket)), base_url="http://docker", timeout=_TIMEOUT_S
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _ask(
        self, method: str, path: str, *, body: object = None, params: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        try:
            return await self._http.request(method, path, json=body, params=params)
        except (httpx2.TransportError, OSError) as error:
            raise SandboxUnavailable("docker_silent", path=str(self.socket), words=str(error)) from error

    async def _expect(self, method: str, path: str, **options: Any) -> Any:
        response = await self._ask(method, path, **options)
        if response.is_success:
            return response.json() if response.content else None
        raise SandboxUnavailable("docker_refused", words=_words(response))

    async def _unless_gone(self, method: str, path: str, **options: Any) -> None:
        response = await self._ask(method, path, **options)
        if not response.is_success and response.status_code not in _GONE:
            raise SandboxUnavailable("docker_refused", words=_words(response))

    async def runtimes(self) -> tuple[str, ...]:
        """Return the names of the daemon's runtimes."""
        return tuple((await self._expect("GET", "/info")).get("Runtimes") or ())

    async def has_image(self, name: str) -> bool:
        """Return whether an image exists."""
        response = await self._ask("GET", f"/images/{name}/json")
        return response.is_success

    async def is_internal(self, network: str) -> bool:
        """Return whether a network is isolated from the outside. Raises if there is no network of that name."""
        return bool((await self._expect("GET", f"/networks/{network}")).get("Internal"))

    async def create(self, name: str, specification: Mapping[str, object]) -> str:
        """Create a container and return its id."""
        made = await self._expect("POST", "/containers/create", body=specification, params={"name": name})
        return str(made["Id"])

    async def start(self, container: str) -> None:
        """Start the container's process."""
        await self._expect("POST", f"/containers/{container}/start")

    async def ran_out_of_memory(self, container: str) -> bool:
        """Return whether the kernel killed the container for lack of memory; False if it no longer exists."""
        response = await self._ask("GET", f"/containers/{container}/json")
        return response.is_success and bool(response.json()["State"]["OOMKilled"])

    async def kill(self, container: str) -> None:
        """Kill the container's processes, if there are any."""
        await self._unless_gone("POST", f"/containers/{container}/kill", params={"signal": "KILL"})

    async def remove(self, container: str) -> None:
        """Kill and remove the container, if it exists."""
        await self._unless_gone("DELETE", f"/containers/{container}", params={"force": "true", "v": "true"})

    async def containers(self, label: str) -> tuple[Labelled, ...]:
        """Return every container with `label` (`name=value`), running or not."""
        filters = json.dumps({"label": [label]})
        found = await self._expect("GET", "/containers/json", params={"all": "true", "filters": filters})
        return tuple(Labelled(id=item["Id"], labels=item["Labels"] or {}) for item in found)

    async def idle_volumes(self, label: str) -> tuple[Labelled, ...]:
        """Return every volume with `label` that no container uses."""
        filters = json.dumps({"label": [label], "dangling": ["true"]})
        found = await self._expect("GET", "/volumes", params={"filters": filters})
        return tuple(Labelled(id=item["Name"], labels=item["Labels"] or {}) for item in found["Volumes"] or ())

    async def remove_volume(self, name: str) -> None:
        """Remove the volume, if it exists and no container uses it."""
        await self._unless_gone("DELETE", f"/volumes/{name}")


def _words(response: httpx2.Response) -> str:
    try:
        return str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        return f"{response.status_code} {response.text[:200]}"
