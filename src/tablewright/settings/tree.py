"""Every setting there is, with its default. docs/reference/settings.md says the same in words; a test compares them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ByteSize, ConfigDict, Field, SecretStr
from pydantic_core import PydanticCustomError

MIB = 1024**2
DATABASES = ("sqlite://", "sqlite+aiosqlite://", "postgres://", "postgresql://", "postgresql+psycopg://", "memory:")
"""How the URL of a database that is known begins."""


def _split(value: object) -> object:
    """A list may be written as text with commas: environment variables know nothing else."""
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


def _of_a_database(url: str) -> str:
    try:
        known = url.startswith(DATABASES) and urlsplit(url).port != 0
    except ValueError:  # what stands in the place of the port is no number
        known = False
    if not known:
        raise PydanticCustomError("value_not_database", "no database that is known")
    return url


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]


class Section(BaseModel):
    """A frozen part of the tree; a name that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DatabaseSettings(Section):
    """Where conversations, runs and events are kept."""

    url: Annotated[str, AfterValidator(_of_a_database)] | None = None


class DatabasesSettings(Section):
    """Databases that may be asked: hosts and folders that connections may name."""

    hosts: Names = ()
    folders: Annotated[tuple[Path, ...], BeforeValidator(_split)] = ()


class ServerSettings(Section):
    """Where and how `serve` listens."""

    host: str = "127.0.0.1"
    port: int = Field(default=8787, ge=0, le=65_535)
    shutdown_timeout: float = Field(default=5.0, ge=0)
    allowed_hosts: Names = ()
    connections: int = Field(default=2000, ge=16)
    connections_per_client: int = Field(default=256, ge=4)
    header_timeout: float = Field(default=20.0, gt=0)
    idle_timeout: float = Field(default=30.0, gt=0)


class GenieSettings(Section):
    """The wire of Genie: the origins whose pages may use it besides our own."""

    origins: Names = ()


class LogSettings(Section):
    """What `serve` writes to its standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json"] = "auto"


class FileSettings(Section):
    """What an uploaded file may be."""

    max_size: ByteSize = Field(default=ByteSize(512 * MIB), ge=1)
    open_timeout: float = Field(default=20.0, gt=0)
    edit_timeout: float = Field(default=60.0, gt=0)
    open_memory: ByteSize = Field(default=ByteSize(1024 * MIB), ge=128 * MIB)


class DownloadSettings(Section):
    """How files are fetched from the web."""

    timeout: float = Field(default=60.0, gt=0)
    max_redirects: int = Field(default=5, ge=0)


class RunPythonSettings(Section):
    """What code of the tool `run_python` may import; empty: whatever the sandbox allows."""

    imports: Names = (
        "json", "csv", "datetime", "math", "statistics", "random", "pandas", "numpy", "scipy", "statsmodels",
        "openpyxl", "xlrd", "xlsxwriter", "matplotlib", "seaborn", "plotly",
    )  # fmt: skip


class WebSearchSettings(Section):
    """The search engine of the tool `web_search`: `searxng`, `tavily`, or the name of an entry point."""

    provider: str | None = None
    url: str | None = None
    key: SecretStr | None = None
    timeout: float = Field(default=20.0, gt=0)


class WebReaderSettings(Section):
    """How pages are fetched by the tool `web_reader`."""

    max_size: ByteSize = Field(default=ByteSize(5 * MIB), ge=1)
    timeout: float = Field(default=20.0, gt=0)
    max_redirects: int = Field(default=5, ge=0)


class McpServerSettings(Section):
    """A server whose tools the agents may use: a `command` that is started, or a `url`."""

    command: str | None = None
    args: Names = ()
    env: dict[str, SecretStr] = {}
    cwd: Path | None = None
    url: str | None = None
    headers: dict[str, SecretStr] = {}
    timeout: float = Field(default=60.0, gt=0)
    connect_timeout: float = Field(default=15.0, gt=0)


class McpSettings(Section):
    """The MCP server that this is, and those whose tools it uses."""

    sse: bool = False
    stateless: bool = False
    keep_days: int = Field(default=7, ge=0)
    servers: dict[str, McpServerSettings] = {}


class RunSettings(Section):
    """What one run may use."""

    tokens: int = Field(default=400_000, ge=1)
    wall_clock: float = Field(default=900.0, gt=0)


class RoundSettings(Section):
    """How workbooks are changed in rounds, and what a planner is told."""

    max_rounds: int = Field(default=10, ge=2)
    max_history_rounds: int = Field(default=3, ge=0)
    max_new_plans: int = Field(default=3, ge=0)
    outline_tokens: int = Field(default=4_000, ge=200)


class ReportSettings(Section):
    """How reports are made in structured rounds."""

    max_rounds: int = Field(default=10, ge=1)
    database_tokens: int = Field(default=3_000, ge=200)
    prompts: Path | None = None


class ProviderSettings(Section):
    """How to reach the models `name:model`; what is not set is left to the kind of provider."""

    kind: Literal["openai", "anthropic", "google", "bedrock", "ollama", "vllm"] | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    headers: dict[str, SecretStr] = {}
    timeout: float = Field(default=120.0, gt=0)
    connect_timeout: float = Field(default=10.0, gt=0)
    strict_tools: bool = False
    prompt_cache: bool = True
    tools: bool | None = None
    images: bool | None = None
    structured: bool | None = None
    context_tokens: int | None = Field(default=None, ge=1)
    max_output_tokens: int | None = Field(default=None, ge=1)
    region: str | None = None
    access_key: SecretStr | None = None
    secret_key: SecretStr | None = None
    session_token: SecretStr | None = None


class ReactSettings(Section):
    """How the code analyst works: how much it may do, and the marks of its dialogue with a model."""

    max_steps: int = Field(default=10, ge=1)
    max_step_retry: int = Field(default=3, ge=0)
    max_total_retry: int = Field(default=5, ge=0)
    step_timeout: float = Field(default=60.0, gt=0)
    code_begin_tag: str = Field(default="<|begin_code|>", min_length=1)
    code_end_tag: str = Field(default="<|end_code|>", min_length=1)
    step_annotation: str = Field(default="# @step:", min_length=1)
    conclusion_step_zh: str = Field(default="输出分析结论", min_length=1)
    conclusion_step_en: str = Field(default="State the conclusion", min_length=1)
    mode: Literal["whole_block", "announce", "pre_execute"] = "pre_execute"


class PoolSettings(Section):
    """Sandbox workers that are kept ready."""

    min_size: int = Field(default=2, ge=0)
    max_size: int = Field(default=5, ge=1)
    scale_up_threshold: float = Field(default=0.8, gt=0, le=1)
    scale_down_threshold: float = Field(default=0.3, ge=0, lt=1)
    health_check_interval: float = Field(default=30.0, gt=0)


class WorkerSettings(Section):
    """What one sandbox worker may use; the last three are of the Docker backend."""

    memory_limit: ByteSize = Field(default=ByteSize(2048 * MIB), ge=256 * MIB)
    cpu_limit: float = Field(default=1.0, gt=0)
    image: str = Field(default="tablewright-sandbox", min_length=1)
    runtime: str = Field(default="runsc", min_length=1)
    network: str = Field(default="none", min_length=1)


class SessionSettings(Section):
    """How long a sandbox session and one execution in it may last, in seconds."""

    idle_timeout: float = Field(default=1800.0, gt=0)
    max_lifetime: float = Field(default=7200.0, gt=0)
    execution_timeout: float = Field(default=300.0, gt=0)


class DockerSettings(Section):
    """The Docker daemon that has the workers."""

    socket: Path = Path("/var/run/docker.sock")


class ImportSettings(Section):
    """What code may import. Where `only` names packages, they and `tw` are all."""

    checked: bool = True
    only: Names = ()
    refused: Names = ()


class DataSettings(Section):
    """Folders of data."""

    shared_path: Path | None = None
    sessions_path: Path | None = None


class SandboxSettings(Section):
    """Where code runs."""

    backend: Literal["embedded", "docker"] = "embedded"
    python: Path | None = None
    min_isolation: Literal["L1", "L2B", "L2", "L3", "GVISOR"] = "L1"
    preload_packages: Names = ("pandas", "numpy", "matplotlib", "scipy", "statsmodels")
    imports: ImportSettings = ImportSettings()
    pool: PoolSettings = PoolSettings()
    worker: WorkerSettings = WorkerSettings()
    session: SessionSettings = SessionSettings()
    data: DataSettings = DataSettings()
    docker: DockerSettings = DockerSettings()


class WorkflowSettings(Section):
    """Workflows inside a chat; `enabled` holds where no user, tenant or operator has said otherwise."""

    enabled: bool = True
    restart_after: float = Field(default=1_800.0, gt=0)


class AnalystSettings(Section):
    """The built-in analyst."""

    most_wrong: float = Field(default=0.12, ge=0, le=1)


class RoutingSettings(Section):
    """How messages are routed to workflows."""

    embeddings: str | None = None
    model: str | None = None
    timeout: float = Field(default=0.5, gt=0)
    continue_words: tuple[str, ...] = ("继续", "是", "好", "确认", "continue", "ok", "yes")


class ShareSettings(Section):
    """How long links to conversations are open, in days; with `most_days` 0 there are none."""

    days: int = Field(default=7, ge=1)
    most_days: int = Field(default=90, ge=0)


class AgentSettings(Section):
    """Agents that work with tools: one alone, or several by a plan."""

    max_steps: int = Field(default=40, ge=1)
    max_input_tokens: int = Field(default=128_000, ge=2_000)
    max_tokens: int = Field(default=8_192, ge=1)
    executors: int = Field(default=4, ge=1, le=64)
    task_timeout: float = Field(default=300.0, gt=0)
    base_prompt: Path | None = None
    sop_prompt: Path | None = None


class Settings(Section):
    """The whole configuration."""

    data_dir: Path | None = None
    model: str = "builtin"
    database: DatabaseSettings = DatabaseSettings()
    databases: DatabasesSettings = DatabasesSettings()
    server: ServerSettings = ServerSettings()
    genie: GenieSettings = GenieSettings()
    log: LogSettings = LogSettings()
    files: FileSettings = FileSettings()
    download: DownloadSettings = DownloadSettings()
    runs: RunSettings = RunSettings()
    providers: dict[str, ProviderSettings] = {}
    analyst: AnalystSettings = AnalystSettings()
    react: ReactSettings = ReactSettings()
    rounds: RoundSettings = RoundSettings()
    report: ReportSettings = ReportSettings()
    agents: AgentSettings = AgentSettings()
    workflow: WorkflowSettings = WorkflowSettings()
    routing: RoutingSettings = RoutingSettings()
    shares: ShareSettings = ShareSettings()
    mcp: McpSettings = McpSettings()
    run_python: RunPythonSettings = RunPythonSettings()
    web_search: WebSearchSettings = WebSearchSettings()
    web_reader: WebReaderSettings = WebReaderSettings()
    sandbox: SandboxSettings = SandboxSettings()
