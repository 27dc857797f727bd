"""One call over pydantic-ai, from a request to its parts. Importing this imports the common parts of the SDKs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import StreamedResponse
from pydantic_ai.settings import ModelSettings as VendorSettings

from tablewright.errors import ModelSchemaRefused, ModelStreamCut, TablewrightError
from tablewright.models.base import ModelRequest, NamedTool, StreamEnded, StreamPart, UsageSeen
from tablewright.models.gateway.caching import cache_marks
from tablewright.models.gateway.calls import settled_calls
from tablewright.models.gateway.config import ProviderConfig
from tablewright.models.gateway.failures import failure
from tablewright.models.gateway.incoming import IncomingStream, end_reason, whole
from tablewright.models.gateway.outgoing import outgoing, parameters
from tablewright.models.gateway.schema_refusal import refuses_schema
from tablewright.models.gateway.vendors import OPENED, Vendor, build
from tablewright.models.profiles import Abilities
from tablewright.models.tokens import TokenCounter


class ProviderCaller:
    """Calls one model of one provider over its own connections."""

    def __init__(self, config: ProviderConfig, model: str, abilities: Abilities, counter: TokenCounter) -> None:
        self._config = config
        self._name = f"{config.name}:{model}"
        self._abilities = abilities
        self._counter = counter
        self._vendor: Vendor = build(config, model, structured=abilities.structured)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._vendor.aclose()

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        """Answer `request`; closing this iterator closes the connection.

        Raises `ModelSchemaRefused` before the first part where the endpoint does not take the schema of the answer.
        """
        incoming = IncomingStream()
        try:
            async with self._open(request) as stream:
                async for event in stream:
                    for piece in incoming.pieces(event):
                        yield piece
                for part in self._end(incoming, stream, request):
                    yield part
        except TablewrightError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an SDK raises is an error of the model
            held = request.output_schema is not None and self._abilities.structured
            if held and not incoming.began and refuses_schema(error):
                raise ModelSchemaRefused(model=self._name) from None
            # `from None`: the SDK's exception may contain the request's headers
            raise failure(
                error,
                model=self._name,
                secrets=self._config.secrets,
                began=incoming.began,
                place=self._config.place,
            ) from None

    @asynccontextmanager
    async def _open(self, request: ModelRequest) -> AsyncIterator[StreamedResponse]:
        tools = request.tools if self._abilities.tools else ()
        opening = model_request_stream(
            self._vendor.model,
            outgoing(
                settled_calls(request.messages, tools=bool(tools)),
                self._abilities,
                provider=self._vendor.model.system,
            ),
            model_settings=self._settings(request, with_tools=bool(tools)),
            model_request_parameters=parameters(
                tools, self._config, request.output_schema if self._abilities.structured else None
            ),
        )
        responses: list[httpx2.Response] = []
        async with AsyncExitStack() as stack:
            noting = OPENED.set(responses)
            try:
                stream = await stack.enter_async_context(opening)
            finally:
                OPENED.reset(noting)
            for response in responses:
                stack.push_async_callback(response.aclose)
            yield stream

    def _settings(self, request: ModelRequest, *, with_tools: bool) -> VendorSettings:
        settings = cache_marks(self._config.kind, request.task) if self._config.prompt_cache else VendorSettings()
        if request.settings.temperature is not None:
            settings["temperature"] = request.settings.temperature
        if (length := self._abilities.answer_tokens(request.settings.max_output_tokens)) is not None:
            settings["max_tokens"] = length
        if with_tools and request.tool_choice != "auto":
            choice = request.tool_choice
            settings["tool_choice"] = [choice.name] if isinstance(choice, NamedTool) else choice
        return settings

    def _end(self, incoming: IncomingStream, stream: StreamedResponse, request: ModelRequest) -> Iterator[StreamPart]:
        reason = end_reason(stream)
        if reason is None:
            raise ModelStreamCut(model=self._name)
        message = whole(stream.get())
        yield from incoming.ending()
        yield self._usage(stream, request, message.text)
        yield StreamEnded(message=message, reason=reason)

    def _usage(self, stream: StreamedResponse, request: ModelRequest, said: str) -> UsageSeen:
        usage = stream.usage
        if usage.input_tokens or usage.output_tokens:
            self._counter.observe(request.messages, request.tools, model=self._name, input_tokens=usage.input_tokens)
            return UsageSeen(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cache_read_tokens,
            )
        return UsageSeen(
            input_tokens=self._counter.count(request.messages, request.tools, model=self._name).tokens,
            output_tokens=self._counter.count_text(said, model=self._name).tokens,
            method="estimate",
        )
