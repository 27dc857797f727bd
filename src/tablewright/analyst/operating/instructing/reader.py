"""Reads an instruction: its clauses one after another, each beside the tables as the ones before leave them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.afterwards import after
from tablewright.analyst.operating.instructing.building import built, flat
from tablewright.analyst.operating.instructing.clause import VETOED, Clause, Memory, clause_of
from tablewright.analyst.operating.instructing.evidence import evidence_of
from tablewright.analyst.operating.instructing.intent import leaning_of
from tablewright.analyst.operating.instructing.remarks import remark_of, says_purpose
from tablewright.analyst.operating.instructing.search import Filled, filled
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.instructing.summing import measure_names
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import Place, Scene
from tablewright.data.base import ValueLookup

BEAM = 4
LONGEST_CLAUSE = 5
MOST_SEGMENTS = 10
PER_CLAUSE = 3
_SPLIT_COST = 0.25
_CHEAP = 0.3
"""Words that cost no more only say what the rows are."""
_FAR = 3.0
_BELOW = "totals"
_LEANING = 0.3
_ARTICLES = frozenset({"the", "sheet", "our", "my"})
_ONTO = frozenset({"on", "in", "to", "onto", "into", "在", "给"})
_FROM = frozenset({"from", "of", "从", "去"})
_OTHER_TABLE = 1.5
_MIXED = 1.8
"""Hardly anybody asks a question and for a change in one breath."""
_UNASKED = 2.5
"""What it costs to only read where a message asks for a change; the trust in the reading is not touched."""
_REMARK = 1.3
"""What it costs to leave a clause aside that asks for nothing."""
_PURPOSE = 0.3
_TOPIC = 0.2
"""What it costs beyond that to take a clause only to name the column that the next one is about."""
_SHRINKING = frozenset({"delete_rows", "remove_duplicates"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The operations of one clause, what of it was not understood (`left` says how much, `loose` of which
    kinds), and what the reading costs; `evidence` is what trust in it is judged by."""

    ops: tuple[Op, ...]
    frame: str
    reads: bool
    unread: tuple[str, ...]
    vetoed: bool
    loose: tuple[str, ...]
    left: float
    cost: float
    evidence: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An instruction as operations; `cost` says how much of it is guessed or unread, `margin` how much dearer the next
    reading is that does something else, `leaning` how much the message sounds like an instruction."""

    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    memory: Memory = field(default_factory=Memory)
    margin: float = 0.0
    leaning: float = 0.0

    @property
    def ops(self) -> list[Op]:
        """The operations of all clauses, in order."""
        return [op for step in self.steps for op in step.ops]

    @property
    def unread(self) -> list[str]:
        """The words that nothing covers."""
        return [words for step in self.steps for words in step.unread]

    @property
    def vetoed(self) -> bool:
        """Whether a negation, comparison, number or condition is among the unread words."""
        return any(step.vetoed for step in self.steps)

    @property
    def worst(self) -> float:
        """The cost of the clause that is understood worst."""
        return max((step.cost for step in self.steps), default=0.0)


@dataclass(frozen=True, slots=True)
class _State:
    """A reading of the first segments, the tables it leaves, and what it spoke of."""

    reading: Reading
    scene: Scene
    memory: Memory
    home: str | None


async def read(text: str, scene: Scene, values: ValueLookup, memory: Memory | None = None) -> Reading | None:
    """Return the cheapest reading of an instruction; None if no clause of it asks for anything."""
    segments = segments_of(text)[:MOST_SEGMENTS]
    leaning = leaning_of(text)
    states: dict[int, list[_State]] = {0: [_State(Reading(), scene, memory or Memory(), None)]}
    for start in range(len(segments)):
        for end in range(start + 1, min(start + LONGEST_CLAUSE, len(segments)) + 1):
            stop = segments[end - 1][1]
            words = text[segments[start][0] : stop + (text[stop : stop + 1] in {"?", "？"})]
            for state in states.get(start, []):
                states.setdefault(end, []).extend(await _further(words, state, values, changes=leaning >= 0))
        for end in states:
            if end > start:
                states[end] = sorted(states[end], key=lambda one: one.reading.cost)[:BEAM]
    done = [state for state in states.get(len(segments), []) if state.reading.ops]
    if not done:
        return None
    best = min(done, key=lambda state: state.reading.cost).reading
    others = [state.reading.cost for state in done if state.reading.ops != best.ops]
    memory = min(done, key=lambda state: state.reading.cost).memory
    margin = min([_FAR, *(cost - best.cost for cost in others)])
    return replace(best, memory=memory, margin=margin, leaning=leaning)


async def _further(words: str, state: _State, values: ValueLookup, *, changes: bool) -> list[_State]:
    """Return the readings with one more clause; where a change is asked for, one that only reads is hardly meant."""
    found: list[_State] = []
    for place, loss in _tables(words, state):
        clause = await clause_of(words, state.scene, place, state.memory, values)
        if says_purpose(clause):
            return [_aside(words, state, (), _PURPOSE)]
        about = remark_of(clause) if loss == 0 else None
        if about is not None:
            found.append(_aside(words, state, about))
        kept = 0
        unasked = _UNASKED if changes else 0.0
        for one in sorted(filled(clause), key=lambda one: one.cost + unasked * one.frame.reads):
            ops = built(clause, one)
            if ops is None or (one.frame.name == _BELOW and _first_shrinking(state) is None):
                continue
            found.append(_after(clause, one, ops, state, loss, unasked * one.frame.reads))
            kept += 1
            if kept == PER_CLAUSE:
                break
    return found


def _aside(words: str, state: _State, about: tuple[str, ...], loss: float = _REMARK) -> _State:
    """Return the reading with a clause that is left aside, but for the column that it is about."""
    cost = loss + _TOPIC * bool(about)
    step = Step(
        ops=(), frame="remark", reads=False, unread=(words.strip(" ,，;；"),), vetoed=False, loose=(), left=0.0,
        cost=cost, evidence={"remark": 1.0},
    )  # fmt: skip
    reading = Reading(steps=(*state.reading.steps, step), cost=state.reading.cost + cost)
    return replace(state, reading=reading, memory=replace(state.memory, columns=about) if about else state.memory)


def _tables(words: str, state: _State) -> list[tuple[Place, float]]:
    """Return the tables that a clause may be about: those it names, the one of the clause before, the first one."""
    tables = [place for place in state.scene.places if place.names] or list(state.scene.places)
    firsts: dict[str, Place] = {}
    for place in tables:
        firsts.setdefault(place.sheet, place)
    said = set(state.scene.said_sheets(words))
    home = state.home or next((n for n, p in firsts.items() if state.scene.sheet(n).state == "visible"), None)
    made = state.memory.target
    found = []
    for name, place in firsts.items():
        loss = 0.0 if name == home else 0.1 if name in said else 0.05 if name == made else _OTHER_TABLE
        loss += _leaning(words, name) if name in said else 0.0
        found.append((place, loss))
    return sorted(found, key=lambda one: one[1])[:3]


def _leaning(words: str, sheet: str) -> float:
    """Return what the word before the name of a sheet says for and against the clause being about it: `on Orders`,
    `from Prices`."""
    before = tokenize(words[: max(words.casefold().find(sheet.casefold()), 0)])
    said = next((token.norm for token in reversed(before) if token.norm not in _ARTICLES), "")
    return -_LEANING if said in _ONTO else _LEANING if said in _FROM else 0.0


def _after(clause: Clause, one: Filled, ops: list[Op], state: _State, loss: float, unasked: float) -> _State:
    left = clause.unread(one.mask)
    unread = tuple(_runs(clause, left))
    vetoed = any(clause.classes[at] in VETOED for at in left)
    mixed = any(step.ops and step.reads != one.frame.reads for step in state.reading.steps)
    cost = one.cost + loss + _SPLIT_COST + _MIXED * (mixed and bool(ops))
    step = Step(
        ops=tuple(ops),
        frame=one.frame.name,
        reads=one.frame.reads,
        unread=unread,
        vetoed=vetoed,
        loose=tuple(clause.classes[at] for at in left if clause.costs[at] > _CHEAP),
        left=clause.left(one.mask),
        cost=cost,
        evidence=evidence_of(clause, one, left),
    )
    known, at = state.reading.steps, _first_shrinking(state) if one.frame.name == _BELOW else None
    at = len(known) if at is None else at
    reading = Reading(steps=(*known[:at], step, *known[at:]), cost=state.reading.cost + cost + unasked)
    scene = _changed(state.scene, ops)
    home = clause.place.sheet if ops and one.frame.name != "guard" else state.home
    renamed = {op.parameters["sheet"]: op.parameters["name"] for op in ops if op.function == "rename_sheet"}
    memory = _remembered(clause, one, ops, state.memory)
    if memory.target and memory.target != state.memory.target and not memory.measures:
        home = memory.target
    return _State(reading, scene, memory, renamed.get(home, home) if home else None)


def _first_shrinking(state: _State) -> int | None:
    """Return the place of the first step that deletes rows of which nobody knows how many: what goes below the table
    is written before it. The end if there is none; None if steps of another kind follow it."""
    steps = state.reading.steps
    shrinking = [any(_shrinks(op) for op in step.ops) for step in steps]
    first = shrinking.index(True) if any(shrinking) else len(steps)
    return (
        first
        if all(shrinks or not step.ops for shrinks, step in zip(shrinking[first:], steps[first:], strict=True))
        else None
    )


def _shrinks(op: Op) -> bool:
    return op.function in _SHRINKING and op.parameters.get("row") is None


def _runs(clause: Clause, left: list[int]) -> list[str]:
    runs: list[list[int]] = []
    for at in left:
        if runs and at - runs[-1][-1] == 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [clause.said(run[0], run[-1] + 1) for run in runs]


def _changed(scene: Scene, ops: list[Op]) -> Scene:
    """Return the workbook after steps: its columns, its sheets and their names."""
    places = [after(place, ops) for place in scene.places]
    sheets = list(scene.outline.sheets)
    for op in ops:
        given = op.parameters
        if op.function == "rename_sheet":
            old, new = given["sheet"], given["name"]
            sheets = [replace(one, name=new) if one.name == old else one for one in sheets]
            places = [replace(one, sheet=new) if one.sheet == old else one for one in places]
        elif op.function == "copy_sheet":
            sheets += [replace(one, name=given["name"]) for one in sheets if one.name == given["sheet"]]
            copies = [replace(one, sheet=given["name"]) for one in places if one.sheet == given["sheet"]]
            places += copies
        elif op.function == "set_values" and len(given["values"]) == 1:
            places = [_headed(one, given) for one in places]
    places = [_without(place, ops) for place in places]
    return replace(scene, places=tuple(places), outline=replace(scene.outline, sheets=tuple(sheets)))


def _headed(place: Place, given: dict[str, object]) -> Place:
    """Return the table with a column called by the name that is written into its header."""
    rows = place.region.header_rows
    if given["sheet"] != place.sheet or rows is None:
        return place
    old = next((name for name, found in place.letters.items() if f"{found}{rows[1]}" == given["range"]), None)
    new = given["values"][0][0]  # type: ignore[index]
    if old is None or old not in place.names:
        return place
    columns = tuple(replace(one, name=str(new)) if one.name == old else one for one in place.facts.columns)
    known = {str(new) if name == old else name: found for name, found in place.letters.items()}
    return replace(place, facts=replace(place.facts, columns=columns), letters=known)


def _without(place: Place, ops: list[Op]) -> Place:
    for op in ops:
        if op.function == "delete_columns" and op.parameters["sheet"] == place.sheet:
            gone = [name for name in op.parameters["columns"] if name in place.names]
            place = place.without(gone) if gone else place
    return place


def _remembered(clause: Clause, one: Filled, ops: list[Op], known: Memory) -> Memory:
    memory = replace(known)
    for op in ops:
        given = op.parameters
        if op.function == "add_column":
            memory.added = given["header"]
            memory.columns = (given["header"],)
        elif op.function == "summarize":
            memory.target, memory.keys = given["target_sheet"], tuple(given["groups"])
            memory.measures = measure_names(clause, given)
        elif op.function == "copy_sheet":
            memory.target, memory.measures, memory.keys = given["name"], (), ()
    measured = tuple(column for _, column in one.slots.get("measures", []) if column is not None)
    if measured:
        memory.columns = measured
    elif not any(op.function in {"add_column", "summarize"} for op in ops):
        said = tuple(flat(one.slots.get("columns", one.slots.get("column", []))))
        said = said or tuple(column for column, *_ in one.slots.get("keys", []))
        said = said or tuple(name for name in one.slots.get("values", []) if isinstance(name, str))
        memory.columns = said or memory.columns
    memory.area = one.slots["area"][0] if one.slots.get("area") else None if ops else known.area
    charts = [op.parameters["sheet"] for op in ops if op.function == "create_chart"]
    memory.chart_sheet = charts[-1] if charts else known.chart_sheet
    where = next((op.parameters["where"] for op in ops if isinstance(op.parameters.get("where"), dict)), None)
    memory.where = where or memory.where
    memory.shrunk = known.shrunk or any(_shrinks(op) for op in ops)
    return memory
