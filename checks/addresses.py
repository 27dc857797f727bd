"""Checks that lock files contain no registry address or local path, and that no tracked file contains a secret."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ANYWHERE = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "a provider's key": re.compile(r"\b(?:sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}|AKIA[0-9A-Z]{16})\b"),
}
LOCKS = {"an address": re.compile(r"https?://|--(?:extra-)?index-url|--find-links|file:/")}


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
    found = []
    for name in filter(None, names.split("\0")):
        path = root / name
        if not path.is_file() or b"\0" in path.read_bytes()[:4096]:
            continue
        rules = ANYWHERE | (LOCKS if path.suffix == ".lock" else {})
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            found += [f"{name}:{number}: holds {what}" for what, pattern in rules.items() if pattern.search(line)]
    print("\n".join(found) or "addresses: locks carry hashes only, no secret is tracked")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
