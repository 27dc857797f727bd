"""The HTTP application: all routes behind one guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from tablewright import __version__
from tablewright.api import app_page, documents, errors, reference
from tablewright.api.access import Access
from tablewright.api.chat_completions import faults as openai
from tablewright.api.error_bodies import ErrorBodies, NamedRewrite, Rewrite
from tablewright.api.genie import faults as genie_faults
from tablewright.api.genie import paths as genie_paths
from tablewright.api.genie.cors import GenieCors
from tablewright.api.genie_tools import paths as tool_paths
from tablewright.api.genie_tools.faults import missing_fault
from tablewright.api.guard import Guard
from tablewright.api.measured import Measured
from tablewright.api.routes import (
    agent_query,
    agui,
    auto_agent,
    chat_completions,
    code,
    connections,
    conversations,
    excel,
    exports,
    files,
    genie,
    genie_schemas,
    genie_tool_files,
    genie_tools,
    health,
    metrics,
    model_keys,
    models,
    notes,
    openai_files,
    plan_files,
    runs,
    samples,
    schedules,
    session,
    shares,
    words,
    workbook_formats,
    workbook_views,
    workbooks,
    workflow_chat,
    workflow_corrections,
    workflow_drafts,
    workflow_runs,
    workflows,
)
from tablewright.api.structured import envelope
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
    workbook_views.router,
    samples.router,
    session.router,
    model_keys.router,
    models.router,
    connections.router,
    workflow_corrections.router,
    workflow_runs.router,
    workflows.router,
    workflow_drafts.router,
    schedules.router,
    words.router,
    notes.router,
    shares.router,
)

WIRES: Mapping[str, Rewrite | NamedRewrite] = {
    envelope.PATHS: envelope.enveloped,
    tool_paths.GET_FILES: openai.openai_fault,
    tool_paths.GET_FILE: missing_fault,
    openai.PATHS: openai.openai_fault,
    genie_paths.QUERY: NamedRewrite("requestId", genie_faults.result_fault),
    genie_paths.AUTO_AGENT: NamedRewrite("requestId", genie_faults.agent_fault),
    genie_paths.CHAT: genie_faults.chat_fault,
    genie_paths.DATA: genie_faults.data_fault,
}
"""What the errors of other wires are, by what their paths begin with; the first that fits."""


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Return every route. They know nothing of an application, and what each takes and answers is worked out for 0.2 s:
    once a process."""
    root = APIRouter()
    root.include_router(health.router)
    root.include_router(metrics.router)
    native = APIRouter(prefix="/api/v1", responses=documents.faults(422))
    for router in ROUTERS:
        native.include_router(router)
    root.include_router(native)
    root.include_router(workflow_chat.root)
    root.include_router(agui.router)
    for of_genie in (genie, auto_agent, genie_tools, genie_schemas, genie_tool_files):
        root.include_router(of_genie.router)
    for of_openai in (chat_completions.router, openai_files.router):
        root.include_router(of_openai, prefix="/v1")
    root.include_router(shares.pages)
    root.include_router(app_page.router)
    root.include_router(reference.router)
    return tuple(root.routes)


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
    api.router.routes.extend(_routes())
    api.add_middleware(Guard, access=access)
    api.add_middleware(ErrorBodies, wires=WIRES)
    api.add_middleware(GenieCors, origins=access.origins)
    api.add_middleware(Measured)
    documents.complete(api)
    return api
