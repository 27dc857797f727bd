"""Requests and answers of the wire of OpenAI's chat completions; what a request has beyond them is passed over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(max_length=300)]


class Lenient(BaseModel):
    """Passes over what it does not know."""

    model_config = ConfigDict(extra="ignore")


class ChatMessageIn(Lenient):
    """One message: text, or parts of the types `text`, `file` and `image_url`."""

    role: Name
    content: str | list[dict[str, Any]] | None = None


class StreamOptions(Lenient):
    """`include_usage`: the last chunk has the tokens."""

    include_usage: bool | None = None


class ChatCompletionRequest(Lenient):
    """All that was said in a chat; the last message is the new one.

    `metadata.conversation_id` names the chat, `metadata.approvals` may be `auto`, `user` tells people apart. What
    concerns the sampling of a model (`temperature`, `max_tokens`, …) has no effect; what asks for something that there
    is not (`tools`, `n` above 1, …) is refused.
    """

    model: Name
    messages: Annotated[list[ChatMessageIn], Field(min_length=1, max_length=10_000)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    user: Any = None
    safety_identifier: Any = None
    metadata: dict[str, Any] | None = None
    n: int | None = None
    tools: Any = None
    tool_choice: Any = None
    functions: Any = None
    function_call: Any = None
    response_format: Any = None
    modalities: Any = None
    audio: Any = None
    logprobs: Any = None
    top_logprobs: Any = None
    stop: Any = None
    prediction: Any = None
    web_search_options: Any = None


class ChatMessageOut(BaseModel):
    """The answer; `reasoning_content` has the steps that led to it."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: str | None = None
    reasoning_content: str | None = None


FinishReason = Literal["stop", "length"]


class ChatChoice(BaseModel):
    """The only choice."""

    index: int = 0
    message: ChatMessageOut
    finish_reason: FinishReason
    logprobs: Any | None = None


class CachedTokens(BaseModel):
    """Tokens that a provider had read before."""

    cached_tokens: int = 0


class ChatUsage(BaseModel):
    """Tokens of all calls of language models that the run has made; none where the built-in analyst worked."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: CachedTokens


class ChatCompletion(BaseModel):
    """The answer to a chat."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoice]
    usage: ChatUsage
    system_fingerprint: str | None = None


class ChatDelta(BaseModel):
    """What a chunk adds."""

    role: Literal["assistant"] | None = None
    content: str | None = None
    reasoning_content: str | None = None


class ChatChunkChoice(BaseModel):
    """The only choice of a chunk."""

    index: int = 0
    delta: ChatDelta
    finish_reason: FinishReason | None = None
    logprobs: Any | None = None


class ChatChunk(BaseModel):
    """A piece of the answer; with `stream_options.include_usage` the last one has no choice but the usage."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChatChunkChoice]
    usage: ChatUsage | None = None


class OpenAiModel(BaseModel):
    """A mode of Tablewright as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str = "tablewright"
    name: str


class OpenAiModels(BaseModel):
    """All of them."""

    object: Literal["list"] = "list"
    data: list[OpenAiModel]


class OpenAiFault(BaseModel):
    """What went wrong; `code` is stable, `param` names the part of the request."""

    message: str
    type: str
    param: str | None = None
    code: str | None = None


class OpenAiError(BaseModel):
    """The body of every response of this wire that is not a success."""

    error: OpenAiFault


class OpenAiFile(BaseModel):
    """A stored file."""

    id: str
    object: Literal["file"] = "file"
    bytes: int
    created_at: int
    filename: str
    purpose: str
    status: Literal["processed"] = "processed"
    expires_at: int | None = None


class OpenAiFiles(BaseModel):
    """Some of the files; where `has_more`, those after `last_id` follow."""

    object: Literal["list"] = "list"
    data: list[OpenAiFile]
    first_id: str | None = None
    last_id: str | None = None
    has_more: bool = False


class OpenAiDeletion(BaseModel):
    """A file is gone."""

    id: str
    object: Literal["file"] = "file"
    deleted: Literal[True] = True
