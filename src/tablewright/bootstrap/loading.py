"""Concrete adapters, named as text and imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

MEMORY_STORE = "tablewright.store.memory:MemoryStore"
SQL_STORE = "tablewright.store.sql:SqlStore"
BLOBS = "tablewright.store.blobs:BlobFolder"
FILE_TABLES = "tablewright.data.files.tables:FileTables"
WORKER_POOL = "tablewright.data.pool:WorkerPool"
PACKAGE_EDITOR = "tablewright.workbook.package.editor:PackageEditor"
EDITING_MODULES = ("tablewright.workbook.package.job", "tablewright.workbook.package.reading")
"""What the editor's children import ahead."""
READING_MODULE = "tablewright.data.files.profiling"
"""What the readers import ahead: a module, not a name in one."""
EMBEDDED_SANDBOX = "tablewright.sandbox.embedded.sandbox:EmbeddedSandbox"
EMBEDDED_CONFIG = "tablewright.sandbox.embedded.config:EmbeddedConfig"
MCP_TOOLS = "tablewright.tools.mcp_client:McpTools"
MCP_SERVER = "tablewright.tools.mcp_client:McpServer"
DOCKER_SANDBOX = "tablewright.sandbox.docker.sandbox:DockerSandbox"
DOCKER_CONFIG = "tablewright.sandbox.docker.config:DockerConfig"
DOWNLOADS = "tablewright.data.download:GuardedDownloads"
DOWNLOAD_LIMITS = "tablewright.data.download:DownloadLimits"
FIND_ENVIRONMENT = "tablewright.sandbox.environment:find"
INSTALL_ENVIRONMENT = "tablewright.sandbox.environment:install"
BUILTIN_ANALYST = "tablewright.analyst.model:BuiltinAnalyst"
GATEWAY_FACTORY = "tablewright.models.gateway.model:gateway_factory"
PROVIDER_CONFIG = "tablewright.models.gateway.config:ProviderConfig"
ALL = (
    MEMORY_STORE,
    SQL_STORE,
    BLOBS,
    FILE_TABLES,
    WORKER_POOL,
    PACKAGE_EDITOR,
    EMBEDDED_SANDBOX,
    EMBEDDED_CONFIG,
    DOCKER_SANDBOX,
    DOCKER_CONFIG,
    MCP_TOOLS,
    MCP_SERVER,
    DOWNLOADS,
    DOWNLOAD_LIMITS,
    FIND_ENVIRONMENT,
    INSTALL_ENVIRONMENT,
    BUILTIN_ANALYST,
    GATEWAY_FACTORY,
    PROVIDER_CONFIG,
)
"""Every name there is; a test resolves each."""


def load(name: str) -> Any:
    """Return what `package.module:name` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
