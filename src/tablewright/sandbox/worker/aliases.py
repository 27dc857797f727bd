"""Translate a session's paths where nothing can be mounted at them (level L1).

Code uses `/data/shared/...` at every level. Where that path does not exist, string literals in code are translated to
the actual folders, and output is translated back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence


class Aliases(ast.NodeTransformer):
    """Pairs of a path as code names it and the actual path; empty where they are the same."""

    def __init__(self) -> None:
        self._pairs: list[tuple[re.Pattern[str], str, str]] = []

    @property
    def needed(self) -> bool:
        """Return whether there is anything to translate."""
        return bool(self._pairs)

    def use(self, pairs: Sequence[Sequence[str]]) -> None:
        """Translate with these pairs from now on."""
        self._pairs = [(re.compile(rf"(?<![\w/]){re.escape(said)}(?![\w.-])"), said, real) for said, real in pairs]

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Translate a string literal."""
        if self._pairs and isinstance(node.value, str) and "/" in node.value:
            return ast.copy_location(ast.Constant(self.real(node.value)), node)
        return node

    def real(self, text: str) -> str:
        """Return `text` with the paths that code uses replaced by the actual ones."""
        for pattern, _, real in self._pairs:
            text = pattern.sub(real.replace("\\", r"\\"), text)
        return text

    def said(self, text: str) -> str:
        """Return `text` with actual paths replaced by those that code uses."""
        for _, said, real in self._pairs:
            text = text.replace(real, said)
        return text
