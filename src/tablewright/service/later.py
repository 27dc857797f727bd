"""Parts of the application that are made with their first use, as most commands and many services never use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Later(Generic[T]):
    """A part that `make` imports and makes with the first call; every call returns the same one."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self.made: T | None = None
        """The part, if it has been used."""

    def __call__(self) -> T:
        if self.made is None:
            self.made = self._make()
        return self.made
