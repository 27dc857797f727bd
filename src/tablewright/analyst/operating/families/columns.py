"""Columns renamed, deleted, or changed in place."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.expressions import of_one_column
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.workbook.areas import parse_area

_RENAME = re.compile(
    r"\brename\s+(?:the\s+)?(?:column\s+|header\s+|field\s+)?(?P<en>.+?)\s+(?:column\s+|header\s+)?(?:to|as"
    r"|into)\s+(?P<new>.+)$"
    r"|\bchange\s+(?:the\s+)?(?:column name|column header|header|name of (?:the )?column|title of column)\s*(?:of"
    r"|from)?\s*(?P<en2>.+?)\s+(?:to|into)\s+(?P<new2>.+)$"
    r"|(?:将|把)?(?P<zh>.+?)(?:这一)?(?:列|字段)?(?:的)?(?:列名|表头|标题|名称|名字)?(?:重命名为|重命名成|改名为"
    r"|改名叫|改名成|更名为|改名|列名改为|表头改为|列名改成|表头改成|改叫)\s*(?P<new3>.+)$",
    re.IGNORECASE,
)
_DELETE = r"\b(?:delete|remove|drop|erase|get rid of)\b|删除|删掉|去掉|移除|删"
_KEEP = r"\b(?:keep|retain|leave) (?:only|just)\b|\bonly (?:keep|retain)\b|(?:只|仅)保留|(?:只|仅)留"
_COLUMN = r"\bcol(?:umn)?s?\b|\bfields?\b|列|字段"


def rename(wish: Wish) -> Read:
    """Read a new name for a column, which is written into the header cell: `rename the column Salary to Pay`."""
    match = _RENAME.search(wish.text)
    if match is None or wish.has(r"\b(?:work)?sheet\b|\btab\b|工作表"):
        return None
    old = next(group for group in (match["en"], match["en2"], match["zh"]) if group)
    new = next(group for group in (match["new"], match["new2"], match["new3"]) if group)
    column = next(iter(wish.said(old)), None)
    if column is None or wish.place.region.header_rows is None:
        return None
    marks = quoted(new)
    name = marks[0] if marks else new.strip(" \"'“”‘’.。")
    cell = f"{wish.letters_of(column)}{wish.place.region.header_rows[1]}"
    wish.memory.columns.append(name)
    return [wish.op("set_values", range=cell, values=[[name]])]


_COLUMN_GONE = (
    r"\b(?:delete|remove|drop|erase|get rid of)\b"
    r"(?:(?!\b(?:in|from|of|within|where|leaving|that|which)\b).){0,80}?\b(?:col(?:umn)?s?|fields?)\b"
)
"""Words for deleting the column itself rather than something in it."""


def delete(wish: Wish) -> Read:
    """Read the deletion of columns: `delete columns C to E`, `删除手机和入职日期两列`."""
    if wish.has(_KEEP) and wish.has(_COLUMN) and (kept := wish.said()):
        gone = [name for name in wish.place.names if name not in kept]
        return [wish.op("delete_columns", columns=gone)] if gone else None
    if not wish.has(_DELETE) or not wish.has(_COLUMN) or wish.has(r"字|\brows?\b|行|\bduplicat|重复|content|内容"):
        return None
    if wish.text.isascii() and not wish.has(_COLUMN_GONE):
        return None
    if wish.has(r"\b(?:empty|blank) columns?|空白?列"):
        empty = [name for name in wish.place.names if wish.place.fact(name).kind == "empty"]
        return [wish.op("delete_columns", columns=empty)] if empty else None
    columns = wish.said()
    if not columns:
        found = wish.answered()
        if found is None:
            return Lacking(what="column", function="delete_columns")
        columns = [found]
    return [wish.op("delete_columns", columns=columns)]


_CASES = (
    ("UPPER", ".str.upper()"),
    ("LOWER", ".str.lower()"),
    ("PROPER", ".str.title()"),
    ("TRIM", ".str.split().str.join(' ')"),
)


def formatted(wish: Wish) -> Read:
    """Read a change of a column's texts to another case, or their trimming: by code in place, or by a formula in a
    new column if one is wanted."""
    if not wish.has(
        r"\bupper ?case|\blower ?case|\bproper case|title case|\bcapitali[sz]e|\btrim\b|大写|小写|首字母大写"
        r"|(?:去除|去掉|删除|清除)[^。]*空格"
    ):
        return None
    how = of_one_column(wish.text, wish)
    if how is None:
        return Lacking(what="column", function="add_column")
    source = re.search(r"\[([^\[\]]+)\]", how)
    function = re.match(r"=([A-Z]+)", how)
    if source is None or function is None:
        return None
    base = source[1]
    if wish.has(r"\bnew column|\bcolumn (?:called|named)|\banother column|新列|新的?一列|新增|添加|增加"):
        name = named(wish.text) or f"{base} {function[1].lower()}"
        return [wish.op("add_column", header=name, formula=how)]
    method = next((code for known, code in _CASES if known == function[1]), None)
    return [_in_place(wish, base, method)] if method else None


def _in_place(wish: Wish, column: str, method: str) -> Op:
    code = f"texts = df[{column!r}]\nresult = texts.where(texts.isna(), texts.astype(str){method}).to_frame()"
    target = wish.place.span(column, header=True)
    return wish.op("run_python", code=code, range=wish.body(), target=target)


def copied(wish: Wish) -> Read:
    """Read the copying of a column's values, not formulas: `copy column E to column J`, `transfer the date from
    column G to column K when there is one`."""
    match = re.search(
        r"\b(?:copy|transfer|move|put|bring|write)\b(?P<a>[^.]*?)\b(?:to|into"
        r"|in)\s+(?:the\s+)?(?P<b>col(?:umn)?\s+\w+)|(?:将|把)(?P<za>.+?)(?:的值|的内容)?(?:复制|拷贝|抄|写"
        r"|填)(?:到|至|入)(?P<zb>[^，。]+)",
        wish.text, re.IGNORECASE,
    )  # fmt: skip
    source = wish.said(match["a"] or match["za"]) if match else []
    target = wish.said(match["b"] or match["zb"]) if match else []
    source = [name for name in source if name in wish.place.letters]
    if len(source) != 1 or len(target) != 1 or source == target:
        return None
    return [_copy(wish, source[0], target[0])]


_PRESENT = (
    r"\b(?:when|if|where|only)\b[^.]*\b(?:present|is a|exists?|not (?:empty|blank)|filled)|非空|不为空|有值|有日期"
)


def _copy(wish: Wish, source: str, target: str) -> Op:
    """Return the code step that copies one column's values to another; cells with an empty source are kept if that
    is wanted."""
    if target not in wish.place.letters:
        first, last = wish.place.rows
        head = wish.place.region.header_rows
        cells = f"{target}{head[1] if head else first}:{target}{last}"
        return wish.op("run_python", code=f"result = df[[{source!r}]]", range=wish.body(), target=cells)
    values = f"df[{source!r}]"
    kept = f"{values}.where({values}.notna(), df[{target!r}])" if wish.has(_PRESENT) else values
    cells = wish.place.span(target, header=True)
    return wish.op("run_python", code=f"result = {kept}.to_frame({target!r})", range=wish.body(), target=cells)


_CHARACTERS = (
    (r"(?:non-?numeric|non-?digit|everything (?:except|but) (?:the )?(?:numbers|digits))|非数字", r"[^0-9.\-]"),
    (r"(?:alphabetic(?:al)?|letters?|alphabets?) ?(?:characters?)?|字母", r"[A-Za-z]"),
    (r"(?:special characters|punctuation|symbols)|特殊字符|标点", r"[^\w\s]"),
    (r"(?:numbers|digits|numeric characters)|数字", r"[0-9]"),
    (r"(?:line breaks|new ?lines)|换行符", r"[\r\n]"),
)


def stripped(wish: Wish) -> Read:
    """Read the removal of a kind of characters from texts: `delete alphabetic characters from column B`; what
    remains of a number becomes one."""
    if not wish.has(r"\b(?:remove|delete|strip|eliminate|drop|take out)\b|去掉|去除|删除|清除"):
        return None
    found = next(
        (
            code
            for words, code in _CHARACTERS
            if wish.has(
                rf"(?:\b(?:all|any|the|every)\s+)?(?:{words})\s+(?:from|in|within|of|out of)\b|(?:中"
                rf"|里)的?(?:所有)?(?:{words})"
            )
        ),
        None,
    )
    columns = [name for name in wish.said() if name in wish.place.letters]
    if found is None or not columns:
        return None
    lines = [
        "import re",
        "",
        "def cleaned(cell):",
        "    if not isinstance(cell, str):",
        "        return cell",
        f"    text = re.sub({found!r}, '', cell).strip()",
        "    return int(text) if re.fullmatch('-?[0-9]+', text) and text != cell.strip() else text",
        "",
        "result = df.iloc[:, [0]].map(cleaned)",
    ]
    cells = _whole_column(wish, columns[0])
    if cells != wish.place.span(columns[0], header=True):
        lines.append("result.columns = [str(cleaned(name)) for name in result.columns]")
    return [wish.op("run_python", code="\n".join(lines), range=cells, target=cells)]


def _whole_column(wish: Wish, column: str) -> str:
    """Return the range of a column in the table, or in the whole sheet if several tables are stacked on it."""
    used = wish.scene.sheet(wish.place.sheet).used
    several = [place for place in wish.scene.places if place.sheet == wish.place.sheet]
    if len(several) > 1 and used is not None and column == wish.letters_of(column):
        area = parse_area(used)[1]
        return f"{column}{area.first_row}:{column}{area.last_row}"
    return wish.place.span(column, header=True)
