"""What is promised of the wires that others speak, by the pages that describe them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.requirements_agui import AGUI
from tests.requirements_genie import GENIE
from tests.requirements_openai import OPENAI

AGENTS: Mapping[str, str] = {
    "deep-search": "Deep search tells what it looks for and finds, and answers with the passages it stands on."
}
SHARES: Mapping[str, str] = {
    "share-by-link": "A link shows one conversation as it stood, and nothing else, until it expires or is revoked."
}
WIRES: Mapping[str, Mapping[str, str]] = {
    "docs/reference/agui.md": AGUI,
    "docs/reference/agents.md": AGENTS,
    "docs/decisions/0054-a-link-shows-what-was-there.md": SHARES,
    "docs/reference/genie.md": GENIE,
    "docs/reference/openai.md": OPENAI,
}
