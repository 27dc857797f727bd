"""Every setting there is, with its default. docs/reference/settings.md says the same in words; a test compares them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr


def _split(value: object) -> object:
    """A list may be written as text with commas: environment variables know nothing else."""
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]


class Section(BaseModel):
    """A frozen part of the tree; a name that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DatabaseSettings(Section):
    """Where conversations, runs and events are kept."""

    url: str | None = None


class ServerSettings(Section):
    """Where and how `serve` listens."""

    host: str = "127.0.0.1"
    port: int = Field(default=8787, ge=0, le=65_535)
    shutdown_timeout: float = Field(default=5.0, ge=0)
    allowed_hosts: Names = ()


class LogSettings(Section):
    """What `serve` writes to its standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json"] = "auto"


class FileSettings(Section):
    """What an uploaded file may be."""

    max_size_mb: int = Field(default=512, ge=1)
    open_timeout: float = Field(default=20.0, gt=0)
    open_memory_mb: int = Field(default=1024, ge=128)


class RunSettings(Section):
    """What one run may use."""

    tokens: int = Field(default=400_000, ge=1)
    wall_clock: float = Field(default=900.0, gt=0)


class Settings(Section):
    """The whole configuration."""

    data_dir: Path | None = None
    model: str = "builtin"
    database: DatabaseSettings = DatabaseSettings()
    server: ServerSettings = ServerSettings()
    log: LogSettings = LogSettings()
    files: FileSettings = FileSettings()
    runs: RunSettings = RunSettings()
