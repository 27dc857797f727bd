"""The zip file of a workbook. Members are read on demand, and unchanged ones are written back byte for byte."""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED

from isal import isal_zlib
from isal.igzip_lib import IsalError

from tablewright.errors import FileUnreadable
from tablewright.workbook.package.pieces import Pieces

MOST_PART_BYTES = 1024**3
_LARGE_BYTES = 4 * 1024**2
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_UTF8 = 0x800
_DAMAGED: tuple[type[Exception], ...] = (
    zipfile.BadZipFile, cast("type[Exception]", IsalError), EOFError, RuntimeError, NotImplementedError, OSError,
)  # fmt: skip
_MOST_TIMES = 1_032
"""No deflated bytes become more than so many times as many."""


@dataclass(frozen=True, slots=True)
class _Member:
    """One member as stored in the file: its directory entry, and where it lies, local header included."""

    info: zipfile.ZipInfo
    central: bytes
    start: int
    end: int


class Archive:
    """The parts of a package by name. Assigning a part marks it as changed; `write` copies all others byte for byte."""

    def __init__(self, path: Path, name: str) -> None:
        self._data = data = path.read_bytes()
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._members = _members(self._zip, data)
        except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, OSError, EOFError) as error:
            raise FileUnreadable("file_damaged", name=name) from error
        self._name = name
        self._changed: dict[str, bytes | Pieces | None] = {}
        self._read: dict[str, bytes] = {}
        self._mentioned: dict[tuple[str, bytes], bool] = {}

    def names(self) -> list[str]:
        """Return the names of all parts, in order."""
        kept = [name for name in self._members if self._changed.get(name, b"") is not None]
        return kept + [name for name, part in self._changed.items() if part is not None and name not in self._members]

    def __contains__(self, name: str) -> bool:
        return self._changed.get(name, b"") is not None if name in self._changed else name in self._members

    def __getitem__(self, name: str) -> bytes:
        if (changed := self._changed.get(name)) is not None:
            if isinstance(changed, Pieces):
                changed = self._changed[name] = changed.joined()
            return changed
        if name in self._changed or name not in self._members:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._unpacked(name)
        return self._read[name]

    def __setitem__(self, name: str, part: bytes | Pieces) -> None:
        given = part if isinstance(part, Pieces) else Pieces((part,))
        if name in self and self._size(name) == given.size and given.same(self[name]):
            return
        self._read.pop(name, None)
        self._changed[name] = part

    def __delitem__(self, name: str) -> None:
        if name in self._members:
            self._changed[name] = None
        else:
            self._changed.pop(name, None)

    def mentions(self, name: str, mark: bytes) -> bool:
        """Whether a part contains `mark`, which must not stretch over the end of an element."""
        if name not in self._changed:  # large parts are asked the same more than once
            if (name, mark) not in self._mentioned:
                self._mentioned[name, mark] = mark in self[name]
            return self._mentioned[name, mark]
        changed = self._changed[name]
        return (
            any(mark in bytes(window) for window in changed.windows())
            if isinstance(changed, Pieces)
            else mark in self[name]
        )

    def same_texts(self, other: Archive, parts: list[str]) -> bool:
        """Whether these parts are equal in both packages."""
        return all(part in other and self[part] == other[part] for part in parts)

    def state(self) -> dict[str, bytes | Pieces | None]:
        """Return the state that `restore` needs to come back to this moment."""
        return dict(self._changed)

    def restore(self, state: dict[str, bytes | Pieces | None]) -> None:
        """Undo every change since `state` was taken."""
        self._changed = dict(state)

    def write(self, target: Path) -> None:
        """Write the package. Unchanged members are copied, including their headers."""
        written: list[bytes] = []
        view = memoryview(self._data)
        with target.open("wb") as file:
            for name, member in self._members.items():
                part = self._changed.get(name, b"") if name in self._changed else None
                if name in self._changed and self._changed[name] is None:
                    continue
                at = file.tell()
                if part is None or name not in self._changed:
                    file.write(view[member.start : member.end])
                    written.append(member.central[:42] + struct.pack("<L", at) + member.central[46:])
                else:
                    written.append(_packed(file, at, name, part, member.info.date_time))
            for name, new in self._changed.items():
                if new is not None and name not in self._members:
                    written.append(_packed(file, file.tell(), name, new, (1980, 1, 1, 0, 0, 0)))
            start = file.tell()
            file.writelines(written)
            size = file.tell() - start
            file.write(_END.pack(b"PK\5\6", 0, 0, len(written), len(written), size, start, 0))

    def _size(self, name: str) -> int:
        changed = self._changed.get(name)
        if changed is None:
            return self._members[name].info.file_size
        return changed.size if isinstance(changed, Pieces) else len(changed)

    def _unpacked(self, name: str) -> bytes:
        info = self._members[name].info
        if info.file_size > MOST_PART_BYTES:
            raise FileUnreadable("file_bomb", name=self._name)
        try:
            return (
                self._inflated(info)
                if info.compress_type == ZIP_DEFLATED and not info.flag_bits & 1
                else self._zip.read(info)
            )
        except _DAMAGED as error:
            raise FileUnreadable("file_damaged", name=self._name) from error

    def _inflated(self, info: zipfile.ZipInfo) -> bytes:
        """Return the content of a member at once, into as much memory as its directory entry says."""
        start = info.header_offset
        local = _LOCAL.unpack_from(self._data, start)
        start += _LOCAL.size + local[9] + local[10]
        packed = memoryview(self._data)[start : start + info.compress_size]
        room = min(info.file_size, len(packed) * _MOST_TIMES) + 1
        part = isal_zlib.decompress(packed, -15, room)
        if len(part) != info.file_size or isal_zlib.crc32(part) != info.CRC:
            raise zipfile.BadZipFile(info.filename)
        return part


def _members(archive: zipfile.ZipFile, data: bytes) -> dict[str, _Member]:
    infos = archive.infolist()
    starts = sorted({info.header_offset for info in infos} | {archive.start_dir})
    ends = dict(pairwise(starts))
    central = _central_entries(data, archive.start_dir, len(infos))
    return {
        info.filename: _Member(info, entry, info.header_offset, ends[info.header_offset])
        for info, entry in zip(infos, central, strict=True)
    }


def _central_entries(data: bytes, at: int, count: int) -> list[bytes]:
    entries: list[bytes] = []
    for _ in range(count):
        fields = _CENTRAL.unpack_from(data, at)
        end = at + _CENTRAL.size + fields[10] + fields[11] + fields[12]
        entries.append(data[at:end])
        at = end
    return entries


def _packed(
    file: BinaryIO, at: int, name: str, part: bytes | Pieces, when: tuple[int, int, int, int, int, int]
) -> bytes:
    """Write one member and return its directory entry. The header is written last, when the sizes are known."""
    encoded = name.encode()
    given = part if isinstance(part, Pieces) else Pieces((part,))
    file.seek(at + _LOCAL.size)
    file.write(encoded)
    crc, size = _deflate(given, file)
    end = file.tell()
    flags = 0 if name.isascii() else _UTF8
    date = (when[0] - 1980) << 9 | when[1] << 5 | when[2]
    time = when[3] << 11 | when[4] << 5 | when[5] // 2
    common = (20, flags, 8, time, date, crc, size, given.size, len(encoded), 0)
    file.seek(at)
    file.write(_LOCAL.pack(b"PK\3\4", *common))
    file.seek(end)
    return _CENTRAL.pack(b"PK\1\2", 20, *common, 0, 0, 0, 0, at) + encoded


def _deflate(part: Pieces, file: BinaryIO) -> tuple[int, int]:
    """Write the compressed bytes; return the checksum of the others and how many were written.

    Large parts are compressed by a library made for speed, small ones for size.
    """
    large = part.size > _LARGE_BYTES
    packer = isal_zlib.compressobj(2, isal_zlib.DEFLATED, -15) if large else zlib.compressobj(6, zlib.DEFLATED, -15)
    crc = size = 0
    for window in part.windows():
        crc = isal_zlib.crc32(window, crc)
        size += file.write(packer.compress(window))
    return crc, size + file.write(packer.flush())
