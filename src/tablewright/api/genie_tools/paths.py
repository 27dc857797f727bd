"""Where the tool services are: programs that call them have these paths."""

from __future__ import annotations

TOOL, FILE = "/v1/tool/", "/v1/file_tool/"
GET_FILE, GET_FILES = f"{FILE}get_file", f"{FILE}get_file_list"
UPLOAD, UPLOAD_DATA = f"{FILE}upload_file", f"{FILE}upload_file_data"
OPEN = (f"{FILE}preview/", f"{FILE}download/")
"""Files by addresses that may be permissions themselves."""
