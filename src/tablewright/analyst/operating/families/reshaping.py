"""Cells merged, columns split and joined, ranges transposed."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted, said_ranges
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.analyst.operating.words import NEW_SHEET
from tablewright.texts.catalogue import text
from tablewright.workbook.areas import letters

_SEPARATORS = (
    ("->", r"->"),
    (",", r"\bcommas?\b|逗号"),
    (";", r"\bsemi-?colons?\b|分号"),
    ("-", r"\b(?:hyphen|dash)(?:es)?\b|连字符|横线|横杠|短横|(?:用|以|按|at|by|on|with)\s*[\"“'‘]?-"),
    ("_", r"\bunderscores?\b|下划线|(?:用|以|按|at|by|on|with)\s*[\"“'‘]?_"),
    ("/", r"\bslash(?:es)?\b|斜杠|(?:用|以|按|at|by|on|with)\s*[\"“'‘]?/"),
    ("|", r"\bpipes?\b|竖线|\|"),
    (":", r"\bcolons?\b|冒号"),
    ("@", r"@|\bat sign"),
    (".", r"\b(?:dot|period|full stop)\b|点号"),
    ("\n", r"\b(?:line breaks?|new ?lines?)\b|换行"),
    (" ", r"\b(?:spaces?|blanks?|whitespace)\b|空格"),
)
_SPLIT = r"\bsplit\b|\bseparate\b(?!d by)|\bbreak (?:up|apart)\b|text to columns|拆分|分列|拆成|分成|分割|拆开"
_JOIN = r"\b(?:combine|concat(?:enate)?|join|merge)\b|合并|连接|拼接|组合|拼成"


def _separator(wish: Wish) -> str | None:
    marks = [mark for mark in quoted(wish.text) if len(mark) <= 3 and not mark.isalnum()]
    if marks:
        return marks[0]
    return next((sign for sign, pattern in _SEPARATORS if wish.has(pattern)), None)


def split(wish: Wish) -> Read:
    """Read the splitting of a column: `split name at the comma into first and last`, `把地址按-拆分成省和市`."""
    if not wish.has(_SPLIT) or wish.has(r"\bpanes?\b|单元格合并"):
        return None
    head = re.split(r"\binto\b|拆分成|拆分为|分成|拆成|分为|成为", wish.text, maxsplit=1)
    columns = wish.said(head[0]) or ([found] if (found := wish.answered()) else [])
    if not columns:
        return Lacking(what="column", function="split_column")
    separator = _separator(wish) or _sampled(wish, columns[0])
    if separator is None:
        return Lacking(what="separator", function="split_column")
    headers = _headers(head[1]) if len(head) > 1 else []
    headers = headers or [f"{columns[0]} {number}" for number in range(1, _parts(wish, columns[0], separator) + 1)]
    return [wish.op("split_column", column=columns[0], separator=separator, headers=headers)]


def _headers(text: str) -> list[str]:
    marks = quoted(text)
    if len(marks) > 1:
        return marks
    cleaned = re.sub(
        r"\b(?:separate|different|two|three|new|the)\b|\bcolumns?\b|\b(?:called|named)\b|两列|三列|列|[:：]|[.。]$"
        r"|\bat the .*|\busing .*|\bby (?:the )?\w+$|，?用.*$",
        " ",
        text,
    )
    parts = [part.strip(" \"'“”‘’") for part in re.split(r"\s*(?:,|，|、|\band\b|&|和|与|及)\s*", cleaned)]
    parts = [part for part in parts if part]
    return parts if len(parts) > 1 and all(len(part) <= 30 for part in parts) else []


def _sampled(wish: Wish, column: str) -> str | None:
    """Return a separator that all samples of the column contain, or None."""
    samples = [str(sample) for sample in (wish.place.fact(column).samples if column in wish.place.names else ())]
    return next(
        (sign for sign in (", ", ",", ";", "|", "/", "-", "_", " ") if samples and all(sign in one for one in samples)),
        None,
    )


def _parts(wish: Wish, column: str, separator: str) -> int:
    samples = [str(sample) for sample in (wish.place.fact(column).samples if column in wish.place.names else ())]
    return max((sample.count(separator) + 1 for sample in samples), default=2) or 2


def join(wish: Wish) -> Read:
    """Read the joining of columns: `combine Name and City into a column Label separated by a space`."""
    if not wish.has(_JOIN) or wish.has(r"\bsheets?\b|工作表|\bcells\b|单元格"):
        return None
    target = named(wish.text) or _target(wish.text)
    text = wish.text.replace(target, " ", 1) if target else wish.text
    columns = [name for name in wish.said(text) if name in wish.place.names]
    if len(columns) < 2 or said_ranges(re.sub(r"[A-Za-z]列", " ", wish.bare)):
        return None
    separator = _separator(wish)
    if separator is None:
        said = re.search(r"(?:用|以)\s*(\S{1,2}?)\s*(?:连接|隔开|分隔|拼接)", wish.text)
        separator = said[1] if said else " " if wish.scene.language == "en" else ""
    header = target or ("".join(columns) if wish.scene.language == "zh" else " ".join(columns))
    return [wish.op("join_columns", columns=columns, separator=separator, header=header)]


def _target(text: str) -> str | None:
    match = re.search(
        r"\binto\s+(?:a |one |the |single )*(?:new )?(?:column )?(?:called "
        r"|named )?[\"“'‘]?([A-Za-z]\w*(?: [A-Z]\w*)?)",
        text,
    )
    if match and match[1].lower() not in {"one", "a", "single", "new", "column"}:
        return match[1]
    match = re.search(r"(?:合并|连接|拼接|组合|拼)(?:成|为|到)(?:一个|一|新的?)?([^\s，。,一列]{1,8})(?:列|$|，)", text)
    return match[1] if match and match[1] not in {"新", "一"} else None


def merge(wish: Wish) -> Read:
    """Read the merging of cells: `merge A1:D1`, `合并A1到D1`."""
    if not wish.has(r"\bmerge\b|合并"):
        return None
    cells = [one for one in wish.ranges() if ":" in one]
    if not cells:
        return Lacking(what="range", function="merge_cells") if wish.has(r"\bcells?\b|单元格|合并$") else None
    wish.memory.target = cells[0]
    steps = [wish.op("merge_cells", range=one) for one in cells]
    if wish.has(r"\bcent(?:er|re)|居中"):
        steps += [wish.op("set_alignment", range=one, horizontal="center") for one in cells]
    return steps


def unmerge(wish: Wish) -> Read:
    """Read the unmerging of cells: `unmerge A1:D1`, `取消合并A1:D1`."""
    if not wish.has(r"\bun-?merge\b|\bsplit merged\b|取消合并|拆分合并|解除合并"):
        return None
    cells = wish.ranges()
    if not cells:
        return Lacking(what="range", function="unmerge_cells")
    return [wish.op("unmerge_cells", range=one) for one in cells]


def transpose(wish: Wish) -> Read:
    """Read a transposition: `transpose A1:B3 to K1`; without a target, it goes two columns right of the table."""
    if not wish.has(r"\btranspose\b|\b(?:swap|flip|switch) (?:the )?rows (?:and|with) columns|转置|行列互换|行列转换"):
        return None
    cells = wish.ranges()
    source = cells[0] if cells and ":" in cells[0] else wish.body()
    sheets = [name for name in wish.scene.said_sheets(wish.text) if name != wish.place.sheet]
    if not sheets and wish.has(NEW_SHEET) and not (len(cells) > 1):
        name = named(wish.text) or next(iter(quoted(wish.text)), None) or text("operating.turned", wish.scene.language)
        return [
            Op(function="add_sheet", parameters={"name": name}),
            wish.op("transpose", range=source, target="A1", target_sheet=name),
        ]
    if len(cells) > 1:
        target = cells[-1].split(":")[0]
    elif sheets:
        target = "A1"
    else:
        target = f"{_beside(wish)}{wish.place.area.first_row}"
    return [wish.op("transpose", range=source, target=target, target_sheet=sheets[0] if sheets else None)]


def _beside(wish: Wish) -> str:
    return letters(wish.place.area.last_column + 2)
