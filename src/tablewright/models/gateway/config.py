"""How to reach a provider, as plain values; bootstrap creates them from the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

Kind = Literal["openai", "anthropic", "google", "bedrock", "ollama", "vllm"]
"""The protocol of an endpoint; `openai` means any endpoint with `/chat/completions`."""

BASE_URLS: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:8000/v1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderConfig:
    """One provider.

    `name` is the part before the colon in `name:model`. A value of None is left to the default of `kind`, or to the
    table of abilities.
    """

    name: str
    kind: Kind
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    timeout_s: float = 120.0
    """How long to wait for the next bytes of a connection."""
    connect_timeout_s: float = 10.0
    strict_tools: bool = False
    """Request constrained tool arguments; many compatible servers refuse that."""
    prompt_cache: bool = True
    """Have the provider keep the beginning of what it is sent, where it has to be asked to."""
    tools: bool | None = None
    images: bool | None = None
    structured: bool | None = None
    """Whether the models can be held to a JSON schema."""
    context_tokens: int | None = None
    max_output_tokens: int | None = None
    region: str | None = None
    """Bedrock only; without `access_key`, the default AWS credential chain is used."""
    access_key: str | None = field(default=None, repr=False)
    secret_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)

    @property
    def endpoint(self) -> str | None:
        """The base URL; None if the SDK knows it. Anthropic's is the root, with or without `/v1`."""
        url = self.base_url or BASE_URLS.get(self.kind)
        return url.rstrip("/").removesuffix("/v1") if url and self.kind == "anthropic" else url

    @property
    def place(self) -> str:
        """The endpoint's host and port for display; empty if the SDK knows the endpoint."""
        return urlsplit(self.endpoint or "").netloc.rpartition("@")[2]

    @property
    def local(self) -> bool:
        """Whether the endpoint is on this machine, in which case no proxy is used."""
        return urlsplit(self.endpoint or "").hostname in {"127.0.0.1", "localhost", "::1"}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Strings that must never appear in a message or a log.

        Those shorter than four characters are excluded: they protect nothing.
        """
        keys = (self.api_key, self.access_key, self.secret_key, self.session_token, *self.headers.values())
        return tuple(key for key in keys if key and len(key) >= 4)
