"""Numbers and texts computed for each row: arithmetic of columns, sums of several, ranks, ages, cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tablewright.analyst.grammar.scene import ColumnLink
from tablewright.analyst.grammar.semantics import Word, mask_of, union
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.joints import foreign_links
from tablewright.analyst.operating.instructing.parts import Part, columns, links_of
from tablewright.workbook.areas import column_number

_OPEN, _CLOSE = frozenset("(（"), frozenset(")）")
_PERCENT = frozenset({"%", "percent", "％"})
_BETWEEN = 2
_REACH = 12
_SMALL = 0.6
"""What a word costs at most that may stand before a column of another sheet: `each`, `the`, marks."""
_FAR = 0.15
"""What it costs to take a column of another sheet."""
_COUNTED = frozenset({"number", "date"})


@dataclass(slots=True)
class _Reader:
    """Reads a formula by the precedence of its signs, whether they are written or said."""

    clause: Clause
    place: int
    mask: int = 0
    operations: int = 0
    columns: list[str] = field(default_factory=list)
    loss: float = 0.0

    def sum(self) -> str | None:
        return self._chain(("+", "-"), self._product)

    def _product(self) -> str | None:
        return self._chain(("*", "/"), self._atom)

    def _chain(self, signs: tuple[str, ...], read: Callable[[], str | None]) -> str | None:
        left = read()
        while left is not None:
            before = (self.place, self.mask, self.operations, list(self.columns), self.loss)
            sign = self._sign(signs)
            right = read() if sign else None
            if right is None:
                self.place, self.mask, self.operations, self.columns, self.loss = before
                return left
            self.operations += 1
            left = f"{left}{sign}{right}"
        return None

    def _sign(self, signs: tuple[str, ...]) -> str | None:
        self._skip()
        for word in sorted(self.clause.of("op"), key=lambda word: -word.end):
            if word.start == self.place and word.meaning in signs:
                self.mask |= word.mask
                self.place = word.end
                return word.meaning
        return None

    def _skip(self) -> None:
        """Pass over words that say nothing."""
        for _ in range(_BETWEEN):
            if self.place < len(self.clause.tokens) and 0 < self.clause.costs[self.place] <= 0.06:
                if any(word.start == self.place for word in self.clause.of("op")):
                    return
                if any(link.start == self.place for link in links_of(self.clause)):
                    return
                self.place += 1

    def _atom(self) -> str | None:
        self._skip()
        tokens = self.clause.tokens
        if self.place < len(tokens) and tokens[self.place].norm in _OPEN:
            start = self.place
            self.place += 1
            inner = self.sum()
            if inner is None or self.place >= len(tokens) or tokens[self.place].norm not in _CLOSE:
                return None
            self.place += 1
            self.mask |= mask_of(start, self.place)
            return f"({inner})"
        for number in self.clause.linked.numbers:
            if number.start == self.place:
                return self._number(number.value, number.end, percent=number.percent)
        for part in columns(self.clause):
            lettered = part.start == self.place and part.value not in self.clause.tokens[self.place].text
            if lettered and self.clause.place.letters[part.value] == self.clause.tokens[self.place].text:
                self.mask |= part.mask
                self.place = part.mask.bit_length()
                self.columns.append(part.value)
                return f"[{part.value}]"
        links = [link for link in links_of(self.clause) if link.start == self.place and link.column.role in _COUNTED]
        best = max(links, key=lambda link: (link.score, link.end), default=None)
        foreign = foreign_links(self.clause, self.place)
        if foreign and (best is None or (foreign[0][0].score, foreign[0][0].end) > (best.score, best.end)):
            return self._foreign(*foreign[0])
        if best is None:
            return self._led_to()
        self.mask |= best.mask
        self.place = best.end
        self.loss += 1 - best.score
        self.columns.append(best.column.name)
        return f"[{best.column.name}]"

    def _led_to(self) -> str | None:
        """Read a column of another sheet behind words that lead to it: its sheet, what the row is looked up by, as
        `the client's` before a rate per client, and words that say nothing."""
        clause, start, led = self.clause, self.place, 0
        sheets = union(mask for name, mask in clause.sheets if name != clause.place.sheet)
        sheets |= union(word.mask for word in clause.of("noun:sheet"))
        for at in range(start + 1, min(start + _REACH, len(clause.tokens))):
            said = mask_of(at - 1, at)
            keys = union(link.mask for link in links_of(clause) if link.column.role == "text" and link.mask & said)
            led |= said & (sheets | keys)
            if not said & (sheets | keys) and clause.costs[at - 1] > _SMALL:
                return None
            foreign = foreign_links(clause, at) if led else []
            if foreign:
                self.mask |= mask_of(start, at)
                self.place = at
                return self._foreign(*foreign[0])
        return None

    def _foreign(self, link: ColumnLink, formula: str) -> str:
        """Read a column of another sheet, with the words that name the sheet around it."""
        self.mask |= link.mask
        self.place = link.end
        self.loss += 1 - link.score + _FAR
        self.columns += [name for name in self.clause.place.names if f"[{name}]" in formula][:1]
        for name, mask in self.clause.sheets:
            self.mask |= mask if f"{name}!" in formula or f"{name}'!" in formula else 0
        return formula

    def _number(self, value: float, end: int, *, percent: bool) -> str | None:
        """Read a number; a share in percent `of` something is its product."""
        tokens = self.clause.tokens
        if percent and end < len(tokens) and tokens[end].norm in _PERCENT:
            end += 1
        self.mask |= mask_of(self.place, end)
        self.place = end
        said = f"{value / 100 if percent else value}"
        if not percent or end >= len(tokens) or tokens[end].norm != "of":
            return said
        self.place += 1
        inner = self._atom()
        if inner is None:
            return None
        self.operations += 1
        return f"{said}*{inner}"


def formulas(clause: Clause) -> Iterator[Part]:
    """Yield every formula of the clause, without the leading sign."""
    for start in range(len(clause.tokens)):
        reader = _Reader(clause, start)
        said = reader.sum()
        if said is None or not reader.operations or not reader.columns:
            continue
        mask = reader.mask
        for word in clause.of("compute"):
            if 0 <= start - word.end <= 1:
                mask |= word.mask
        value = guarded(clause, _bare(said), reader.columns)
        yield Part(mask=mask, value=value, cost=reader.loss - 0.3, start=start)
    yield from _sums(clause)


def _bare(said: str) -> str:
    """Return a formula without brackets around all of it."""
    deep, closed = 0, [at for at, sign in enumerate(said) if sign == ")"]
    if not said.startswith("(") or not closed or closed[-1] != len(said) - 1:
        return said
    for at, sign in enumerate(said):
        deep += (sign == "(") - (sign == ")")
        if not deep and at < len(said) - 1:
            return said
    return said[1:-1]


def guarded(clause: Clause, said: str, columns: list[str]) -> str:
    """Return the formula, empty in rows where a date or a divisor that it needs is empty."""
    dated = [name for name in dict.fromkeys(columns) if clause.place.dated(name) and clause.place.fact(name).missing]
    if dated:
        tests = ",".join(f'[{name}]=""' for name in dated)
        return f'IF({tests if len(dated) == 1 else f"OR({tests})"},"",{said})'
    if "/" not in said:
        return said
    below = [name for name in columns if f"/[{name}]" in said] if "/(" not in said else columns
    low = [clause.place.fact(name).minimum for name in below]
    safe = all(isinstance(one, int | float) and one > 0 for one in low)
    filled_in = not any(clause.place.fact(name).missing for name in below)
    return said if safe and filled_in else f'IFERROR({said},"")'


def _spans(clause: Clause, word: Word, numeric: list[str]) -> Iterator[Part]:
    """Yield the sum of all columns of numbers from one to another."""
    for low in links_of(clause):
        for high in links_of(clause):
            between = clause.tokens[low.end].norm if high.start == low.end + 1 else ""
            names = [low.column.name, high.column.name]
            if between in {"to", "through", "到", "至"} and all(name in numeric for name in names):
                first, last = (numeric.index(name) for name in names)
                if first < last:
                    summed = _summed(clause, numeric[first : last + 1])
                    mask = word.mask | mask_of(low.start, high.end)
                    yield Part(mask=mask, value=summed, cost=-0.2, start=word.start)


def _summed(clause: Clause, names: list[str]) -> str:
    """Return the sum of columns; of those that stand side by side, as one range."""
    places = [column_number(clause.place.letters[name]) for name in names]
    if places == list(range(places[0], places[0] + len(places))):
        return f"SUM([{names[0]}]:[{names[-1]}])"
    return f"SUM({','.join(f'[{name}]' for name in names)})"


def _sums(clause: Clause) -> Iterator[Part]:
    """Yield the sum of several columns of a row: of those that are named, or of as many as there are."""
    words = [
        word for word in clause.of("agg:sum") if word.end - word.start > 1 or clause.tokens[word.start].kind == "word"
    ]
    numeric = [column for column in clause.linked.columns if column.role == "number" and not column.identifies]
    for word in words:
        for number in clause.linked.numbers:
            if number.value == len(numeric) and len(numeric) > 1:
                said = "+".join(f"[{column.name}]" for column in numeric)
                summed = f"SUM({','.join(f'[{column.name}]' for column in numeric)})"
                yield Part(mask=word.mask | mask_of(number.start, number.end), value=summed, cost=0.3, start=word.start)
                del said
        named = {link.column.name: link for link in links_of(clause) if link.column.role == "number"}
        yield from _spans(clause, word, [column.name for column in numeric])
        if len(named) > 1:
            mask = word.mask
            for link in named.values():
                mask |= link.mask
            summed = f"SUM({','.join(f'[{name}]' for name in named)})"
            yield Part(mask=mask, value=summed, cost=1.4, start=word.start)
