"""Concrete adapters, named as strings and imported when needed."""

from __future__ import annotations

import importlib
from typing import Any

MEMORY_STORE = "tablewright.store.memory:MemoryStore"
SQL_STORE = "tablewright.store.sql:SqlStore"
BLOBS = "tablewright.store.blobs:BlobFolder"
QUERY_CHILDREN = "tablewright.data.sql.children:QueryChildren"
OPEN_DATABASE = "tablewright.data.sql.connecting:open_database"
PRIMARY_DATABASE = "tablewright.data.sql.primary:PrimaryDatabase"
SEALER = "tablewright.store.sealing:Sealer"
FILE_TABLES = "tablewright.data.files.tables:FileTables"
WORKER_POOL = "tablewright.data.pool:WorkerPool"
PACKAGE_EDITOR = "tablewright.workbook.package.editor:PackageEditor"
EDITING_MODULES = "tablewright.workbook.package.editor:WARM"
"""What the editor's children import in advance."""
READING_MODULES = "tablewright.data.files.tables:WARM"
"""What the readers import in advance."""
EMBEDDED_SANDBOX = "tablewright.sandbox.embedded.sandbox:EmbeddedSandbox"
EMBEDDED_CONFIG = "tablewright.sandbox.embedded.config:EmbeddedConfig"
HAND_BACK = "tablewright.bootstrap.memory:hand_back_at_times"
METRICS = "tablewright.metrics:Metrics"
HTTP_FACES = "tablewright.mcp_server.server:HttpFaces"
MCP_TOOLS = "tablewright.tools.mcp_client:McpTools"
MCP_SERVER = "tablewright.tools.mcp_client:McpServer"
DOCKER_SANDBOX = "tablewright.sandbox.docker.sandbox:DockerSandbox"
DOCKER_CONFIG = "tablewright.sandbox.docker.config:DockerConfig"
DOWNLOADS = "tablewright.data.download:GuardedDownloads"
DOWNLOAD_LIMITS = "tablewright.data.download:DownloadLimits"
WEB_PAGES = "tablewright.data.web.pages:WebPageReader"
WEB_REQUESTS = "tablewright.data.web.requests:GuardedRequests"
PAGE_TYPES = "tablewright.data.web.pages:TYPES"
SEARXNG = "tablewright.data.web.search:SearxNG"
TAVILY = "tablewright.data.web.search:Tavily"
FIND_ENVIRONMENT = "tablewright.sandbox.environment:find"
INSTALL_ENVIRONMENT = "tablewright.sandbox.environment:install"
BUILTIN_ANALYST = "tablewright.analyst.model:BuiltinAnalyst"
PLAN_SPLIT = "tablewright.analyst.sql.split:split"
GATEWAY_FACTORY = "tablewright.models.gateway.model:gateway_factory"
LOAD_SDK = "tablewright.models.gateway.model:load_sdk"
WORKFLOW_AGENT = "tablewright.workflows.engine:WorkflowAgent"
WORKFLOW_SERVICES = "tablewright.workflows.context_services:ContextServices"
WORKFLOW_LIBRARY = "tablewright.service.workflows.library:WorkflowLibrary"
SCHEDULE_RUNNER = "tablewright.service.schedules.runner:ScheduleRunner"
WORKFLOW_USE_CASES = "tablewright.service.workflow_use_cases:workflow_use_cases"
WORKFLOW_DEFAULTS = "tablewright.service.workflow_use_cases:WorkflowDefaults"
WORKFLOW_TEMPLATE = "tablewright.workflows.library:template_named"
WORKFLOW_INDEX = "tablewright.routing.workflows.index:WorkflowIndex"
GATEWAY_EMBEDDINGS = "tablewright.models.gateway.embeddings:GatewayEmbeddings"
PROVIDER_CONFIG = "tablewright.models.gateway.config:ProviderConfig"


def load(name: str) -> Any:
    """Import and return the object named by `package.module:name`."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
