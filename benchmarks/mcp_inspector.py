"""Runs the MCP Inspector's command line against the table tools: `python -m benchmarks.mcp_inspector`.

Installs the Inspector from npm into a temporary folder, lists the tools and calls each of them, over standard input and
output and over HTTP. Needs Node and npm. Exits with 1 if anything is not as expected.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from tablewright.samples import sample_files

PACKAGE = "@modelcontextprotocol/inspector"
TOOLS = ["analyze_data", "table_operation", "get_preview_data"]
STARTER = "from tablewright.cli.main import main; main()"


def inspected(folder: Path, server: list[str], *words: str) -> tuple[Any, float]:
    """Run the Inspector once; return its JSON output and the seconds it took."""
    began = time.perf_counter()
    command = [str(folder / "node_modules" / ".bin" / "mcp-inspector"), "--cli", *server, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, cwd=folder)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr or done.stdout}")
    return json.loads(done.stdout), time.perf_counter() - began


def call(name: str, **arguments: str) -> list[str]:
    """Return the Inspector's arguments for a call."""
    words = ["--method", "tools/call", "--tool-name", name]
    for key, value in arguments.items():
        words += ["--tool-arg", f"{key}={value}"]
    return words


def checked(folder: Path, server: list[str], place: str, output: str, transport: str) -> None:
    """List and call all three tools."""
    listed, seconds = inspected(folder, server, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == TOOLS, listed
    print(f"{transport:6} {'tools/list':18} {seconds:6.1f} s  {', '.join(TOOLS)}")
    calls = {
        "get_preview_data": {"path_or_url": place, "nrows": "2"},
        "analyze_data": {"question": "What is the total Revenue?", "path_or_url": place},
        "table_operation": {
            "instruction": "total Revenue by Region",
            "input_paths": json.dumps([place]),
            "output_path": output,
        },
    }
    for name, arguments in calls.items():
        result, seconds = inspected(folder, server, *call(name, **arguments))
        assert not result.get("isError"), result
        said = result["content"][0]["text"].replace("\n", " ")
        print(f"{transport:6} {name:18} {seconds:6.1f} s  {said[:90]}")


def main() -> int:
    """Install the Inspector, then list and call the tools over both transports."""
    if (npm := shutil.which("npm")) is None:
        print("not run: there is no npm on this machine")
        return 1
    sample = next(path for path in sample_files() if path.suffix == ".csv")
    with tempfile.TemporaryDirectory(prefix="tablewright-inspector-") as made:
        folder = Path(made)
        install = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--prefix", made, PACKAGE]
        subprocess.run(install, check=True, capture_output=True, timeout=600)
        version = json.loads((folder / "node_modules" / PACKAGE / "package.json").read_text(encoding="utf-8"))[
            "version"
        ]
        print(f"MCP Inspector {version}")
        data = ["--data-dir", str(folder / "data")]
        checked(folder, [sys.executable, "-c", STARTER, "mcp", *data], str(sample), str(folder / "out.xlsx"), "stdio")
        over_http(folder, sample, data)
    return 0


def over_http(folder: Path, sample: Path, data: list[str]) -> None:
    """Repeat the checks over HTTP, with a server of its own and an uploaded file."""
    words = [sys.executable, "-c", STARTER, "mcp", "--http", "--port", "0", *data]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "LANG": "C.UTF-8"}) as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if "http://" in line)
            url = line[line.index("http://") :].split()[0]
            with sample.open("rb") as file:
                base = url.removesuffix("/mcp")
                sent = httpx2.post(f"{base}/api/v1/files", files={"file": (sample.name, file)}, timeout=60)
            checked(folder, [url, "--transport", "http"], sent.json()["id"], "out.csv", "http")
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
