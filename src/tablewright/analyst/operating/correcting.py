"""Revises a plan that a person rejected with words of correction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import number, said_color
from tablewright.analyst.operating.families.charts import KINDS
from tablewright.analyst.operating.reading import Outcome, read_wishes
from tablewright.analyst.operating.scene import Scene
from tablewright.analyst.operating.wish import Lacking, Memory, Op
from tablewright.data.base import ValueLookup
from tablewright.domain.rounds import OperationPlan
from tablewright.domain.task import RejectedPlan

_NOT = re.compile(
    r"(?:\b(?:do not|don't|dont|not|no|without|skip|never|leave out|forget|instead of)\b|不要|别|不用|不必|无需|不需要|去掉计划里的|取消)\s*(?P<what>[^,，。;；.]*?)(?=\s*(?:[,，。;；.]|\bbut\b|\bjust\b|\bonly\b|\binstead\b|而是|只|$))",
    re.IGNORECASE,
)
_FAMILIES: tuple[tuple[str, str], ...] = (
    (r"delet|remov|drop|删|去掉|去除", r"delete_|remove_|clear"),
    (r"chart|graph|plot|draw|图", r"chart"),
    (r"sort|order|排", r"sort_"),
    (r"highlight|colou?r|mark|标|高亮|颜色|色", r"highlight|set_fill|conditional"),
    (r"column|列", r"column"),
    (r"sheet|工作表|新表", r"sheet|summarize"),
    (r"total|合计|总计", r"set_formula|set_values"),
    (r"format|格式", r"format"),
    (r"bold|加粗", r"set_font"),
    (r"border|边框", r"border"),
    (r"filter|hide|筛选|隐藏", r"filter|hide"),
    (r"freeze|冻结", r"freeze"),
    (r"duplicat|重复", r"duplicat"),
)  # fmt: skip
_NUM = r"\d+|[一二两三四五六七八九十]|one|two|three|four|five|six|seven|eight|nine|ten"
_COUNT = re.compile(rf"\b(?:top|bottom|first|only|just)\s+(?:the\s+)?(?:top\s+)?(?P<n>{_NUM})\b|前\s*(?P<zh>{_NUM})")


async def corrected(question: str, rejected: Sequence[RejectedPlan], scene: Scene, values: ValueLookup) -> Outcome:
    """Return the outcome of the wish after all corrections, in order; each corrects the plan left by the one before."""
    outcome = await read_wishes(question, scene, values)
    plan: list[Op] = _ops(rejected[0].plan) or outcome.ops
    for at, one in enumerate(rejected):
        plan = (_ops(one.plan) or plan) if at else plan
        outcome = await _correct(plan, one.words, question, scene, values)
        plan = outcome.ops
    return outcome


def _ops(plan: OperationPlan) -> list[Op]:
    return [Op(function=step.function, parameters=dict(step.parameters)) for step in plan.steps]


async def _correct(plan: list[Op], words: str, question: str, scene: Scene, values: ValueLookup) -> Outcome:
    if not words.strip():
        return Outcome(ops=[], lacking=Lacking(what="change", function="set_values"))
    dropped = _dropped(plan, words)
    kept = [op for op in plan if op not in dropped]
    rest = _NOT.sub(" ", words).strip(" ,，。;；.")
    changed, touched = _adjusted(kept, rest)
    if touched:
        return Outcome(ops=changed)
    added = await _read(rest, dropped or plan, scene, values) if rest else Outcome()
    if added.ops:
        also = re.search(r"\balso\b|\bas well\b|\btoo\b|\badd\b|还|也|再加|另外|同时", fold(rest)) is not None
        return Outcome(ops=[*kept, *added.ops] if dropped or also else added.ops)
    if dropped and kept:
        return Outcome(ops=kept)
    again = await read_wishes(f"{question} {rest}", scene, values)
    if again.ops and again.ops != plan:
        return again
    return Outcome(lacking=Lacking(what="change", function="set_values"))


def _dropped(plan: list[Op], words: str) -> list[Op]:
    """Return the steps that the words reject."""
    found: list[Op] = []
    for match in _NOT.finditer(fold(words)):
        for said, functions in _FAMILIES:
            if re.search(said, match["what"]):
                found += [op for op in plan if re.search(functions, op.function) and op not in found]
    return found


async def _read(rest: str, plan: Sequence[Op], scene: Scene, values: ValueLookup) -> Outcome:
    """Read what is wanted instead, for the rows and columns of the steps in `plan`."""
    memory = Memory()
    for op in plan:
        memory.where = op.parameters.get("where") or memory.where
        memory.target = op.parameters.get("range") or memory.target
        column = op.parameters.get("column") or op.parameters.get("top_column")
        memory.columns = [column] if isinstance(column, str) else memory.columns
    text = re.sub(r"^(?:but|just|only|rather|please|而是|只|只要|仅|改为|请)\s*", "", rest, flags=re.IGNORECASE)
    color = said_color(text)
    outcome = await read_wishes(text, scene, values, memory)
    if outcome.ops or memory.where is None or color is None:
        return outcome
    sheet = plan[0].parameters.get("sheet")
    given: dict[str, Any] = {"sheet": sheet, "where": memory.where, "color": color}
    return Outcome(ops=[Op(function="highlight_cells", parameters=given)])


def _adjusted(plan: list[Op], words: str) -> tuple[list[Op], bool]:
    """Return the plan with the details that the words change (count, kind of chart, colour, direction), and whether
    any step changed."""
    low = fold(words)
    changes: dict[str, Any] = {}
    if match := _COUNT.search(low):
        changes["count"] = number(match["n"] or match["zh"])
    kind = next((name for name, pattern in KINDS if re.search(pattern, low)), None)
    if kind is not None:
        changes["type"] = kind
    if color := said_color(words):
        changes["color"] = color
    if direction := re.search(
        r"(?P<down>\bdesc\w*|降序|从大到小|从高到低|high to low)|\basc\w*|升序|从小到大|从低到高|low to high", low
    ):
        changes["descending"] = direction["down"] is not None
    found = [_changed(op, changes) for op in plan]
    return found, any(new != old for new, old in zip(found, plan, strict=True))


def _changed(op: Op, changes: dict[str, Any]) -> Op:
    given = dict(op.parameters)
    if "count" in changes and "top_column" in given:
        given["top_count"] = changes["count"]
    if (
        "count" in changes
        and op.function in {"identify_top", "conditional_format"}
        and ("count" in given or op.function == "identify_top")
    ):
        given["count"] = changes["count"]
    if "type" in changes and op.function == "create_chart":
        given["type"] = changes["type"]
    if (
        "color" in changes
        and op.function in {"highlight_cells", "set_fill", "set_font"}
        and (op.function != "set_font" or "color" in given)
    ):
        given["color"] = changes["color"]
    if "descending" in changes and op.function == "sort_rows":
        given["by"] = [{**key, "descending": changes["descending"]} for key in given["by"]]
    return replace(op, parameters=given)
