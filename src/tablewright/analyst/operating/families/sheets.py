"""Sheets added, renamed, copied, moved, deleted, hidden."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.operating.cells_said import named, number, quoted
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish

_SHEET = r"\b(?:work)?sheets?\b|\btabs?\b|工作表|表单|子表|sheet"
_NEW = (
    r"\b(?:to|as|into)\s+[\"“'‘]?(?P<en>[^\"”'’,.，。]+?)[\"”'’]?\s*$|(?:为|成|叫做?"
    r"|到)\s*[\"“「]?(?P<zh>[^\"”」,，。]+?)[\"”」]?\s*$"
)
_RENAME = r"\brename\b|重命名|改名|更名|改叫|\bchange the (?:sheet )?name\b|名称改|名字改"
_COPY = r"\b(?:copy|duplicate|clone|back ?up)\b|复制|拷贝|备份|副本"
_DELETE = r"\b(?:delete|remove|drop|get rid of)\b|删除|删掉|移除|去掉|删"
_MOVE = r"\b(?:move|put|place|bring)\b|移动|移到|移至|放到|排到|调到|挪到"
_HIDE = r"\bhide\b|隐藏"
_SHOW = r"\b(?:unhide|show)\b|取消隐藏|显示"
_ADD = r"\b(?:add|create|insert|make|new)\b|新建|新增|添加|增加|插入|创建|加一?[个张]"


def sheet_changes(wish: Wish) -> Read:
    """Read whatever is done to a sheet as a whole."""
    said = wish.scene.said_sheets(wish.text)
    about = wish.has(_SHEET) is not None
    if not about and not said:
        return None
    target = said[0] if said else None
    for pattern, read in ((_RENAME, _renamed), (_COPY, _copied)):
        if wish.has(pattern) and _whole(wish, target, about=about):
            return read(wish, target or (wish.place.sheet if about else ""))
    if (
        wish.has(_MOVE)
        and target
        and wish.has(
            r"\b(?:first|front|start|beginning|last|end|position|before|after)\b|最前|第一|首|前面|最后|末尾"
            r"|第\S个|后面"
        )
    ):
        return _moved(wish, target, said)
    return _others(wish, target, about=about)


def _others(wish: Wish, target: str | None, *, about: bool) -> Read:
    alone = target is not None and _alone(wish, target, about=about)
    if wish.has(_SHOW) and alone:
        return [Op(function="hide", parameters={"sheet": target, "hidden": False})]
    if wish.has(_HIDE) and alone:
        return [Op(function="hide", parameters={"sheet": target})]
    if wish.has(_DELETE) and alone:
        return [Op(function="delete_sheet", parameters={"sheet": target})]
    if (
        wish.has(_DELETE)
        and about
        and target is None
        and wish.has(r"\bsheet\b|工作表")
        and not wish.said()
        and wish.has(
            r"^\W*(?:please |请)?(?:delete|remove|drop|删除|删掉)\s*(?:the |a |this |这个|该"
            r"|一个)?\s*(?:work)?(?:sheet|工作表)"
        )
    ):
        return Lacking(what="sheet", function="delete_sheet")
    return _added(wish, about=about)


def _whole(wish: Wish, target: str | None, *, about: bool) -> bool:
    """Return whether the sheet itself is meant rather than something on it."""
    if about and not wish.has(r"\bcolumn\b|\bheader\b|列|字段"):
        return True
    return target is not None and not wish.said(wish.text.replace(target, " "))


def _alone(wish: Wish, target: str, *, about: bool) -> bool:
    """Return whether the words mention nothing on the sheet."""
    rest = wish.low.replace(target.lower(), " ")
    if re.search(r"\brows?\b|\bcolumns?\b|\bcells?\b|\bduplicat|\bwhere\b|行|列|单元格|重复|空|内容|图|[a-z]\d", rest):
        return False
    if about:
        return True
    here = [name for name in wish.said() if name.lower() not in target.lower()]
    values = any(isinstance(mention, ValueMention) for mention in wish.linked.mentions)
    return target in wish.text and not here and not values and len(re.findall(r"[a-z]+|[\u4e00-\u9fff]", rest)) <= 4


def _new_name(wish: Wish, old: str) -> str | None:
    name = named(wish.text)
    if name and name.lower() != old.lower():
        return name
    called = re.search(
        r"\bcall(?:ed|ing)? (?:it |the copy |this |that )?[\"“']?(?P<name>[A-Z][\w ]*?)[\"”']?\s*(?:$|[,.])", wish.text
    )
    if called is not None:
        return called["name"]
    marks = [mark for mark in quoted(wish.text) if mark.lower() != old.lower()]
    if marks:
        return marks[-1]
    match = re.search(_NEW, wish.text, re.IGNORECASE)
    found = (match["en"] or match["zh"]).strip() if match else None
    return found if found and found.lower() != old.lower() else None


def _renamed(wish: Wish, target: str) -> Read:
    name = _new_name(wish, target)
    if name is None:
        return Lacking(what="name", function="rename_sheet")
    return [Op(function="rename_sheet", parameters={"sheet": target, "name": name})]


def _copied(wish: Wish, target: str) -> Read:
    name = _new_name(wish, target) or _free(wish, target)
    return [Op(function="copy_sheet", parameters={"sheet": target, "name": name})]


def _free(wish: Wish, target: str) -> str:
    number_ = 2
    while f"{target} ({number_})" in wish.scene.sheets:
        number_ += 1
    return f"{target[:26]} ({number_})"


def _moved(wish: Wish, target: str, said: list[str]) -> Read:
    sheets = list(wish.scene.sheets)
    match = re.search(r"\bposition (\d+)|第\s*(\d+|[一二三四五六七八九十])\s*[个张位]", wish.low)
    if match:
        place = number(next(group for group in match.groups() if group))
    elif len(said) > 1:
        others = [name for name in sheets if name != target]
        place = others.index(said[1]) + (2 if wish.has(r"\bafter\b|后面|之后") else 1)
    else:
        place = len(sheets) if wish.has(r"\b(?:last|end|back)\b|最后|末尾") else 1
    return [Op(function="move_sheet", parameters={"sheet": target, "position": place})]


def _added(wish: Wish, *, about: bool) -> Read:
    words = re.sub(r"[\"“「'‘][^\"”」'’]*[\"”」'’]", " ", wish.low)
    if (
        not about
        or not wish.has(_ADD)
        or re.search(
            r"\b(?:transpos\w*|swap|flip|chart|graph|pivot|summary of|sum|total|average|columns?|rows?)\b|转置|图"
            r"|透视|汇总[^，。]*到|列|行|统计|求和|合计|平均",
            words,
        )
    ):
        return None
    name = named(wish.text) or next(iter(quoted(wish.text)), None)
    if name is None:
        match = re.search(
            r"\b(?:add|create|insert|make)\s+(?:a |an |the )?(?:new )?(?P<en>\w+)\s+(?:work)?(?:sheet|tab)\b"
            r"|(?:work)?sheet\s+(?P<en2>[A-Z]\w*)\s*$|(?:新建|新增|添加|创建|增加)(?:一个|一张"
            r"|个)?(?P<zh>[^\s，。的]{1,12}?)(?:工作表|表)",
            wish.text,
        )
        name = next((group for group in match.groups() if group), None) if match else None
    if name is None or name.lower() in {"new", "blank", "empty", "新", "空白", "空"}:
        return Lacking(what="name", function="add_sheet")
    wish.memory.new_sheets.append(name)
    wish.memory.empty_sheet = name
    return [Op(function="add_sheet", parameters={"name": name})]
