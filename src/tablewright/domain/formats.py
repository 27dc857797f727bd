"""The formats that a workbook can be had in besides its own."""

from __future__ import annotations

from typing import Literal

Format = Literal["csv", "ods"]
"""One table as text, or all sheets for another program; values only."""
Shown = Literal["all", "visible"]
"""Which rows of a table are written: all, or those that are not hidden."""
