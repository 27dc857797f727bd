"""Formulas over another table: sums and counts per key filled into a column, and values looked up."""

from __future__ import annotations

import re

from tablewright.analyst.linking.text import fold
from tablewright.analyst.operating.columns_named import written_columns
from tablewright.analyst.operating.expressions import arithmetic, criteria, placed
from tablewright.analyst.operating.filters import where
from tablewright.analyst.operating.measures import measured
from tablewright.analyst.operating.new_names import new_name
from tablewright.analyst.operating.scene import Place
from tablewright.analyst.operating.wish import Op, Read, Wish
from tablewright.analyst.operating.words import aggregation
from tablewright.texts.catalogue import text
from tablewright.workbook.formulas import sheet_prefix

_EACH = r"\b(?:per|each|every|by|for the|of the|that|matching|corresponding)\b|每|各|对应|相应|按"
_AWAY = r"\b(?:new|another|separate) (?:work)?sheet|新(?:的)?(?:工作)?表|透视|\bpivot"
_FILLS = (
    r"\b(?:fill|put|add|insert|write|calculate|compute|show|enter|get|use|sum|count|populate)\b|填|写|增加|新增|添加"
    r"|加|计算|统计|求|汇总|放|得出"
)
_NEW = r"\b(?:add|insert|create|new)\b[^.]*\bcolumn\b|(?:新增|增加|添加|加|插入|新建)[^，。]*列|新列"
_CONDITIONAL = {"sum": "SUMIFS", "mean": "AVERAGEIFS", "max": "MAXIFS", "min": "MINIFS", "count": "COUNTIFS"}


def into_table(wish: Wish) -> Read:
    """Read formulas over another table, row by row: `in Summary fill the Total column with the quantity per region`."""
    if not wish.elsewhere or not wish.has(_EACH) or not wish.has(_FILLS) or wish.has(_AWAY):
        return None
    said = wish.scene.said_sheets(wish.text)
    for target in (wish, *wish.elsewhere):
        if target.place.sheet not in said:
            continue
        for source in (wish, *wish.elsewhere):
            found = _filled(target, source) if source.place is not target.place else None
            if found is not None:
                return found
    return None


def _filled(target: Wish, source: Wish) -> Read:
    key = _key(target.place, source.place)
    if key is None:
        return None
    own, other = key
    words = target.text
    for sheet in (target.place.sheet, source.place.sheet):
        words = re.sub(re.escape(sheet), " " * len(sheet), words, flags=re.IGNORECASE)
    columns = [name for name in target.said(words) if name != own and name in target.place.letters]
    new = new_name(target, None) if target.has(_NEW) else None
    added = target.has(_NEW) is not None
    if not columns and not added:
        return None
    formula = _aggregate(source, own, other)
    if formula is None:
        return None
    formula = _set_against(formula, target)
    new = new or (_titled(formula, source, target) if added else None)
    if not columns or (new is not None and new not in target.place.names):
        return [target.op("add_column", header=new or columns[0], formula=formula)]
    row = target.place.rows[0]
    return [target.op("set_formula", range=target.span(columns[0]), formula=placed(formula, target.place, row))]


_AGAINST = re.compile(
    r"(?P<op>\bdivided by\b|/|除以|\bminus\b|\bless\b|-|减去|减)\s*(?:the\s+|its\s+|their\s+)?(?P<name>.+)$",
    re.IGNORECASE,
)


def _set_against(formula: str, target: Wish) -> str:
    """Return the formula divided by a column of the table being filled, or less that, if the words say so."""
    match = _AGAINST.search(target.text)
    said = (
        [name for name in target.numeric(target.said(match["name"])) if name in target.place.letters] if match else []
    )
    if match is None or not said:
        return formula
    return f"{formula}{'/' if match['op'].lower() in {'/', '除以', 'divided by'} else '-'}[{said[0]}]"


def _titled(formula: str, source: Wish, target: Wish) -> str | None:
    """Return a name for a column after what its formula adds up or counts, or None."""
    language = target.scene.language
    column = next((name for name, at in source.place.letters.items() if f"!${at}$" in formula), None)
    if formula.startswith("=COUNTIFS"):
        return text("operating.rows", language)
    kind = next((kind for kind, function in _CONDITIONAL.items() if f"{function}(" in formula), None)
    if column is None or kind not in _TITLES:
        return None
    return f"{column}{' ' if language == 'en' else ''}{text(f'operating.result.{_TITLES[kind]}', language)}"


_TITLES = {"sum": "sum", "mean": "average", "max": "max", "min": "min"}


def _key(target: Place, source: Place) -> tuple[str, str] | None:
    """Return the column common to both tables whose values are unique in the target, under its name in each; None if
    there is none."""
    there = {fold(name): name for name in source.names}
    for name in target.names:
        fact = target.fact(name)
        once = fact.distinct is None or fact.distinct >= target.facts.rows
        if fold(name) in there and once:
            return name, there[fold(name)]
    return None


def _aggregate(source: Wish, own: str, other: str) -> str | None:
    """Return the formula of a row, in which `[own]` is the key's cell in the table being filled; None if the words
    name no aggregate."""
    place = source.place
    prefix = sheet_prefix(place.sheet)
    amounts = [name for name in source.numeric(source.said()) if name in place.letters and name != other]
    kind = aggregation(re.sub(re.escape(fold(own)), " ", source.low)) or ("sum" if amounts else None)
    if kind not in _CONDITIONAL:
        return None
    found = where(source)
    tests = [test for test in found["tests"] if test["column"] != other] if found else []
    amounts = [name for name in amounts if name not in {test["column"] for test in tests}]
    if kind == "count" and amounts and re.search(r"\bquantity\b|数量", source.low):
        kind = "sum"
    if kind != "count" and not amounts:
        amounts = measured(source) if len(measured(source)) == 1 else []
        if not amounts:
            return None
    pairs = criteria({"tests": tests, "match": "all"}, source, prefix) if tests else ""
    if pairs is None:
        return None
    cells = "" if kind == "count" else f"{prefix}{place.fixed(amounts[0])},"
    more = f",{pairs}" if pairs else ""
    formula = f"{_CONDITIONAL[kind]}({cells}{prefix}{place.fixed(other)},[{own}]{more})"
    return f'=IFERROR({formula},"")' if kind == "mean" else f"={formula}"


def with_looked_up(words: str, wish: Wish) -> str | None:
    """Return arithmetic in which columns of other tables are looked up by a key, or None: `Hours times the rate of
    the grade`."""
    place, found = wish.place, dict[str, str]()
    low = fold(words)
    for other in wish.elsewhere:
        for name in other.place.names:
            if len(name) < 2 or name in place.names or name in found or not written_columns(low, {name, f"{name}s"}):
                continue
            pair = _shared(place, other.place, name)
            if pair is not None:
                found[name] = _match(other.place, name, *pair, same=other.place.sheet == place.sheet)
                place = place.with_column(name)
    formula = arithmetic(_without_keys(words, wish, found), place) if found else None
    if formula is None or not any(f"[{name}]" in formula for name in found):
        return None
    for name, cells in found.items():
        formula = formula.replace(f"[{name}]", cells)
    return formula


def _without_keys(words: str, wish: Wish, found: dict[str, str]) -> str:
    """Return the text without the keys that stand before columns looked up (`the owner's`, `对应区域的`) and without
    the sheets that these come from."""
    for sheet in wish.scene.sheets:
        source = (
            rf"\b(?:from|in|on)\s+(?:the\s+)?(?:sheet\s+)?{re.escape(sheet)}(?:\s+(?:sheet|tab))?|(?:从|用"
            rf"|在)?{re.escape(sheet)}(?:工作表|表)?(?:中|里)的?"
        )
        words = re.sub(source, " ", words, flags=re.IGNORECASE)
    keys = "|".join(re.escape(name) for name in wish.place.names)
    for name in found:
        before = (
            rf"(?:\b(?:the|each|every|its|their)\s+)?(?:\b(?:{keys})['’]s?\s+|(?:对应|相应|所属|所在|该|各"
            rf"|每个)+的?(?:{keys})?的?|(?:{keys})的)(?={re.escape(name)})"
        )
        words = re.sub(before, " ", words, flags=re.IGNORECASE)
        words = re.sub(
            rf"\b(?:the\s+)?({re.escape(name)})\s+(?:of|for)\s+(?:the|each|its|that)\s+(?:{keys})\b",
            r"\1",
            words,
            flags=re.IGNORECASE,
        )
    return words


def _shared(place: Place, other: Place, wanted: str) -> tuple[str, str] | None:
    there = {fold(name): name for name in other.names if name != wanted}
    return next(((name, there[fold(name)]) for name in place.names if fold(name) in there), None)


def _match(other: Place, name: str, own: str, key: str, *, same: bool) -> str:
    prefix = "" if same else sheet_prefix(other.sheet)
    return f"INDEX({prefix}{other.fixed(name)},MATCH([{own}],{prefix}{other.fixed(key)},0))"


def beside(wish: Wish) -> Read:
    """Read a lookup into cells that are named: `in E2:E7 look up the rate of the grade`; the other table may be on
    the same sheet."""
    if (
        not wish.has(r"\blook ?-?up\b|\bvlookup|\bxlookup|\bindex\b|\bfetch\b|\bget the\b|查找|匹配|查出|取")
        or not wish.elsewhere
    ):
        return None
    column = re.search(
        r"\b(?:in|into)\s+(?:cells?\s+)?(?P<cells>[A-Z]{1,2}\d+(?::[A-Z]{1,2}\d+)?)"
        r"|在\s*(?P<zh>[A-Z]{1,2}\d+(?::[A-Z]{1,2}\d+)?)",
        wish.text,
    )
    if column is None:
        return None
    cells = column["cells"] or column["zh"]
    for other in wish.elsewhere:
        name = next(
            (
                one
                for one in other.place.names
                if one not in wish.place.names and re.search(rf"(?<!\w){re.escape(fold(one))}(?!\w)", wish.low)
            ),
            None,
        )
        pair = _shared(wish.place, other.place, name) if name else None
        if name is not None and pair is not None:
            formula = "=" + _match(other.place, name, *pair, same=other.place.sheet == wish.place.sheet)
            row = int(re.sub(r"\D", "", cells.split(":")[0]))
            step: Op = wish.op("set_formula", range=cells, formula=placed(formula, wish.place, row))
            return [step]
    return None
