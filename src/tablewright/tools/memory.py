"""The files of a conversation for tests: given as they are, read without a process of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tablewright.data.base import ContentOptions, FileContent, FileProfile
from tablewright.tools.base import ToolFile
from tablewright.tools.file_names import named_file


class MemoryFiles:
    """Implements `ToolFiles`: each file has a content, read in any way that is asked for; runs have `made` some."""

    def __init__(
        self, contents: Mapping[str, FileContent], folder: Path = Path("/nowhere"), *, made: Collection[str] = ()
    ) -> None:
        self._made = frozenset(made)
        self._contents = dict(contents)
        self._folder = folder
        self.asked: list[ContentOptions] = []

    async def all(self) -> Sequence[ToolFile]:
        return [
            ToolFile(name=name, path=self._folder / name, input_name=name, made=name in self._made)
            for name in self._contents
        ]

    async def find(self, name: str) -> ToolFile:
        return named_file(await self.all(), name)

    async def read(self, file: ToolFile, options: ContentOptions) -> FileContent:
        self.asked.append(options)
        return self._contents[file.name]

    async def profile(self, file: ToolFile) -> FileProfile:  # noqa: ARG002  # the fake knows no facts
        return FileProfile(kind="csv", datasets=())
