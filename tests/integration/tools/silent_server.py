"""An MCP server over standard input and output that greets its client and answers nothing else."""

from __future__ import annotations

import json
import sys


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked.get("method") == "initialize":
            greeting = {
                "protocolVersion": asked["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "silent", "version": "1"},
            }
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": greeting}), flush=True)


if __name__ == "__main__":
    main()
