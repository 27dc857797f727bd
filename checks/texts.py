"""Checks the message catalogues: the same codes and placeholders in both languages, and no code twice."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from string import Formatter

FOLDER = Path(__file__).resolve().parent.parent / "src" / "tablewright" / "texts"


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


def main() -> int:
    found: list[str] = []
    zh, en = load("zh", found), load("en", found)
    found += [f"texts: {code} has no en" for code in sorted(zh.keys() - en.keys())]
    found += [f"texts: {code} has no zh" for code in sorted(en.keys() - zh.keys())]
    for code in sorted(zh.keys() & en.keys()):
        if placeholders(zh[code]) != placeholders(en[code]):
            found.append(f"texts: {code} has other placeholders in zh than in en")
    print("\n".join(found) or f"texts: {len(en)} messages, each in zh and en")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
