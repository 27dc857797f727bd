"""What is promised of the wire of AG-UI."""

from __future__ import annotations

from collections.abc import Mapping

AGUI: Mapping[str, str] = {
    "agui-client": "AG-UI's own client follows runs: text, steps, tools, state, and interrupts that it answers.",
    "agui-strangers": "Nobody answers the interrupts of another, and bad requests are refused before a run begins.",
}
