"""What is promised to programs that call the tools over MCP."""

from __future__ import annotations

from collections.abc import Mapping

MCP: Mapping[str, str] = {
    "mcp-large-results-are-files": "Results from a megabyte on are given back as one file that has all of them.",
    "mcp-three-tools": "Three tools answer over MCP.",
    "mcp-cancel-leaves-nothing": "A call that is cancelled stops the model and the code and leaves no process.",
    "mcp-never-overwrites": "An output never replaces what is there.",
    "mcp-calls-are-kept-for-days": (
        "What a call leaves behind is removed after some days, and nothing of a person's is."
    ),
    "mcp-operations-change-a-copy": (
        "An instruction that changes a table is carried out on a copy, which keeps the rest."
    ),
    "mcp-operations-decline": "An instruction that is not understood is declined and leaves no file.",
}
