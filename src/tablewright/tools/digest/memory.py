"""The fake of `PieceReader`: it answers by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablewright.errors import ModelError

Materials = Sequence[tuple[str, str]]


class MemoryReader:
    """Writes what `says` returns for an order and its materials; an error that it returns is raised."""

    def __init__(self, says: Callable[[str, Materials], str | ModelError]) -> None:
        self._says = says
        self.read_names: list[tuple[str, ...]] = []

    async def read(self, order: str, materials: Materials) -> str:
        self.read_names.append(tuple(name for name, _ in materials))
        said = self._says(order, materials)
        if isinstance(said, ModelError):
            raise said
        return said
