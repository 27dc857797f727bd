"""Details of a plan that a few words change: a count, a colour, a direction, the kind of a chart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.cells_said import number, said_color, said_colors
from tablewright.analyst.operating.families.charts import KINDS
from tablewright.analyst.operating.wish import Op

Span = tuple[int, int]
_NUM = r"\d+|[一二两三四五六七八九十]|one|two|three|four|five|six|seven|eight|nine|ten"
_COUNT = re.compile(rf"\b(?:top|bottom|first|only|just)\s+(?:the\s+)?(?:top\s+)?(?P<n>{_NUM})\b|前\s*(?P<zh>{_NUM})")
_DIRECTION = re.compile(
    r"(?P<down>\bdesc\w*|降序|从大到小|从高到低|high to low)|\basc\w*|升序|从小到大|从低到高|low to high"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One detail as said: its name, its value, and where the words stand."""

    name: str
    value: Any
    span: Span


def details_of(words: str) -> list[Detail]:
    """Return the details that the words give."""
    low = fold(words)
    found: list[Detail] = []
    if match := _COUNT.search(low):
        found.append(Detail(name="count", value=number(match["n"] or match["zh"]), span=match.span()))
        if match[0].startswith(("top", "bottom")):
            found.append(Detail(name="largest", value=match[0].startswith("top"), span=match.span()))
    for kind, pattern in KINDS:
        if match := re.search(pattern, low):
            found.append(Detail(name="type", value=kind, span=match.span()))
            break
    if color := said_color(words):
        said = said_colors(words)[0][0]
        at = words.find(said)
        found.append(Detail(name="color", value=color, span=(at, at + len(said))))
    if match := _DIRECTION.search(low):
        found.append(Detail(name="descending", value=match["down"] is not None, span=match.span()))
    return found


def takes(op: Op, detail: Detail) -> bool:
    """Return whether a step has this detail."""
    given = op.parameters
    match detail.name:
        case "count" | "largest":
            return (
                "top_column" in given or op.function == "identify_top"
                or (detail.name == "count" and op.function == "conditional_format" and "count" in given)
            )  # fmt: skip
        case "type":
            return op.function == "create_chart"
        case "color":
            return op.function in {"highlight_cells", "set_fill"} or (op.function == "set_font" and "color" in given)
        case _:
            return op.function == "sort_rows"


def changed(op: Op, details: Sequence[Detail]) -> Op:
    """Return the step with the details that it takes."""
    given = dict(op.parameters)
    for detail in details:
        if not takes(op, detail):
            continue
        if detail.name == "descending":
            given["by"] = [{**key, "descending": detail.value} for key in given["by"]]
        elif detail.name == "count" and "top_column" in given:
            given["top_count"] = detail.value
        elif detail.name != "largest" or detail.value is not given.get("largest", True):
            given[detail.name] = detail.value
    return replace(op, parameters=given)
