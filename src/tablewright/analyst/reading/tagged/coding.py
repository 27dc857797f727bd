"""Text columns that a question converts to 0 and 1: `convert Loan_Status to binary (Y = 1, N = 0)`."""

from __future__ import annotations

import re

from tablewright.analyst.plan import Case, Col, Compare, Expr, Lit
from tablewright.analyst.reading.tagged.columns_said import said_columns
from tablewright.domain.dataset import DatasetFacts

_CODED = re.compile(
    r"\b(?:convert|encod|map|transform|recod|chang)\w*\s+(?:the\s+)?(?P<said>[^.,;()\n]{2,50}?)\s+(?:column\s+"
    r"|variable\s+|values?\s+)?(?:in)?to\s+(?:a\s+)?(?:binary|numeric\w*|numbers|0/1|0 and 1"
    r"|1 and 0)\b[^.\n(]{0,30}\((?P<codes>[^()]{3,80})\)",
    re.IGNORECASE,
)
_CODE = re.compile(r"[\"'“‘]?([\w -]+?)[\"'”’]?\s*(?:=|:|->|→|\bas\b|\bto\b|\bis\b)\s*([01])\b")


def coded_columns(text: str, facts: DatasetFacts) -> list[tuple[str, Expr]]:
    """Return the name of each new column and the expression that gives its numbers."""
    found: list[tuple[str, Expr]] = []
    for match in _CODED.finditer(text):
        said = said_columns(match.group("said"), facts, least=0.7)
        codes = dict(_CODE.findall(match.group("codes")))
        if len(said) != 1 or set(codes.values()) != {"0", "1"}:
            continue
        column = Col(name=said[0])
        gaps = next(known.missing for known in facts.columns if known.name == said[0])
        tests = [
            (Compare(op="=", left=column, right=Lit(value=cell.strip())), Lit(value=int(code)))
            for cell, code in sorted(codes.items(), key=lambda pair: pair[1], reverse=True)
        ]
        whole = len(tests) == 2 and not gaps
        case = Case(branches=tuple(tests[:1] if whole else tests), otherwise=Lit(value=0 if whole else None))
        found.append((f"{said[0]} as number", case))
    return found


def coded_columns_of(of: Expr | None) -> set[str]:
    """Return the columns whose cells the rules of a made column compare."""
    if not isinstance(of, Case):
        return set()
    tests = [test for test, _ in of.branches if isinstance(test, Compare) and isinstance(test.right, Lit)]
    return {test.left.name for test in tests if isinstance(test.left, Col)}
