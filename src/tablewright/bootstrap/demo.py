"""The sample files in a conversation of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from tablewright.bootstrap.app import App
from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.samples import sample_files
from tablewright.texts.catalogue import text

MARK = "demo-made"


async def add_samples(app: App, scope: Scope, conversation_id: str) -> tuple[StoredFile, ...]:
    """Give the sample files to a conversation; `NotFound`."""
    added: list[StoredFile] = []
    for path in sample_files():
        content = _content(path)
        added.append(await app.files.upload(scope, name=path.name, content=content, conversation_id=conversation_id))
    return tuple(added)


async def make_demo(app: App, scope: Scope, language: Language) -> bool:
    """Make the demo conversation once per data folder; who deleted it does not get it again."""
    mark = app.data_dir / MARK
    if await asyncio.to_thread(mark.exists):
        return False
    conversation = await app.conversations.create(scope, title=text("demo_title", language), language=language)
    await add_samples(app, scope, conversation.id)
    await asyncio.to_thread(mark.touch)
    return True


async def _content(path: Path) -> AsyncIterator[bytes]:
    yield await asyncio.to_thread(path.read_bytes)
