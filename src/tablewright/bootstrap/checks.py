"""Checks what works on this machine, without changing anything or sending anything off the machine."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal

from tablewright.bootstrap.assembly import system_parts
from tablewright.bootstrap.build import data_dir_of, prepare
from tablewright.bootstrap.databases import LazySealer
from tablewright.bootstrap.environments import find_environment, needs_environment
from tablewright.bootstrap.loader import BLOBS, load
from tablewright.bootstrap.model_catalogue import KINDS
from tablewright.bootstrap.sandboxes import sandbox_of, sessions_at_once
from tablewright.bootstrap.stores import BLOBS_FOLDER, database_url, store_of
from tablewright.domain.scope import SystemScope
from tablewright.errors import (
    Parameter,
    StorageFull,
    StorageUnwritable,
    StoreDamaged,
    StoreMissing,
    TablewrightError,
)
from tablewright.models.base import BUILTIN
from tablewright.models.discovery import Candidate, discover
from tablewright.sandbox.base import Done, ErrorOutput, Layer, LeaseScope, Level, Session, TextOutput
from tablewright.service.files.blob_check import look_for_blobs
from tablewright.service.model_keys import ModelKeys
from tablewright.settings.covering import without_password
from tablewright.settings.tree import Settings
from tablewright.store.base import Store

State = Literal["ok", "bad", "note"]
DISK_BYTES = 1024**3
CHECK_S = 600.0
PAGE = "_web"
"""The folder of the page that is built with the package."""
FRAMES = ("/frames/chart.html", "/frames/chart.js")
TRIAL = """
import matplotlib.font_manager as fonts
marks = ("CJK", "WenQuanYi", "Hei", "Song", "Ming", "Kai", "Sans SC", "Sans Fallback", "Han Sans", "YaHei", "PingFang")
print(any(mark in font.name for font in fonts.fontManager.ttflist for mark in marks))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one check.

    Its text is `doctor_<topic>_<code>` with `params`, and its remedy, if any, `…_remedy`. A `note` is neutral.
    """

    topic: str
    state: State
    code: str
    params: Mapping[str, Parameter] = field(default_factory=dict[str, Parameter])


async def look(settings: Settings, environ: Mapping[str, str]) -> tuple[Finding, ...]:
    """Run all checks."""
    found: list[Finding] = []
    if needs_environment(settings):
        found.append(await _environment(settings))
    if all(finding.state == "ok" for finding in found):  # else starting would create one: minutes
        found += await _sandbox(settings)
    found += await look_at_models(settings, environ)
    found += [*await _database(settings), await asyncio.to_thread(_disk, settings), _page()]
    return tuple(found)


async def _environment(settings: Settings) -> Finding:
    try:
        found = await asyncio.to_thread(find_environment, settings)
    except TablewrightError as error:
        return Finding(topic="environment", state="bad", code="wrong", params=error.params)
    if found is None:
        return Finding(topic="environment", state="bad", code="missing")
    return Finding(topic="environment", state="ok", code="found", params={"path": str(found)})


async def _sandbox(settings: Settings) -> list[Finding]:
    """Start a sandbox and run a line in it, because a level that is only claimed proves nothing."""
    clock, ids = system_parts()
    sandbox = sandbox_of(settings.sandbox, clock, ids, step_timeout_s=settings.react.step_timeout, least=True)
    try:
        await sandbox.start()
        try:
            session = await sandbox.acquire(LeaseScope(run_id="doctor"))
            said = await _said(session)
            level, layers = sandbox.level(), sandbox.layers()
        finally:
            await sandbox.stop()
    except TablewrightError as error:
        code = "unavailable" if settings.sandbox.backend == "embedded" else "undocked"
        return [Finding(topic="sandbox", state="bad", code=code, params=error.params)]
    params = {"level": level.name, "runtime": settings.sandbox.worker.runtime, "layers": ", ".join(layers)}
    works = Finding(topic="sandbox", state="ok", code=_strength(settings, level, layers), params=params)
    fonts = "found" if said.strip() == "True" else "missing"
    return [works, _sessions(settings), Finding(topic="fonts", state="ok" if fonts == "found" else "bad", code=fonts)]


def _sessions(settings: Settings) -> Finding:
    wanted, count = settings.sandbox.pool.max_size, sessions_at_once(settings.sandbox)
    params = {"count": count, "wanted": wanted, "memory_mb": settings.sandbox.worker.memory_limit // 1024**2}
    return Finding(topic="sessions", state="ok", code="possible" if count == wanted else "fewer", params=params)


def _strength(settings: Settings, level: Level, layers: tuple[Layer, ...]) -> str:
    if settings.sandbox.backend == "docker":
        return "gvisor" if level is Level.GVISOR else "container"
    if level < Level.L2:
        return "partial"
    return "full" if "landlock" in layers else "ungoverned"


async def _said(session: Session) -> str:
    said = ""
    try:
        async with aclosing(session.execute(TRIAL, step_id="doctor")) as outputs:
            async for output in outputs:
                match output:
                    case TextOutput():
                        said += output.text
                    case ErrorOutput():
                        said += f"{output.name}: {output.message}"
                    case Done():
                        break
                    case _:
                        pass
    finally:
        await session.release()
    return said


async def look_at_models(settings: Settings, environ: Mapping[str, str]) -> list[Finding]:
    """Return which models can be used here, and which could be; nothing is sent beyond this machine."""
    found = [Finding(topic="model", state="ok", code="builtin")]
    candidates = await discover(environ)
    if settings.model != BUILTIN:
        found.append(_chosen(settings, candidates, await _kept(settings)))
    for candidate in candidates:
        code = "key" if candidate.how == "key" else "server"
        params = {"name": candidate.name, "found": candidate.found, "line": candidate.enable_line}
        found.append(Finding(topic="model", state="note", code=code, params=params))
    return found


async def _kept(settings: Settings) -> tuple[str, ...]:
    """Return the providers whose keys were entered here."""
    data_dir = data_dir_of(settings)
    try:
        return await ModelKeys(data_dir, LazySealer(data_dir)).providers()
    except TablewrightError:
        return ()


def _chosen(settings: Settings, candidates: tuple[Candidate, ...], kept: tuple[str, ...]) -> Finding:
    """Check the configured model as far as possible without contacting its provider."""
    name = settings.model.partition(":")[0]
    params = {"model": settings.model}
    provider = settings.providers.get(name)
    if provider is None and name not in KINDS:
        return Finding(topic="model", state="bad", code="unknown", params=params)
    local = name in {"ollama", "vllm"} and (provider is None or provider.base_url is None)
    if local and not any(candidate.name == name for candidate in candidates):
        return Finding(topic="model", state="bad", code="silent", params=params)
    keyed = name in kept or (provider is not None and provider.api_key is not None)
    if name in {"openai", "anthropic", "google"} and not keyed:
        return Finding(topic="model", state="bad", code="keyless", params=params)
    return Finding(topic="model", state="ok", code="chosen", params=params)


async def _database(settings: Settings) -> list[Finding]:
    url = without_password(database_url(settings, data_dir_of(settings)))
    try:
        data_dir = prepare(settings)
        store = store_of(settings, data_dir, check_s=CHECK_S)
        await store.open()
        try:
            stored = await _stored_files(store, data_dir)
        finally:
            await store.close()
    except StoreDamaged as error:
        return [Finding(topic="database", state="bad", code="damaged", params={"url": url, **error.params})]
    except StoreMissing as error:
        return [Finding(topic="database", state="bad", code="missing", params=error.params)]
    except (StorageFull, StorageUnwritable) as error:
        return [Finding(topic="database", state="bad", code="unstored", params={**error.params, "url": url})]
    except TablewrightError as error:
        return [Finding(topic="database", state="bad", code="broken", params={**error.params, "url": url})]
    return [Finding(topic="database", state="ok", code="works", params={"url": url}), *stored]


async def _stored_files(store: Store, data_dir: Path) -> list[Finding]:
    clock, _ = system_parts()
    folder = data_dir / BLOBS_FOLDER
    found = await look_for_blobs(store, load(BLOBS)(folder, clock), SystemScope(instance_id="doctor"))
    params: dict[str, Parameter] = {"checked": found.checked, "count": found.missing, "path": str(folder)}
    if found.missing:
        return [Finding(topic="blobs", state="bad", code="missing", params=params)]
    return [Finding(topic="blobs", state="ok", code="there", params=params)] if found.checked else []


def _disk(settings: Settings) -> Finding:
    try:
        folder = prepare(settings)
        free = shutil.disk_usage(folder).free
        probe = folder / ".doctor"
        probe.write_bytes(b"x")
        probe.unlink()
    except (OSError, TablewrightError) as error:
        given = error.params if isinstance(error, TablewrightError) else {"words": error.strerror or str(error)}
        params: dict[str, Parameter] = {**given, "path": str(data_dir_of(settings))}
        return Finding(topic="disk", state="bad", code="unwritable", params=params)
    params = {"path": str(folder), "free_gb": round(free / 1024**3, 1)}
    return Finding(topic="disk", state="ok" if free >= DISK_BYTES else "bad", code="space", params=params)


def _page() -> Finding:
    """Look for the page, and for every part that its shell names."""
    folder = files("tablewright").joinpath(PAGE)
    shell = folder.joinpath("index.html")
    if not shell.is_file():
        return Finding(topic="page", state="note", code="unbuilt")
    named = re.findall(r"[\"'](/app/[^\"']+)", shell.read_text(encoding="utf-8"))
    parts = [part.removeprefix("/app").removeprefix("/") for part in (*named, *FRAMES)]
    missing = [part for part in parts if not folder.joinpath(*part.split("/")).is_file()]
    if missing:
        return Finding(topic="page", state="bad", code="missing", params={"names": ", ".join(missing)})
    return Finding(topic="page", state="ok", code="there")
