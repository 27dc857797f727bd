"""Build a provider's models with pydantic-ai. A vendor's SDK is imported when one of its models is first called.

Nothing is read from the environment: everything that a provider needs is in its configuration. The SDKs never retry;
that is left to `models.wrappers`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import httpx2
from pydantic_ai.models import Model as VendorModel
from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.providers import Provider

from tablewright.errors import ModelNotSetUp, ModelRejected
from tablewright.models.gateway.config import ProviderConfig

NO_KEY = "not-needed"
"""Local servers need no key, but the SDK requires one."""
NO_TAGS = ("<|reasoning-begins|>", "<|reasoning-ends|>")
"""Reasoning inside text is extracted by `models.thinking`, which also handles tags split across pieces of a stream."""

OPENED: ContextVar[list[httpx2.Response]] = ContextVar("OPENED")
"""Collects the responses of the call being opened: google-genai does not close its own when it is abandoned."""


class Vendor:
    """A model ready to be called, and its connections."""

    def __init__(self, model: VendorModel, client: httpx2.AsyncClient | None) -> None:
        self.model = model
        self._client = client

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()


def build(config: ProviderConfig, model: str, *, structured: bool = False) -> Vendor:
    """Return the provider's model called `model`; `structured` if it can be held to a JSON schema.

    Raises `ModelNotSetUp`, which names a missing key or extra.
    """
    known = ModelProfile(supports_json_schema_output=True) if structured else ModelProfile()
    try:
        return _BUILDERS[config.kind](config, model, known)
    except ImportError as missing:
        raise ModelNotSetUp(
            "provider_extra_missing", model=f"{config.name}:{model}", extra=config.kind, module=missing.name
        ) from missing


def _timeout(config: ProviderConfig) -> httpx2.Timeout:
    return httpx2.Timeout(config.timeout_s, connect=config.connect_timeout_s)


def _http(config: ProviderConfig, model: str) -> httpx2.AsyncClient:
    async def opened(response: httpx2.Response) -> None:
        OPENED.get().append(response)
        if response.is_success and response.headers.get("content-type", "").startswith("text/html"):
            raise ModelRejected(
                "model_web_page", model=f"{config.name}:{model}", setting=f"providers.{config.name}.base_url"
            )

    return httpx2.AsyncClient(
        timeout=_timeout(config),
        trust_env=not config.local,
        follow_redirects=False,
        event_hooks={"response": [opened]},
    )


def _key(config: ProviderConfig, model: str) -> str:
    if config.api_key:
        return config.api_key
    setting = f"providers.{config.name}.api_key"
    raise ModelNotSetUp("provider_key_missing", model=f"{config.name}:{model}", setting=setting)


def _openai(config: ProviderConfig, model: str, known: ModelProfile) -> Vendor:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
    from pydantic_ai.providers.vllm import VLLMProvider

    http = _http(config, model)
    own = config.kind == "openai" and config.base_url is None
    client = AsyncOpenAI(
        api_key=_key(config, model) if own else config.api_key or NO_KEY,
        base_url=config.endpoint,
        http_client=http,
        max_retries=0,
        timeout=_timeout(config),
        default_headers=config.headers or None,
    )
    provider: Provider[AsyncOpenAI]
    if config.kind == "ollama":
        provider = OllamaProvider(openai_client=client)
    elif config.kind == "vllm":
        provider = VLLMProvider(openai_client=client)
    elif own:
        provider = OpenAIProvider(openai_client=client)
    else:
        provider = OpenAICompatibleProvider(config.name, openai_client=client)
    profile = OpenAIModelProfile(
        openai_supports_strict_tool_definition=config.strict_tools,
        may_tokenize_special_tokens_in_content=False,  # would break the dialogue's own tags; data is defused before
        thinking_tags=NO_TAGS,
        ignore_streamed_leading_whitespace=False,
        # compatible servers know the older `max_tokens`; OpenAI's own models accept only the newer field
        openai_chat_supports_max_completion_tokens=own or model.startswith(("gpt-", "o1", "o3", "o4")),
        supports_image_input=True,  # `models.profiles` alone decides what may be sent
    )
    return Vendor(OpenAIChatModel(model, provider=provider, profile=merge_profile(profile, known)), http)


def _anthropic(config: ProviderConfig, model: str, known: ModelProfile) -> Vendor:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    http = _http(config, model)
    key = _key(config, model) if config.base_url is None else config.api_key or NO_KEY
    # the SDK sends the key only as a bearer token; compatible servers may expect the older header
    older = {} if config.base_url is None else {"x-api-key": key}
    client = AsyncAnthropic(
        api_key=key,
        base_url=config.endpoint,
        http_client=http,
        max_retries=0,
        timeout=_timeout(config),
        default_headers={**older, **config.headers},
    )
    return Vendor(AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client), profile=known), http)


def _google(config: ProviderConfig, model: str, known: ModelProfile) -> Vendor:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    http = _http(config, model)
    http.headers.update(config.headers)
    provider = GoogleProvider(api_key=_key(config, model), base_url=config.base_url, http_client=http)
    return Vendor(GoogleModel(model, provider=provider, profile=known), http)


def _bedrock(config: ProviderConfig, model: str, known: ModelProfile) -> Vendor:
    import boto3
    from botocore.config import Config
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    client = boto3.client(
        "bedrock-runtime",
        region_name=config.region,
        endpoint_url=config.base_url,
        aws_access_key_id=config.access_key,
        aws_secret_access_key=config.secret_key,
        aws_session_token=config.session_token,
        config=Config(
            connect_timeout=config.connect_timeout_s, read_timeout=config.timeout_s, retries={"total_max_attempts": 1}
        ),
    )
    return Vendor(BedrockConverseModel(model, provider=BedrockProvider(bedrock_client=client), profile=known), None)


_BUILDERS: dict[str, Callable[[ProviderConfig, str, ModelProfile], Vendor]] = {
    "openai": _openai,
    "vllm": _openai,
    "ollama": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "bedrock": _bedrock,
}
