"""Stretches of an instruction that ask for nothing: why something is wanted, or what is the case."""

from __future__ import annotations

from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.operating.instructing.areas import ranges
from tablewright.analyst.operating.instructing.clause import SURE, VERBS, Clause
from tablewright.analyst.operating.instructing.intent import leaning_of

_FEWEST = 2
"""A stretch of fewer words is the end of another one."""
_MEANT = frozenset({"compare", "number", "period", "outside", "value", "part", "missing", "between", "superlative"})
"""Classes of words that say which cells are meant, or what no workbook can do."""
_SAID = frozenset({"colour", "numformat", "charttype", "agg", "op", "compute", "if", "else", "ordinal", "sep",
                   "datepart", "within", "restoff", "asis", "direction", "page", "blank"})  # fmt: skip
"""Types of words that are said for what is to be done."""
_DENYING = frozenset({"不", "没"})


def is_remark(clause: Clause) -> bool:
    """Return whether a clause names nothing of the workbook, says nothing of what can be done to one, and does not
    sound like an instruction. What it denies must be an event: `we don't charge for those`, not `except those`."""
    spoken = [at for at, token in enumerate(clause.tokens) if token.kind != "mark"]
    if len(spoken) < _FEWEST or clause.text.rstrip().endswith(("?", "？")) or leaning_of(clause.text) >= 0:
        return False
    if _MEANT & set(clause.classes) or any(_said(word) for word in clause.words):
        return False
    linked = [clause.linked, *(other for _, other in clause.others.values())]
    if any(link.score >= SURE for one in linked for link in one.links) or any(one.cells for one in linked):
        return False
    denied = [at for at, name in enumerate(clause.classes) if name == "not"]
    events = all(at > spoken[0] and _denies(clause, at) for at in denied)
    return events and not clause.sheets and next(iter(ranges(clause)), None) is None


def _said(word: Word) -> bool:
    return word.type in _SAID or (word.type == "act" and (word.meaning in VERBS or word.meaning == "outside"))


def _denies(clause: Clause, at: int) -> bool:
    return "'" in clause.said(at, at + 1) or clause.tokens[at].norm in _DENYING
