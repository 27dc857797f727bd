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


def remark_of(clause: Clause) -> tuple[str, ...] | None:
    """Return the columns that a clause is about which says nothing of what can be done to a workbook and does not sound
    like an instruction: none or one, as in `the address is private`. None if it is no such clause: what it denies must
    be an event, `we don't charge for those`, not `except those`."""
    spoken = [at for at, token in enumerate(clause.tokens) if token.kind != "mark"]
    if len(spoken) < _FEWEST or clause.text.rstrip().endswith(("?", "？")) or leaning_of(clause.text) >= 0:
        return None
    phrases = {at for word in clause.of("filler") if word.end - word.start > 1 for at in range(word.start, word.end)}
    meant = {name for at, name in enumerate(clause.classes) if at not in phrases}
    fillers = {word.mask for word in clause.of("filler")}
    if _MEANT & meant or any(_said(word) and not (word.type == "if" and word.mask in fillers) for word in clause.words):
        return None
    denied = [at for at, name in enumerate(clause.classes) if name == "not"]
    nobody = {at for word in clause.of("nobody") for at in range(word.start, word.end)}
    events = all(at in nobody or (at > spoken[0] and _denies(clause, at)) for at in denied)
    if not events or clause.sheets or next(iter(ranges(clause)), None) is not None:
        return None
    linked = [clause.linked, *(other for _, other in clause.others.values())]
    named = {link.column.name for one in linked for link in one.links if link.score >= SURE}
    topics = tuple(name for name in clause.place.names if name in named)
    about_others = len(named) > len(topics) or len(topics) > 1 or any(one.cells for one in linked)
    return None if about_others else topics


def says_purpose(clause: Clause) -> bool:
    """Return whether a clause says what something is for: `so that they can be added up`."""
    spoken = [at for at, token in enumerate(clause.tokens) if token.kind != "mark"]
    return len(spoken) >= _FEWEST and any(word.start == spoken[0] for word in clause.of("purpose"))


def _said(word: Word) -> bool:
    return word.type in _SAID or (word.type == "act" and (word.meaning in VERBS or word.meaning == "outside"))


def _denies(clause: Clause, at: int) -> bool:
    return "'" in clause.said(at, min(at + 2, len(clause.tokens))) or clause.tokens[at].norm in _DENYING
