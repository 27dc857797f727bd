"""Adds the sample files to conversations."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language, language_of
from tablewright.domain.scope import Scope
from tablewright.samples import sample_files
from tablewright.service.app import App
from tablewright.texts.catalogue import text

MARK = "demo-made"
LANGUAGES: tuple[Language, ...] = ("zh", "en")


def samples_in(language: Language) -> tuple[Path, ...]:
    """Return the sample files whose tables are written in `language`."""
    return tuple(path for path in sample_files() if language_of(path.stem) == language)


async def add_samples(app: App, scope: Scope, conversation_id: str, language: Language) -> tuple[StoredFile, ...]:
    """Add the sample files of a language to a conversation. Raises `NotFound`."""
    added: list[StoredFile] = []
    for path in samples_in(language):
        content = _content(path)
        added.append(await app.files.upload(scope, name=path.name, content=content, conversation_id=conversation_id))
    return tuple(added)


async def make_demo(app: App, scope: Scope) -> bool:
    """Create a demo conversation per language, once per data folder, so that deleted ones do not reappear.

    Returns whether they were created now.
    """
    mark = app.data_dir / MARK
    if await asyncio.to_thread(mark.exists):
        return False
    for language in LANGUAGES:
        conversation = await app.conversations.create(scope, title=text("demo_title", language), language=language)
        await add_samples(app, scope, conversation.id, language)
    await asyncio.to_thread(mark.touch)
    return True


async def _content(path: Path) -> AsyncIterator[bytes]:
    yield await asyncio.to_thread(path.read_bytes)
