"""Hands over what code has written when its run ends before its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tablewright.errors import TablewrightError
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.workspace import Workspace


@asynccontextmanager
async def handed_over(workspace: Workspace, files: ArtifactDelivery) -> AsyncIterator[None]:
    """Deliver the finished files of a run that fails or is stopped within this context, and release its session."""
    try:
        yield
    except TablewrightError:
        # What was written before the error still belongs to the person.
        if workspace.leased:
            with suppress(TablewrightError, OSError):
                await files.rest()
        raise
    except asyncio.CancelledError:
        await files.finished()
        raise
    finally:
        await workspace.release()
