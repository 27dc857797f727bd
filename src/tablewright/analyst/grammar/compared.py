"""Keys that tests of one column imply: which of them holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import ConditionPart, Features, KeyPart
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Bucket, Case, Col, Expr, Lit, TimeUnit

_SEVERAL = 2
_MOST = 3
_BETWEEN = ("or", "and", "than", "between_end")


def compared_keys(scene: Scene, conditions: Sequence[ConditionPart]) -> Iterator[KeyPart]:
    """Yield as key the column of which several values, or the months or years of which several periods are tested, and
    for any tests of one column which of them holds."""
    for column in dict.fromkeys(part.column for part in conditions):
        same = [part for part in conditions if part.column == column]
        plain = [part for part in same if not part.negated]
        if len(plain) >= _SEVERAL:
            yield from _columns(scene, column, plain)
        if _SEVERAL <= len(same) <= _MOST:
            yield _cases(scene, column, same)


def _columns(scene: Scene, column: str, same: Sequence[ConditionPart]) -> Iterator[KeyPart]:
    of = Col(name=column)
    units: tuple[TimeUnit | None, ...] = ()
    if _of_periods(same):
        units = (None,) if scene.column(column).year else ("month", "year")
    elif all(part.values for part in same):
        units = (None,)
    for unit in units:
        key: Expr = of if unit is None else Bucket(of=of, unit=unit)
        yield KeyPart(
            mask=0, features=(("key:compared", 1.0),), of=key, column=column, unit=unit, start=same[0].start
        )  # fmt: skip


def _cases(scene: Scene, column: str, same: Sequence[ConditionPart]) -> KeyPart:
    """Return which of some tests holds, called by the words that say it, with the words between them."""
    branches = tuple((part.where, Lit(value=_called(scene, part.mask))) for part in same[:-1])
    features: Features = (
        ("key:cases", 1.0),
        ("cases:values", float(all(part.values for part in same))),
        ("cases:period", float(_of_periods(same))),
        ("cases:negated", float(any(part.negated for part in same))),
    )
    mask = _between(scene, same)
    return KeyPart(
        mask=mask, features=(*features, ("cases:joined", float(bool(mask)))), column=column, start=same[0].start,
        of=Case(branches=branches, otherwise=Lit(value=_called(scene, same[-1].mask))),
    )  # fmt: skip


def _of_periods(same: Sequence[ConditionPart]) -> bool:
    return any(name == "condition:period" for part in same for name, _ in part.features)


def _between(scene: Scene, same: Sequence[ConditionPart]) -> int:
    """Return the words between tests that set them side by side."""
    mask, taken = 0, 0
    for part in same:
        taken |= part.mask
    low, high = (taken & -taken).bit_length() - 1, taken.bit_length()
    for word in scene.of(*_BETWEEN):
        if low < word.start and word.end < high and not word.mask & taken:
            mask |= word.mask
    return mask


def _called(scene: Scene, mask: int) -> str:
    words = [token.text for place, token in enumerate(scene.tokens) if mask >> place & 1]
    return ("" if any(is_han(word[0]) for word in words) else " ").join(words)
