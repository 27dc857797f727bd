"""The HTTP application: all routes behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import APIRouter, FastAPI

from tablewright import __version__
from tablewright.api import documents, errors, page_files, reference
from tablewright.api.access import Access
from tablewright.api.guard import Guard
from tablewright.api.measured import Measured
from tablewright.api.routes import (
    agent_query,
    code,
    connections,
    conversations,
    excel,
    exports,
    files,
    health,
    metrics,
    plan_files,
    runs,
    samples,
    schedules,
    session,
    workbook_formats,
    workbooks,
    workflow_chat,
    workflow_corrections,
    workflow_drafts,
    workflows,
)
from tablewright.api.structured.envelope import Enveloped
from tablewright.service.app import App

ROUTERS = (
    conversations.router,
    runs.router,
    exports.router,
    files.router,
    code.router,
    excel.router,
    agent_query.router,
    workflow_chat.router,
    workbooks.router,
    plan_files.router,
    workbook_formats.router,
    samples.router,
    session.router,
    connections.router,
    workflow_corrections.router,
    workflows.router,
    workflow_drafts.router,
    schedules.router,
)


def create_api(opening: AbstractAsyncContextManager[App], access: Access) -> FastAPI:
    """Create the HTTP application. `opening` is entered when the server starts and left when it stops."""

    @asynccontextmanager
    async def lifespan(api: FastAPI) -> AsyncIterator[None]:
        async with opening as app:
            api.state.app = app
            yield

    api = FastAPI(
        title="Tablewright",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    api.state.access = access
    errors.install(api)
    api.include_router(health.router)
    api.include_router(metrics.router)
    native = APIRouter(prefix="/api/v1", responses=documents.faults(422))
    for router in ROUTERS:
        native.include_router(router)
    api.include_router(native)
    api.include_router(workflow_chat.root)
    api.include_router(page_files.router)
    api.include_router(reference.router)
    api.add_middleware(Guard, access=access)
    api.add_middleware(Enveloped)
    api.add_middleware(Measured)
    documents.complete(api)
    return api
