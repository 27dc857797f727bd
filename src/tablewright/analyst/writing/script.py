"""The script under construction: its segments, its variables, and which relation each variable holds."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.plan import Relation, Source
from tablewright.analyst.words import Words, shortened
from tablewright.analyst.writing.columns import Column, Frame, Value, one_cell
from tablewright.analyst.writing.conditions import Conditions
from tablewright.analyst.writing.expressions import Expressions
from tablewright.analyst.writing.literals import assign, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.analyst.writing.steps import Segment
from tablewright.domain.language import Language

Held = Frame | Value


class Script:
    """Collects the segments of one answer."""

    def __init__(self, language: Language, loaded: dict[str, Frame], names: Names) -> None:
        self.language = language
        self.words = Words(language)
        self.names = names
        self.segments: list[Segment] = []
        self.part = 0
        self.imports: list[str] = []
        self.bounds: dict[str, tuple[Frame, str, str]] = {}
        self._loaded = loaded
        self._held: list[tuple[Relation, Held]] = []
        self._known: dict[str, str] = {}

    def step(self, code: str, **params: object) -> None:
        """Open a segment named by the message `code`."""
        self.open(self.words.say(code, **params))

    def open(self, name: str) -> None:
        """Open a segment called `name`."""
        self.segments.append(Segment(name=shortened(name, 90), part=self.part))

    @property
    def continues(self) -> bool:
        """Whether a step of the current part is open."""
        return bool(self.segments) and self.segments[-1].part == self.part

    def emit(self, *lines: str) -> None:
        """Write lines into the open segment."""
        self.segments[-1].lines.extend(part for line in lines for part in line.split("\n"))

    def require(self, line: str) -> None:
        """Add the import `line` to the first step, once."""
        if line not in self.imports:
            self.imports.append(line)

    def source(self, source: Source) -> Frame:
        """Return the variable of a loaded data set. Raises KeyError if there is none."""
        return self._loaded[source.dataset_id]

    def held(self, relation: Relation) -> Held | None:
        """Return the variable that already holds `relation`, or None."""
        return next((held for known, held in self._held if known == relation), None)

    def keep(self, relation: Relation, held: Held) -> Held:
        """Record that `held` holds `relation`, and return it."""
        self._held.append((relation, held))
        return held

    def expressions(self, frame: Frame) -> Expressions:
        """Return a writer of expressions over `frame`."""
        return Expressions(frame, names=self.names, emit=self.emit, known=self._known, language=self.language)

    def conditions(self, frame: Frame) -> Conditions:
        """Return a writer of conditions over `frame`."""
        return self.expressions(frame).conditions

    def define(
        self, columns: Sequence[Column], head: str, *calls: str, named: Sequence[str] = (), otherwise: str
    ) -> Frame:
        """Write `variable = head.calls` and return the table it holds."""
        name = self.names.fresh(*[slug(part) for part in named], otherwise=otherwise)
        self.emit(*assign(name, head, *calls))
        return Frame(name=name, columns=tuple(columns))

    def as_frame(self, held: Held) -> Frame:
        """Return `held` as a table; a single value is first wrapped in one."""
        if isinstance(held, Frame):
            return held
        code = f"pd.DataFrame({{{quoted(held.column.name)}: {one_cell(held.name, held.column)}}})"
        return self.define((held.column,), code, named=(f"{held.name}_table",), otherwise="table")
