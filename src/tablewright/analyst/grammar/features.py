"""Features of a whole reading: what its parts are together, beside the question word and the kind of table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.counted_once import Multiplied, counted_once
from tablewright.analyst.grammar.composed import Composed, Parts
from tablewright.analyst.grammar.coverage import Classes, covered_loosely, heads_left, left_over
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.search import State
from tablewright.analyst.grammar.semantics import KeyPart, MeasurePart, mask_of, union
from tablewright.analyst.plan import Plan
from tablewright.domain.dataset import DatasetFacts

_UNHARMED = frozenset({"min", "max", "count", "count_distinct"})
"""Aggregates that rows which a join repeats do not change."""
_MEANS = frozenset({"mean", "median"})
_ASKED = ("count", "share", "difference", "wh", "yes", "chart", "list")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What all readings of a question share: the question word, the kind of table, the classes of tokens, how loosely
    they mean what they do, and the words that no part needs to cover."""

    asked: str
    kind: str
    classes: Classes
    hows: tuple[str, ...]
    free: int
    scene: Scene


def question_word(scene: Scene) -> str:
    """Return what the question asks with: the first word that asks, `count` and `share` before others."""
    for kind in _ASKED:
        words = scene.of(kind)
        if words:
            return words[0].meaning if kind == "wh" else kind
    return "none"


def table_kind(scene: Scene) -> str:
    """Return whether the table has a row for each of some things, or rows that happen to them."""
    return "things" if any(column.unique and column.naming > 0.5 for column in scene.columns) else "rows"


def joint(
    scene: Scene, state: State, parts: Parts, composed: Composed, context: Context, mask: int
) -> dict[str, float]:
    """Return all features of a reading."""
    found: dict[str, float] = {}
    for part in (*state.conditions, *(one for one in state.parts if one is not None)):
        for name, value in part.features:
            if value:
                found[name] = found.get(name, 0.0) + value
    frame = state.frame.name if state.frame is not None else ""
    form = f"{frame}:{composed.form}"
    asked, kind = context.asked, context.kind
    found |= {f"frame:{form}": 1.0, f"asked:{asked}:{form}": 1.0, f"table:{kind}:{form}": 1.0}
    found |= {name: value for name, value in _columns(scene, parts, composed, asked).items() if value}
    found |= left_over(context.classes, mask | context.free)
    found |= covered_loosely(context.hows, context.classes, mask)
    found |= heads_left(scene.links, context.classes, mask)
    if parts.order is not None and parts.inner is None:
        other = "min" if parts.order.descending else "max"
        ends = [word for word in scene.of("superlative") if word.meaning == other and not word.mask & mask]
        found |= {"left:opposite": 1.0} if ends and parts.order.count is not None else {}
    return found


def _columns(scene: Scene, parts: Parts, composed: Composed, asked: str) -> dict[str, float]:
    tested = {part.column for part in parts.conditions if part.values and not part.negated}
    shown = {part.column for part in parts.projections}
    keyed = {part.column for part in parts.keys}
    found = {
        "shows:tested": float(len(shown & tested)),
        "keys:tested": float(len(keyed & tested)),
        "measures:tested": float(parts.measure is not None and parts.measure.column in tested),
        "conditions": float(len(parts.conditions)),
        "conditions:negated": float(sum(part.negated for part in parts.conditions)),
        "keys": float(len(parts.keys)),
        "shows": float(len(parts.projections)),
        "order:undisplayed": float(parts.order is not None and parts.order.by in tested),
    }
    for name in [*shown, *keyed]:
        column = scene.column(name)
        found[f"answers:{asked}:{column.role}"] = 1.0
        if column.year:
            found[f"answers:{asked}:year"] = 1.0
    if parts.order is not None and parts.order.by is not None:
        by = scene.column(parts.order.by)
        found["order:id"] = float(by.identifies)
        found["order:year"] = float(by.year)
    if parts.operator is not None and parts.operator.name == "average" and parts.measure is not None:
        found["average:rows"] = float(parts.measure.kind == "rows")
        found["average:unit"] = float(any(part.unit is not None for part in parts.keys))
        found["average:things"] = float(any(_of_things(part, scene) for part in parts.keys))
    if parts.measure is not None and parts.measure.function in _MEANS:
        found["mean:of_parts"] = float(_things_beside(scene, parts, parts.measure))
    if parts.order is not None and parts.measure is not None:
        found["order:against"] = float(parts.measure.function == ("min" if parts.order.descending else "max"))
    if parts.measure is not None and composed.measures:
        found[f"measures:{asked}:{parts.measure.kind}"] = 1.0
    return found


def _of_things(part: KeyPart, scene: Scene) -> bool:
    """Return whether the groups are things that have rows of their own elsewhere, or a number that says which is which:
    what each of them has is one amount, of which there is a mean."""
    return bool(part.mask & scene.others_mask) or scene.column(part.column).identifies


def _things_beside(scene: Scene, parts: Parts, measure: MeasurePart) -> bool:
    """Return whether a word that names the rows of another table stands unread beside a measure, or behind a word such
    as `per` that does: of order lines, the mean of an order's value is not that of a line."""
    others_said = (*parts.conditions, *parts.keys, *parts.projections, parts.order, parts.operator)
    read = union(part.mask for part in others_said if part is not None)
    each = union(word.mask for word in scene.of("each") if _touch(word.mask, measure.mask))
    return _touch(scene.others_mask & ~read, measure.mask | each)


def _touch(mask: int, other: int) -> bool:
    return bool((mask << 1 | mask >> 1) & other)


def value_answered(scene: Scene, parts: Parts, composed: Composed, mask: int) -> int:
    """Return the words behind a ranking that ask how much the best has (`which day was best, and how many`), if that is
    shown beside it."""
    if parts.order is None or not composed.measures:
        return 0
    found = 0
    for word in scene.of("count", "wh"):
        if word.start >= parts.order.mask.bit_length() and (word.type == "count" or word.meaning == "much"):
            found |= word.mask & ~mask
    return found


def table_words(scene: Scene) -> int:
    """Return the bitmask of the words that stand in the name of the table or its file."""
    named = scene.facts.name + " " + scene.facts.file_name
    compact = "".join(character for character in named.lower() if character.isalnum())
    mask = 0
    for period in scene.periods:
        digits = "".join(character for character in period.text if character.isalnum())
        if digits[:4].isdigit() and (digits in compact or _padded(period.low) in compact):
            mask |= mask_of(period.start, period.end)
    size = len(scene.tokens)
    for start in range(size):
        end = start
        run = ""
        while end < size and scene.tokens[end].kind != "mark" and run + scene.tokens[end].norm in compact:
            run += scene.tokens[end].norm
            end += 1
        if (end - start >= 3 and scene.tokens[start].kind == "han") or (end - start >= 2 and len(run) > 8):
            mask |= mask_of(start, end)
    return mask


def _padded(low: str | None) -> str:
    """Return a month as Chinese names of files write it, `2021年08月`."""
    return f"{low[:4]}年{low[5:7]}月" if low else "\0"


def lacking_words(scene: Scene) -> int:
    """Return the words that say that something is lacking: the first of them."""
    words = scene.of("not", "missing")
    return max((word.mask for word in words if word.start == words[0].start), default=0)


def once(plan: Plan, datasets: Sequence[DatasetFacts]) -> Plan | None:
    """Return a plan that adds up what a join repeats, each row of it once; None if that cannot be."""
    made = counted_once(plan, datasets)
    return None if isinstance(made, Multiplied) or made == plan else made


def multiplied(parts: Parts, repeated: frozenset[str]) -> bool:
    """Return whether a join repeats the amounts that a reading adds up or averages."""
    return any(
        one is not None and one.of is not None and one.function not in _UNHARMED and one.column in repeated
        for one in (parts.measure, parts.second)
    )
