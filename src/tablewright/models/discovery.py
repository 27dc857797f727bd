"""Find models that could be used here: keys in an environment, servers on this machine.

Nothing is sent anywhere else, and nothing is used before somebody enables it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx2

How = Literal["key", "server"]
PATIENCE_S = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A provider that could be enabled.

    `found` says where it was found (the name of a variable or a URL; never a key), `models` lists what a local server
    offers, and `enable_line` is the command that enables it.
    """

    name: str
    how: How
    found: str
    enable_line: str
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """Environment variables that must all be set, and the model offered in that case."""

    name: str
    variables: tuple[str, ...]
    model: str


_KEYS = (
    _Key(name="openai", variables=("OPENAI_API_KEY",), model="openai:gpt-5-mini"),
    _Key(name="anthropic", variables=("ANTHROPIC_API_KEY",), model="anthropic:claude-sonnet-4-5"),
    _Key(name="google", variables=("GOOGLE_API_KEY",), model="google:gemini-2.5-flash"),
    _Key(name="google", variables=("GEMINI_API_KEY",), model="google:gemini-2.5-flash"),
    _Key(name="bedrock", variables=("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), model="bedrock:<model>"),
    _Key(name="bedrock", variables=("AWS_BEARER_TOKEN_BEDROCK",), model="bedrock:<model>"),
)

LOCAL_SERVERS: Mapping[str, str] = {"ollama": "http://127.0.0.1:11434", "vllm": "http://127.0.0.1:8000"}


async def discover(
    environment: Mapping[str, str], *, servers: Mapping[str, str] | None = None, patience_s: float = PATIENCE_S
) -> tuple[Candidate, ...]:
    """Return what could be enabled, keys first.

    `servers` are the roots of local servers by kind. Each is asked for its models; one that does not answer in
    `patience_s` seconds is treated as absent.
    """
    asked = LOCAL_SERVERS if servers is None else servers
    answers = await asyncio.gather(*(_ask(kind, root, patience_s) for kind, root in asked.items()))
    return (*_keyed(environment), *(answer for answer in answers if answer is not None))


def enable_line(model: str) -> str:
    """Return the command that makes `model` the default."""
    return f"export TABLEWRIGHT_MODEL={model}"


def _keyed(environment: Mapping[str, str]) -> tuple[Candidate, ...]:
    found: dict[str, Candidate] = {}
    for key in _KEYS:
        if key.name in found or not all(environment.get(variable, "").strip() for variable in key.variables):
            continue
        where = " + ".join(key.variables)
        if key.name == "openai" and (base_url := environment.get("OPENAI_BASE_URL", "").strip()):
            where = f"{where} + OPENAI_BASE_URL={_without_credentials(base_url)}"
        found[key.name] = Candidate(name=key.name, how="key", found=where, enable_line=enable_line(key.model))
    return tuple(found.values())


def _without_credentials(url: str) -> str:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        return "…"
    return str(parsed.copy_with(username=None, password=None, query=None))


async def _ask(kind: str, root: str, patience_s: float) -> Candidate | None:
    """Ask a local server for its models. Returns None unless it answers like a model server."""
    if httpx2.URL(root).host not in {"127.0.0.1", "localhost", "::1"}:
        return None
    try:
        async with (
            asyncio.timeout(patience_s),
            httpx2.AsyncClient(timeout=patience_s, trust_env=False, follow_redirects=False) as client,
        ):
            answer = await client.get(f"{root}/v1/models")
            models = _names(answer.json()) if answer.status_code == 200 else None
    except (httpx2.HTTPError, TimeoutError, ValueError):
        return None
    if models is None:
        return None
    offered = f"{kind}:{models[0] if models else '<model>'}"
    return Candidate(name=kind, how="server", found=root, models=models, enable_line=enable_line(offered))


def _names(answer: Any) -> tuple[str, ...] | None:
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        return None
    return tuple(entry["id"] for entry in listed if isinstance(entry, dict) and isinstance(entry.get("id"), str))
