"""Reads one file from a multipart form as it arrives, without holding it in memory or writing it anywhere."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from tablewright.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFile:
    """An incoming file: its name as sent, and its bytes in pieces."""

    name: str
    content: AsyncIterator[bytes]


FIELDS = 20
FIELD_BYTES = 1_000


class FormReader:
    """Feeds a body to the parser and collects the name and the bytes of the file in the wanted field.

    `fields` are the other fields that have been read so far, each cut to `FIELD_BYTES`; all of them once the file has.
    """

    def __init__(self, request: Request, field: str) -> None:
        kind, options = parse_options_header(request.headers.get("content-type"))
        if kind != b"multipart/form-data" or not (boundary := options.get(b"boundary")):
            raise InvalidInput("upload_not_multipart", field=field)
        self._field = field
        self._body = request.stream()
        self._header = bytearray()
        self._value = bytearray()
        self._headers: dict[bytes, bytes] = {}
        self._pieces: deque[bytes] = deque()
        self._inside = False
        self._ended = False
        self._several = False
        self._other: str | None = None
        self._fields: dict[str, bytearray] = {}
        self.name: str | None = None
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._headers.clear,
                "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                "on_header_end": self._keep_header,
                "on_headers_finished": self._begin,
                "on_part_data": self._take,
                "on_part_end": self._end,
            },
        )

    @property
    def fields(self) -> dict[str, str]:
        """The fields that are no files, as far as the form was read."""
        return {name: value.decode("utf-8", "replace") for name, value in self._fields.items()}

    async def begin(self) -> FormFile:
        """Read up to the wanted file. Raises `InvalidInput` if the form has none."""
        while self.name is None and await self._feed():
            pass
        if self.name is None:
            raise InvalidInput("upload_without_file", field=self._field)
        return FormFile(name=self.name, content=self._content())

    async def _content(self) -> AsyncIterator[bytes]:
        while True:
            while self._pieces:
                yield self._pieces.popleft()
            if self._ended:
                break
            if not await self._feed():
                raise InvalidInput("upload_cut", field=self._field)
        while not self._several and await self._feed():
            pass
        if self._several:  # keeping only the first would lose the others silently
            raise InvalidInput("upload_several", field=self._field)

    async def _feed(self) -> bool:
        """Parse the next piece of the body; return False at its end."""
        piece = await anext(self._body, None)
        if piece is None:
            return False
        try:
            self._parser.write(piece)
        except MultipartParseError as error:
            raise InvalidInput("upload_not_multipart", field=self._field) from error
        return True

    def _keep_header(self) -> None:
        self._headers[bytes(self._header).lower()] = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _begin(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        wanted = options.get(b"name") == self._field.encode() and b"filename" in options
        if wanted and self.name is not None:
            self._several = True
        elif wanted:
            self.name = options[b"filename"].decode("utf-8", "replace")
            self._inside = True
        elif b"filename" not in options and len(self._fields) < FIELDS:
            self._other = options.get(b"name", b"").decode("utf-8", "replace")
            self._fields.setdefault(self._other, bytearray())

    def _take(self, data: bytes, start: int, end: int) -> None:
        if self._inside:
            self._pieces.append(bytes(data[start:end]))
        elif self._other is not None:
            room = FIELD_BYTES - len(self._fields[self._other])
            self._fields[self._other] += data[start : min(end, start + max(0, room))]

    def _end(self) -> None:
        self._other = None
        if self._inside:
            self._inside, self._ended = False, True
