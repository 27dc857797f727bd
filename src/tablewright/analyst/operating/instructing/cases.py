"""Texts by cases: `High if the amount is over 5000, otherwise Low`."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.scene import gap
from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.filters import in_cell, in_formula
from tablewright.analyst.operating.instructing.parts import Part, links_of, rows

_MOST = 6
_JOINED = 2
_BEHIND = 2
"""How far behind the last of several tests the text that is written for them may stand."""
_TAILS = frozenset("的了吧")


def cases(clause: Clause) -> Iterator[Part]:
    """Yield the formula for texts that depend on tests of one column."""
    if not (clause.of("if") or clause.of("else") or clause.of("name:saying") or len(clause.linked.numbers) > 1):
        return
    tests = [part for part in rows(clause) if in_formula(part.value) is not None]
    for column in dict.fromkeys(test["column"] for part in tests for test in part.value["tests"]):
        chosen = _apart([part for part in tests if part.value["tests"][0]["column"] == column])
        taken = 0
        for part in chosen:
            taken |= part.mask
        runs = _runs(clause, taken)
        for behind in (True, False):
            found = _matched(clause, chosen, runs, behind=behind)
            if found is not None:
                yield found
    joint = _joint(clause, tests)
    if joint is not None:
        yield joint


def _joint(clause: Clause, tests: list[Part]) -> Part | None:
    """Return the formula that gives one text where tests of several columns hold: `Yes if it is over 50 and open`."""
    chosen = _apart(tests)
    columns = {test["column"] for part in chosen for test in part.value["tests"]}
    if len(columns) < _JOINED or clause.of("or"):
        return None
    taken = 0
    for part in chosen:
        taken |= part.mask
    runs = _runs(clause, taken)
    other = next(iter(clause.of("else")), None)
    heads = {word.start for word in clause.of("if")}
    start, end = chosen[0].start, taken.bit_length()
    before = [run for run in runs if run[1] <= start and heads & {run[1], run[1] + 1}]
    behind = [run for run in runs if 0 <= run[0] - end <= _BEHIND and (other is None or run[1] <= other.start)]
    if len(before) + len(behind) != 1:
        return None
    label = (before + behind)[0]
    if any(label[0] <= number.start < label[1] for number in clause.linked.numbers):
        return None
    rest, mask = _otherwise(clause, [run for run in runs if run != label])
    mask |= taken | mask_of(*label)
    tested = ",".join(str(in_formula(part.value)) for part in chosen)
    formula = f"IF(AND({tested}),{in_cell(clause.said(*label))},{in_cell(rest)})"
    cost = sum(max(part.cost, 0.0) for part in chosen) * 0.5 + 0.05
    return Part(mask=mask, value=formula, cost=cost, start=start)


def _last_text(clause: Clause, runs: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the run behind the word for all other rows, which is no text of a test."""
    other = next(iter(clause.of("else")), None)
    return None if other is None else next((run for run in runs if run[0] >= other.end), None)


def _otherwise(clause: Clause, left: list[tuple[int, int]]) -> tuple[str, int]:
    """Return the text for all other rows, empty if none is said, with its words."""
    other = next(iter(clause.of("else")), None)
    if other is None:
        return "", 0
    run = _last_text(clause, left)
    if run is not None:
        return clause.said(*run), other.mask | mask_of(*run)
    blank = next((word.mask for word in clause.of("blank") if word.start >= other.end), 0)
    return "", other.mask | blank


def _apart(tests: list[Part]) -> list[Part]:
    """Return tests of different words, the ones that say most first, in the order in which they are said."""
    kept: list[Part] = []
    for part in sorted(tests, key=lambda part: part.cost - 0.8 * part.mask.bit_count()):
        if not any(part.mask & other.mask for other in kept):
            kept.append(part)
    return sorted(kept, key=lambda part: part.start)[:_MOST]


def _runs(clause: Clause, taken: int) -> list[tuple[int, int]]:
    """Return the runs of words that may be texts to write: in quotation marks, or not understood otherwise."""
    if clause.linked.quoted:
        return list(clause.linked.quoted)
    known = taken
    for link in links_of(clause):
        known |= link.mask if link.score >= SURE else 0
    known |= _asking(clause)
    for kind in ("else", "if", "name", "act", "noun", "beside"):
        for word in clause.of(kind):
            known |= word.mask
    runs: list[tuple[int, int]] = []
    for at, cost in enumerate(clause.costs):
        plain = not known >> at & 1 and (cost > 0.1 or _alone(clause, at))
        if plain and runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], at + 1)
        elif plain:
            runs.append((at, at + 1))
        elif runs and runs[-1][1] == at and not known >> at & 1 and _ends(clause, at):
            runs[-1] = (runs[-1][0], at + 1)
    return [run for run in runs if not _heads(clause, run)]


def _asking(clause: Clause) -> int:
    """Return the words that ask: nobody has them written."""
    mask = 0
    for word in (*clause.linked.of("wh"), *clause.of("asking")):
        mask |= word.mask
    return mask


def _alone(clause: Clause, at: int) -> bool:
    """Return whether a small word stands alone between a word such as `is` and a mark."""
    tokens = clause.tokens
    behind = any(word.end == at for word in clause.of("name"))
    return behind and tokens[at].kind != "mark" and (at + 1 == len(tokens) or tokens[at + 1].kind == "mark")


def _ends(clause: Clause, at: int) -> bool:
    """Return whether a sign of a Chinese word is the last before a mark or the end."""
    tokens = clause.tokens
    here, last = tokens[at], at + 1 == len(tokens)
    return here.kind == "han" and (last or tokens[at + 1].kind == "mark") and here.norm not in _TAILS


def _heads(clause: Clause, run: tuple[int, int]) -> bool:
    """Return whether a run is what stands before a colon: the name of the column."""
    return run[1] < len(clause.tokens) and clause.tokens[run[1]].norm in ":："


def _matched(clause: Clause, tests: list[Part], runs: list[tuple[int, int]], *, behind: bool) -> Part | None:
    """Return the formula that gives each test the text beside it, or None if one has none."""
    mask, said, cost = 0, [], 0.0
    last = _last_text(clause, runs)
    left = [run for run in runs if run != last]
    for part in tests:
        end = part.mask.bit_length()
        near = [run for run in left if (run[0] >= end - 1 if behind else run[1] <= part.start + 1)]
        best = min(near, key=lambda run: gap(run[0], run[1], part.start, end), default=None)
        if best is None or gap(best[0], best[1], part.start, end) > 3:
            return None
        if not behind and any(token.kind == "mark" for token in clause.tokens[best[1] : part.start]):
            return None
        left.remove(best)
        said.append((in_formula(part.value), clause.said(*best)))
        mask |= part.mask | ((1 << (best[1] - best[0])) - 1) << best[0]
        cost += max(part.cost, 0.0) * 0.5
    rest, more = _otherwise(clause, [last] if last else [])
    mask |= more
    if not said:
        return None
    formula = in_cell(rest)
    for test, label in reversed(said):
        formula = f"IF({test},{in_cell(label)},{formula})"
    return Part(mask=mask, value=formula, cost=cost + (0.0 if behind else 0.05), start=tests[0].start)
