"""First looks at a table: its first or last rows, its columns, how large it is, what it holds."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.scene import Scene, gap
from tablewright.analyst.grammar.semantics import Features, OperatorPart, Word, mask_of

ROWS = 5
_BESIDE = ("list", "wh", "count", "data", "row_unit", "filler", "yes")
"""Words that ask for a look and say nothing else."""
_NEAR = 2
MOST_ROWS = 1_000


def looks(scene: Scene) -> Iterator[OperatorPart]:
    """Yield the looks that words ask for."""
    beside = 0
    for word in scene.of(*_BESIDE):
        beside |= word.mask
    for word in scene.of("look", "describe"):
        name = word.meaning or "describe"
        yield _look(scene, name, word.mask | beside, str(ROWS), (("look:said", 1.0),))
    ends = [("head" if word.meaning in {"first", "min", "max"} else "tail", word) for word in _ends(scene)]
    for name, word in ends:
        yield from _rows(scene, name, word, beside)


def _ends(scene: Scene) -> list[Word]:
    """Return the words for the beginning or the end of a table."""
    rows = [word for word in scene.of("row") if word.meaning in {"first", "last"}]
    return [*rows, *(word for word in scene.of("top") if word.meaning in {"max", "min"})]


def _rows(scene: Scene, name: str, word: Word, beside: int) -> Iterator[OperatorPart]:
    if word.type == "top":
        name = "head" if word.meaning == "max" else "tail"
    for unit in scene.of("row_unit"):
        if unit.start < word.end or gap(word.start, word.end, unit.start, unit.end) > _NEAR:
            continue
        mask = word.mask | unit.mask | beside
        counts = [one for one in scene.numbers if word.end <= one.start and one.end <= unit.start]
        if not counts:
            yield _look(scene, name, mask, str(ROWS), (("look:rows", 1.0),))
        for count in counts:
            if isinstance(count.value, int) and 0 < count.value <= MOST_ROWS:
                said = mask | mask_of(count.start, count.end)
                yield _look(scene, name, said, str(count.value), (("look:rows", 1.0),))


def _look(scene: Scene, name: str, mask: int, option: str, features: Features) -> OperatorPart:
    numbers = tuple(column.name for column in scene.columns if column.role == "number")
    named = 0
    for link in scene.links:
        named |= link.mask if link.score >= 1 else 0
    return OperatorPart(
        mask=mask & ~named, features=((f"operator:{name}", 1.0), *features), name=name, option=option,
        columns=numbers,
    )  # fmt: skip
