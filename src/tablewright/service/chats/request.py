"""What a client of chats sends: the messages so far, the last of which is the new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.language import Language
from tablewright.domain.run import Approvals, Mode

ChatRole = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReference:
    """A stored file that a message names; `field` is the place in the request."""

    file_id: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A file that a message carries; `sha256` is that of its bytes, and `field` the place in the request."""

    name: str
    content: bytes
    sha256: str
    field: str


Attachment = FileReference | FileContent


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """A message of the chat: of a person, with what is attached to it, or what the client says that we answered."""

    role: ChatRole
    text: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatName:
    """What a client calls a chat. `certain`: a lone message with this name continues the chat; otherwise the client
    sends every message again, and one that does not go on where the chat stands is a branch of it."""

    key: str
    certain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A request that may have arrived before: by its `key`, or because its client says that it tries again."""

    key: str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A request. The last of `turns` is the person's new message; `background` is text that the client adds to the
    chat, of which only tables are read. `person` tells the people apart that one client serves.
    """

    turns: tuple[ChatTurn, ...]
    background: tuple[str, ...] = ()
    mode: Mode = "auto"
    model: str | None = None
    approvals: Approvals = "ask"
    language: Language = "en"
    person: str = ""
    chat: ChatName | None = None
    repetition: Repetition = Repetition()

    @property
    def before(self) -> tuple[ChatTurn, ...]:
        """What was said before the new message."""
        return self.turns[:-1]

    @property
    def new(self) -> ChatTurn:
        """The new message."""
        return self.turns[-1]
