"""Checks the message catalogues: the same codes and placeholders in both languages, no code twice, and none that the
source does not name, whole or in parts (`f"answer.{side}"`)."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from string import Formatter

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tablewright"
FOLDER = SOURCE / "texts"
COMPOSED = ("kind_", "source_", "what_")
"""Codes that `texts.errors` makes of a parameter's name and its value."""


def load(language: str, found: list[str]) -> dict[str, str]:
    messages: dict[str, str] = {}
    for file in sorted((FOLDER / language).glob("*.json")):
        for code, template in json.loads(file.read_text(encoding="utf-8")).items():
            if code in messages:
                found.append(f"texts/{language}/{file.name}: {code} stands twice")
            messages[code] = template
    return messages


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def _begins_a_code(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and re.fullmatch(r"[a-z][\w.]*[._]", str(part.value)) is not None


def named() -> re.Pattern[str]:
    """Return the pattern of all codes that the source names: its texts, and those that it puts together."""
    found: set[str] = set()
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
                found.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr) and _begins_a_code(node.values[0]):
                fixed = (str(part.value) if isinstance(part, ast.Constant) else None for part in node.values)
                found.add("".join(".+" if part is None else re.escape(part) for part in fixed))
    return re.compile("|".join(sorted(found)))


def main() -> int:
    found: list[str] = []
    zh, en = load("zh", found), load("en", found)
    found += [f"texts: {code} has no en" for code in sorted(zh.keys() - en.keys())]
    found += [f"texts: {code} has no zh" for code in sorted(en.keys() - zh.keys())]
    for code in sorted(zh.keys() & en.keys()):
        if placeholders(zh[code]) != placeholders(en[code]):
            found.append(f"texts: {code} has other placeholders in zh than in en")
    used = named()
    unused = [code for code in sorted(en) if not code.startswith(COMPOSED) and used.fullmatch(code) is None]
    found += [f"texts: {code} is said by nobody" for code in unused]
    print("\n".join(found) or f"texts: {len(en)} messages, each in zh and en")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
