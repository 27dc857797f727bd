"""Reads the parts of messages: text, files by reference or as data, and images, which nobody here can look at."""

from __future__ import annotations

import base64
import binascii
import hashlib
import mimetypes
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.image_header import image_header
from tablewright.errors import FileTooLarge, ImageInvalid, ImageRemote, ImageUnread, InvalidInput
from tablewright.service.chats.request import Attachment, FileContent, FileReference

TEXT = frozenset({"text", "input_text", "output_text", "refusal"})
FILE = frozenset({"file", "input_file"})
IMAGE = frozenset({"image_url", "input_image", "image_file"})
FILES = 20
"""The most files of one message."""
FILE_BYTES = 24 * 1024**2
"""The largest file that a message carries itself; a larger one is uploaded and named."""
OTHER_IMAGES = (b"BM", b"II*\0", b"MM\0*")
"""How pictures begin whose headers are not read."""


@dataclass(slots=True, kw_only=True)
class ReadParts:
    """What a message consists of; `images` are the places of images."""

    texts: list[str] = field(default_factory=list[str])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    images: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """All of its text."""
        return "\n\n".join(self.texts)


def read_parts(content: str | list[dict[str, Any]] | None, place: str, *, new: bool) -> ReadParts:
    """Return what a message consists of; `place` names it in errors. In earlier messages, which may have been for
    another model, what cannot be used is passed over. Raises `InvalidInput` and `FileTooLarge`."""
    read = ReadParts()
    if isinstance(content, str):
        read.texts.append(content)
        return read
    for number, part in enumerate(content or []):
        _read(read, part, f"{place}.content[{number}]", new=new)
    if len(read.attachments) > FILES:
        raise InvalidInput("chat_files_many", field=place, limit=FILES)
    return read


def _read(read: ReadParts, part: Mapping[str, Any], place: str, *, new: bool) -> None:
    kind = part.get("type")
    if kind in TEXT:
        words = part.get("text", part.get("refusal"))
        if not isinstance(words, str):
            raise InvalidInput("chat_part_wrong", field=place)
        read.texts.append(words)
    elif kind in FILE:
        with nullcontext() if new else suppress(InvalidInput):
            read.attachments.append(_file(part, place))
    elif kind in IMAGE:
        if new:
            check_image(part, place)
        read.images.append(place)
    elif new:
        raise InvalidInput("chat_part_unknown", field=f"{place}.type", name=str(kind)[:50])


def _file(part: Mapping[str, Any], place: str) -> Attachment:
    told = part.get("file", part)
    if not isinstance(told, Mapping):
        raise InvalidInput("chat_part_wrong", field=place)
    file_id, data, name = told.get("file_id"), told.get("file_data"), told.get("filename")
    if isinstance(file_id, str) and file_id:
        return FileReference(file_id=file_id[:200], field=f"{place}.file.file_id")
    if not isinstance(data, str) or not data:
        raise InvalidInput("chat_part_wrong", field=place)
    mime, content = decoded(data, f"{place}.file.file_data")
    named = name if isinstance(name, str) and name.strip() else f"file{mimetypes.guess_extension(mime) or ''}"
    if len(content) > FILE_BYTES:
        raise FileTooLarge(name=named[:100], limit_bytes=FILE_BYTES, field=place)
    digest = hashlib.sha256(content).hexdigest()
    return FileContent(name=named, content=content, sha256=digest, field=f"{place}.file.file_data")


def decoded(data: str, place: str) -> tuple[str, bytes]:
    """Return the media type and the bytes of a data URL, or of base64 alone. Raises `InvalidInput`."""
    mime = "application/octet-stream"
    if data.startswith("data:"):
        head, comma, data = data[len("data:") :].partition(",")
        if not comma or not head.endswith(";base64"):
            raise InvalidInput("chat_data_not_base64", field=place)
        mime = head.removesuffix(";base64").partition(";")[0] or mime
    try:
        return mime, base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("chat_data_not_base64", field=place) from error


def check_image(part: Mapping[str, Any], place: str) -> None:
    """Raise `ImageUnread`: for what is no image, for an address, which is never fetched, and for images as such."""
    told = part.get("image_url")
    url = told.get("url") if isinstance(told, Mapping) else told
    if isinstance(url, str) and url.startswith("data:"):
        _, content = decoded(url, place)
        if image_header(content) is None and not content.startswith(OTHER_IMAGES):
            raise ImageInvalid(field=place)
    elif isinstance(url, str):
        raise ImageRemote(field=place)
    raise ImageUnread(field=place)
