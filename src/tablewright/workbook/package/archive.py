"""The zip file of a workbook. Members are read on demand, and unchanged ones are written back byte for byte."""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from tablewright.errors import FileUnreadable

MOST_PART_BYTES = 1024**3
_LARGE_BYTES = 4 * 1024**2
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_UTF8 = 0x800


@dataclass(frozen=True, slots=True)
class _Member:
    """One member as stored in the file: its directory entry, and its bytes from the local header on."""

    info: zipfile.ZipInfo
    central: bytes
    local: bytes


class Archive:
    """The parts of a package by name. Assigning a part marks it as changed; `write` copies all others byte for byte."""

    def __init__(self, path: Path, name: str) -> None:
        data = path.read_bytes()
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._members = _members(self._zip, data)
        except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, OSError, EOFError) as error:
            raise FileUnreadable("file_damaged", name=name) from error
        self._name = name
        self._changed: dict[str, bytes | None] = {}
        self._read: dict[str, bytes] = {}

    def names(self) -> list[str]:
        """Return the names of all parts, in order."""
        kept = [name for name in self._members if self._changed.get(name, b"") is not None]
        return kept + [name for name, part in self._changed.items() if part is not None and name not in self._members]

    def __contains__(self, name: str) -> bool:
        return self._changed.get(name, b"") is not None if name in self._changed else name in self._members

    def __getitem__(self, name: str) -> bytes:
        if (changed := self._changed.get(name)) is not None:
            return changed
        if name in self._changed or name not in self._members:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._unpacked(name)
        return self._read[name]

    def __setitem__(self, name: str, part: bytes) -> None:
        if name in self and self._size(name) == len(part) and self[name] == part:
            return
        self._read.pop(name, None)
        self._changed[name] = part

    def __delitem__(self, name: str) -> None:
        if name in self._members:
            self._changed[name] = None
        else:
            self._changed.pop(name, None)

    def same_texts(self, other: Archive, parts: list[str]) -> bool:
        """Whether these parts are equal in both packages."""
        return all(part in other and self[part] == other[part] for part in parts)

    def state(self) -> dict[str, bytes | None]:
        """Return the state that `restore` needs to come back to this moment."""
        return dict(self._changed)

    def restore(self, state: dict[str, bytes | None]) -> None:
        """Undo every change since `state` was taken."""
        self._changed = dict(state)

    def write(self, target: Path) -> None:
        """Write the package. Unchanged members are copied, including their headers."""
        written: list[bytes] = []
        with target.open("wb") as file:
            for name, member in self._members.items():
                part = self._changed.get(name, b"") if name in self._changed else None
                if name in self._changed and self._changed[name] is None:
                    continue
                at = file.tell()
                if part is None or name not in self._changed:
                    file.write(member.local)
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
        return len(changed) if changed is not None else self._members[name].info.file_size

    def _unpacked(self, name: str) -> bytes:
        info = self._members[name].info
        if info.file_size > MOST_PART_BYTES:
            raise FileUnreadable("file_bomb", name=self._name)
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError) as error:
            raise FileUnreadable("file_damaged", name=self._name) from error


def _members(archive: zipfile.ZipFile, data: bytes) -> dict[str, _Member]:
    infos = archive.infolist()
    starts = sorted({info.header_offset for info in infos} | {archive.start_dir})
    ends = dict(pairwise(starts))
    central = _central_entries(data, archive.start_dir, len(infos))
    return {
        info.filename: _Member(info, entry, data[info.header_offset : ends[info.header_offset]])
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


def _packed(file: object, at: int, name: str, part: bytes, when: tuple[int, int, int, int, int, int]) -> bytes:
    """Write one member and return its directory entry. Large parts are compressed for speed, small ones for size."""
    packer = zlib.compressobj(1 if len(part) > _LARGE_BYTES else 6, zlib.DEFLATED, -15)
    packed = packer.compress(part) + packer.flush()
    encoded = name.encode()
    flags = 0 if name.isascii() else _UTF8
    date = (when[0] - 1980) << 9 | when[1] << 5 | when[2]
    time = when[3] << 11 | when[4] << 5 | when[5] // 2
    common = (20, flags, 8, time, date, zlib.crc32(part), len(packed), len(part), len(encoded), 0)
    file.write(_LOCAL.pack(b"PK\3\4", *common) + encoded + packed)  # type: ignore[attr-defined]  # a binary file
    return _CENTRAL.pack(b"PK\1\2", 20, *common, 0, 0, 0, 0, at) + encoded
