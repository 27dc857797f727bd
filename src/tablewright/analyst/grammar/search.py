"""The search: slots filled in canonical order (conditions from left to right, then the slots of each kind of answer)
with parts that cover different words, so that nothing is derived twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tablewright.analyst.grammar.amounts import havings
from tablewright.analyst.grammar.compared import compared_keys
from tablewright.analyst.grammar.conditions import conditions
from tablewright.analyst.grammar.coverage import Classes, gains
from tablewright.analyst.grammar.frames import CHANGES, FRAMES, Frame, Slot
from tablewright.analyst.grammar.keys import keys
from tablewright.analyst.grammar.measures import measures
from tablewright.analyst.grammar.orders import extremes, operators, projections, sortings
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import AnyPart, ConditionPart
from tablewright.analyst.grammar.weights import weighed

BEAM = 40
CONDITION_SETS = 30
MOST_CONDITIONS = 4
MOST_PARTS = 70
PER_FRAME = 24
PLAIN = 3
"""So many states without conditions are kept beyond the best."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A part and what it adds to the score of a reading."""

    part: AnyPart
    score: float


@dataclass(frozen=True, slots=True)
class State:
    """Slots filled so far, the words covered, and the score."""

    score: float
    mask: int
    conditions: tuple[ConditionPart, ...]
    parts: tuple[AnyPart | None, ...]
    frame: Frame | None = None


@dataclass(slots=True)
class Search:
    """The search over one table."""

    scene: Scene
    weights: Mapping[str, float]
    table_mask: int
    classes: Classes
    _gains: tuple[float, ...] = field(default=())
    _slots: dict[Slot, list[Scored]] = field(default_factory=dict)
    _sets: list[State] = field(default_factory=list)

    def states(self) -> list[State]:
        """Return the best fillings of every kind of answer, the best first."""
        self._gains = tuple(
            0.0 if self.table_mask >> place & 1 else gain
            for place, gain in enumerate(gains(self.classes, self.weights))
        )
        tests = self._scored(conditions(self.scene))
        makers: dict[Slot, Callable[[], Iterable[AnyPart]]] = {
            "measure": lambda: measures(self.scene, [one.part for one in tests if isinstance(one.part, ConditionPart)]),
            "key": lambda: keys(self.scene),
            "extreme": lambda: extremes(self.scene),
            "sorting": lambda: sortings(self.scene),
            "projection": lambda: projections(self.scene),
            "having": lambda: havings(self.scene),
            "operator": lambda: operators(self.scene),
        }
        self._slots = {slot: self._scored(make()) for slot, make in makers.items()}
        self._sets = self._condition_sets(tests)
        found = [state for frame in FRAMES for state in self._filled(frame, self._sets)]
        return sorted(found, key=lambda state: -state.score)

    def changes(self) -> list[State]:
        """Return the best fillings of any slots with words of the question, of which `states` was asked before."""
        return self._filled(CHANGES, self._sets)

    @property
    def spared(self) -> float:
        """What it would spare to cover all words."""
        return sum(self._gains)

    def _scored(self, parts: Iterable[AnyPart]) -> list[Scored]:
        """Return the best parts; of parts that are the same but for their features, the best."""
        best: dict[object, Scored] = {}
        for part in parts:
            score = weighed(part.features, self.weights) + self._gain(part.mask)
            key = _identity(part)
            if key not in best or best[key].score < score:
                best[key] = Scored(part, score)
        return sorted(best.values(), key=lambda one: -one.score)[:MOST_PARTS]

    def _gain(self, mask: int) -> float:
        return sum(gain for place, gain in enumerate(self._gains) if mask >> place & 1)

    def _condition_sets(self, tests: Sequence[Scored]) -> list[State]:
        ordered = [one for one in tests if isinstance(one.part, ConditionPart)]
        ordered.sort(key=lambda one: one.part.start if isinstance(one.part, ConditionPart) else 0)
        empty = State(0.0, 0, (), ())
        states = [empty]
        for one in ordered:
            part = one.part
            if not isinstance(part, ConditionPart):
                continue
            extended = [
                State(state.score + one.score, state.mask | part.mask, (*state.conditions, part), ())
                for state in states
                if not state.mask & part.mask and len(state.conditions) < MOST_CONDITIONS
            ]
            states = sorted([*states, *extended], key=lambda state: -state.score)[:CONDITION_SETS]
            if empty not in states:
                states[-1] = empty
        return states

    def _filled(self, frame: Frame, sets: Sequence[State]) -> list[State]:
        states = [State(one.score, one.mask, one.conditions, (), frame) for one in sets if frame.takes(one.conditions)]
        for slot, optional in frame.slots:
            extended = [state for before in states for state in self._extended(before, frame, slot, optional=optional)]
            states = _kept(extended, BEAM)
        return _kept(states, PER_FRAME)

    def _extended(self, state: State, frame: Frame, slot: Slot, *, optional: bool) -> Iterable[State]:
        if optional:
            yield State(state.score, state.mask, state.conditions, (*state.parts, None), frame)
        options = [*self._slots[slot], *(self._compared(state) if slot == "key" else ())]
        for one in options:
            part = one.part
            if part.mask & state.mask or not frame.fits(state.conditions, state.parts, part):
                continue
            yield State(state.score + one.score, state.mask | part.mask, state.conditions, (*state.parts, part), frame)

    def _compared(self, state: State) -> list[Scored]:
        """Return the keys that the tests of a state imply."""
        return [
            Scored(part, weighed(part.features, self.weights) + self._gain(part.mask))
            for part in compared_keys(self.scene, state.conditions)
        ]


def _kept(states: Iterable[State], most: int) -> list[State]:
    """Return the best states; a few without conditions are always among them."""
    ordered = sorted(states, key=lambda state: -state.score)
    plain = [state for state in ordered[most:] if not state.conditions]
    return [*ordered[:most], *plain[:PLAIN]]


def _identity(part: AnyPart) -> object:
    """Return what distinguishes a part from others, but for its features."""
    names = [name for name in part.__dataclass_fields__ if name != "features"]
    return (type(part), *(getattr(part, name) for name in names))
