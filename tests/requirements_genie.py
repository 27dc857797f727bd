"""What is promised of the wire of Genie."""

from __future__ import annotations

from collections.abc import Mapping

GENIE: Mapping[str, str] = {
    "genie-page": "The page follows an agent alone and a plan, goes on in its session, and finds its data.",
    "genie-edges": "Nothing comes that would break the page or leave it waiting.",
    "genie-files": "Files are looked at and saved by addresses that need no key and cannot be made up.",
    "genie-agents": "Programs ask for an agent by its type and read bare frames, of which the result is the last.",
    "genie-tools": "Tools are services whose calls are runs, told in the frames that programs of this wire read.",
    "genie-tool-files": "Files of tool services have a session, a name and an address that is their permission.",
    "genie-bridge": "The bridge to MCP servers lists and calls our tools over the older transport.",
    "genie-data": "Tables are models with columns and rows, and answers that the page draws.",
    "genie-strangers": "Without a key, of another owner or from another origin nothing is reached.",
}
