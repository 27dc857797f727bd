"""Where Genie's wire is served: its page fixes these paths."""

from __future__ import annotations

WEB, DATA, FILES = "/web/", "/data/", "/genie/"
AUTO_AGENT = "/AutoAgent"
ALL = (WEB, DATA, FILES, AUTO_AGENT)
WITH_KEY = (f"{WEB}api/", DATA, AUTO_AGENT)
"""What needs a key where the API does. Addresses of files are the permission themselves."""
QUERY = f"{WEB}api/v1/gpt/queryAgentStreamIncr"
CHAT = f"{DATA}chatQuery"
