"""Splits a wish into the things to be done one after another."""

from __future__ import annotations

import re

from tablewright.analyst.operating.after_a_column import adds_a_column, as_wish, goes_on

_EN = (
    "add|append|insert|delete|remove|drop|erase|sort|order|arrange|rank|filter|show|hide|unhide|highlight|colou?r|"
    "mark|shade|fill|"
    "make|create|draw|plot|chart|graph|build|rename|copy|duplicate|move|merge|unmerge|split|combine|join|concatenate|"
    "replace|change|set|put|write|enter|type|clear|empty|format|bold|italici[sz]e|underline|cent(?:er|re)|align|"
    "freeze|unfreeze|"
    "convert|turn|define|name|calculate|compute|sum|count|total|average|look "
    "up|lookup|transpose|group|pivot|summari[sz]e|"
    "apply|round|find|describe|wrap|adjust|auto[ -]?fit|auto[ "
    "-]?size|widen|resize|restrict|limit|validate|comment|note|label|use|give|turn on|turn off|"
    "keep only|keep|place|formatted as|shown as|displayed as|capitali[sz]e|uppercase|increase|raise|reduce|then "
    "sort|also"
)
_ZH = (
    r"把|将|给|为|对|在(?=[^，。]{0,12}(?:列|行|表|格|后|前|下|上|底|末尾|顶|里|中|[A-Za-z]\d))|新增|增加|添加|加上"
    r"|加一|插入|删除|删掉|去掉|去除|去重|高亮|标红|标黄|标绿|标记|标出|突出|填充|填成|排序|筛选|冻结|"
    "合并|拆分|重命名|改名|隐藏|取消|画|绘制|绘|做一|做个|生成|创建|新建|制作|计算(?!方式|方法|公式)|求|汇总|统计|"
    "替换|清空|清除|设置|设为|加粗|居中|"
    r"转置|复制|移动|用折线|用柱|用饼|用散点|查找|从|按|再按|显示|套用|应用|锁定|保护|算出|写入|建|自动|调整|统一"
    r"|格式为|格式是|格式设|显示为|只显示|[只仅](?:保留|留下)(?!\S{0,3}(?:位|小数|整数))"
)
_VERB = re.compile(
    rf"(?:(?:please|also|finally|lastly|next|afterwards|i want to|you|to|then)\s+)*(?:{_EN})\b|(?:剩下的?"
    rf"|余下的?)?(?:请|再|还|也|又|最后|同时|接着|顺便|帮我|需要|要|先)*(?:{_ZH})",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"\s*[;；。\n]+\s*|(?<=\w):\s+(?=[a-z])|\.\s+(?=[A-Z\u4e00-\u9fff]|$)|\s*[,，、]?\s*(?<![a-z])(?:and then"
    r"|after that|and also|then|and|plus|as well as)\s+"
    r"|\s*[，,、]?\s*(?:然后|接着|之后|并且|而且|同时|(?<![在到的])最后(?!一)|另外|此外|以及|随后|(?<!合)并|且"
    r"|再)(?!集|列)\s*|\s*[，,]\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|(?<!\w)'[^']*'(?!\w)|‘[^’]*’|`[^`]*`|\([^)]*\)|（[^）]*）")
_SORTING = re.compile(r"\b(?:sort|order|arrange)\b|排序|排列|[升降]序", re.IGNORECASE)
_OF_ITS_OWN = re.compile(
    r"(?:透视表|汇总表|统计表|图|图表)$|\b(?:pivot(?: table)?|summary|chart|graph)$", re.IGNORECASE
)
_KEY = re.compile(r"^\s*(?:再|然后)?按|^\s*by\b", re.IGNORECASE)


def clauses(text: str) -> list[str]:
    """Return the parts of a wish in order. A conjunction separates two parts only if verbs of action stand both
    before and after it; text before a colon is a heading."""
    shielded = [match.span() for match in _QUOTED.finditer(text)]
    found: list[str] = []
    start = 0
    for joint in _JOINT.finditer(text):
        if joint.start() < start or any(low <= joint.start() < high for low, high in shielded):
            continue
        before, after = text[start : joint.start()], text[joint.end() :]
        if _parts(joint[0], before, after) or (adds_a_column(text[: joint.start()]) and goes_on(after)):
            found += [] if ":" in joint[0] else [before]
            start = joint.end()
    found.append(text[start:])
    parts = [part.strip(" ,，;；。.!！") for part in found]
    made = next((at for at, part in enumerate(parts) if adds_a_column(part)), len(parts))
    parts = [part if at <= made else as_wish(part) for at, part in enumerate(parts)]
    return [one for part in parts if part for both in _both(part) for one in each_cell(both)]


def _two_objects(verbs: str, first: str, second: str, joint: str = r"\s*(?:,\s*and|,|;|\band)\s+") -> re.Pattern[str]:
    """Return the pattern of one verb with two objects, `a` and `b`, between which `joint` stands."""
    return re.compile(rf"^(?P<verb>(?:please )?(?:{verbs}))\s+(?P<a>{first}){joint}(?P<b>{second})$", re.IGNORECASE)


_LOOK = r"(?:bold|italic|underlined|(?:light |dark )?(?:red|yellow|green|blue|orange|gr[ae]y|purple|pink))"
_BARE_LOOK = re.compile(rf"(?:(?:and|in|with|an?|the|{_LOOK}|text|font|fill|background|letters)[\s,]*)+", re.IGNORECASE)
_SHOWN_AS = r"\s(?:as|with|in|like)\s"
_TWO_OBJECTS = (
    _two_objects("make|mark|turn|paint|set|colou?r", rf".+?\b{_LOOK}", rf".+?\b{_LOOK}"),
    _two_objects("format|show|display", rf".+?{_SHOWN_AS}.+?", rf"(?:(?!{_SHOWN_AS}).)*?[A-Za-z].*?{_SHOWN_AS}.+"),
    _two_objects(
        "delete|remove|hide|unhide", r"(?:the )?rows?\b.+?", r"(?:the )?(?:\w+ )?columns?\b.*", joint=r"\s+and\s+"
    ),
)
"""Looks given to two things, formats of two things, and rows together with columns."""


def _both(part: str) -> list[str]:
    """Split a part whose one verb has two objects: `delete row 5 and the last column`."""
    for pattern in _TWO_OBJECTS:
        match = pattern.match(part)
        if match is not None and not _BARE_LOOK.fullmatch(match["b"]):
            return [f"{match['verb']} {match['a']}", f"{match['verb']} {match['b']}"]
    return [part]


_TARGET = r"(?:cell\s+)?[A-Z]{1,2}\d{1,5}(?:\s*:\s*[A-Z]{1,2}\d{1,5})?"
_PUT = re.compile(
    rf"^(?P<verb>(?:please )?(?:put|write|enter|type|place|show|calculate|compute|insert"
    rf"|set))\s+(?P<rest>.+\b(?:in|into|to|at|as)\s+{_TARGET}\b.*)$",
    re.IGNORECASE,
)
_NEXT = re.compile(rf"(?<=\d)\s*(?:,\s*and|,|;|\band\b)\s+(?=.+?\b(?:in|into|to|at)\s+{_TARGET}\b)", re.IGNORECASE)
_ZH_NEXT = re.compile(
    r"\s*[,，;；、]\s*(?=(?:在|再在|把|将)?\s*[A-Z]{1,2}\d{1,5}\s*(?:单元格)?(?:里|中|处)?\s*(?:填|写|输入|放|设"
    r"|改|显示|为|求|计算))",
    re.IGNORECASE,
)


def each_cell(part: str) -> list[str]:
    """Split a part that writes several cells: `put the total in K2 and the average in K3`, `B3填张伟，D3填财务部`."""
    match = _PUT.match(part)
    if match is not None:
        return [f"{match['verb']} {one}" for one in _NEXT.split(match["rest"]) if one.strip()]
    parts = _ZH_NEXT.split(part)
    return [one if at == 0 or one.startswith(("在", "把", "将", "再")) else f"在{one}" for at, one in enumerate(parts)]


def _parts(joint: str, before: str, after: str) -> bool:
    strong = any(sign in joint for sign in ";；。\n.")
    if not before.strip() or not after.strip() or _GOES_ON.match(after):
        return False
    if strong:
        return True
    if _KEY.match(after) and _SORTING.search(before) and not re.search(r"by (?:month|year)", after):
        return False
    if re.match(r"\s*(?:如果|若|当|凡是|if\b|when\b|where\b)", before) and not re.search(r"[,，]", before):
        return False
    if re.search(r"(?:加|加上|插入|新增|添加|增加)(?:一|1)?个?行$", before.strip()) and re.search(
        r"总和|合计|求和|总计|平均", after
    ):
        return False
    if _belongs(before, after):
        return False
    if _OWN_LOOK.match(after) and (doing(before) or re.search(r"填|写|设|改|补", before)):
        return True
    if _THEN.search(joint) and _VERB.match(after):
        return True
    if not _VERB.match(after) or (_AMOUNT.match(after) and _AMOUNTS.search(before) and "and" in joint.lower()):
        return False
    return doing(before) or _SORTING.search(before) is not None


def _belongs(before: str, after: str) -> bool:
    """Return whether a part says what the part before makes contains, or where it goes."""
    if (_OF_ITS_OWN.search(before) and _KEY.match(after)) or _ITS_PLACE.match(after):
        return True
    return any(made.search(before) and told.match(after) for made, told in _TOLD_AFTER)


_GOES_ON = re.compile(
    r"\s*(?:and\s+)?(?:call|name|title|label) (?:it|this|that|the copy|the (?:new )?(?:column|sheet))\b|\s*(?:并"
    r"|再)?(?:命名为|取名|叫做|名为|列名|表头叫|表头为|表头是|表头写|标题写)|\s*(?:再)?(?:除以|乘以|减去|加上)"
    r"|\s*从\s*\d+\s*开始",
    re.IGNORECASE,
)
"""Beginnings of parts that continue the part before: the name of what it makes, or the rest of a calculation."""
_THEN = re.compile(r"\bthen\b|然后|接着|之后|随后", re.IGNORECASE)
_AMOUNT = re.compile(r"\s*(?:the\s+)?(?:total|sum|count|average)\s+(?!row)", re.IGNORECASE)
_AMOUNTS = re.compile(
    r"\b(?:total|sum|count|average|number)\b(?!.*\b(?:in|into|to|at)\s+[A-Z]{1,2}\d)(?!.* rows?\b)", re.IGNORECASE
)
"""Amounts whose enumeration belongs to one summary."""
_ITS_PLACE = re.compile(
    r"\s*(?:put|place|write|show|save|store|paste|list|output|display)\s+(?:(?:that|it|them|this) there|(?:that|it"
    r"|this|them|those|the (?:results?|counts?|totals?|sums?|summary|output|table))\s+(?:on|in|into|to)\b)"
    r"|\s*(?:并|再)?(?:把|将)?(?:结果|它|其|统计结果|汇总结果)?(?:放到|放在|放入|写到|写入|保存到|存到|输出到|显示在"
    r"|填到)(?!\s*[A-Z]{1,2}\d)",
    re.IGNORECASE,
)
"""Beginnings of parts that say where the result of the part before goes."""
_TOLD_AFTER = (
    (re.compile(r"\brow\b.*\b(?:title|heading)\b|行.*标题|标题.*行", re.IGNORECASE), re.compile(
        r"\s*(?:merged?\b|cent(?:er|re)(?:e?d)?\b|bold\b|合并|居中|加粗)(?!.*\d)", re.IGNORECASE)),
    (re.compile(r"透视|交叉表|\bpivot\b|\bcross-?tab", re.IGNORECASE), re.compile((
        r"\s*(?:统计|汇总|计算|求|值|显示|对|(?:sum|total|count|average|show|use|using)(?:ming|ing)?\b)(?!.*(?:图|列"
        r"|行|工作表|\bcharts?\b|\bcolumns?\b|\brows?\b))"
    ), re.IGNORECASE)),
    (re.compile(r"(?:合计|总计|汇总|求和|平均)行$"), re.compile(
        r"\s*(?:对|求|计算|统计|汇总|合计|把)[^，。]*(?:求和|合计|总计|总和|汇总|相加|平均|数量|金额)?")),
    (re.compile(
        r"(?:加|增|入|建|做)[^，。]{0,6}列[^，。]{0,3}(?:排名|名次)$|(?:排名|名次)列?$"),
        re.compile(r"\s*(?:按|根据|依)")),
)  # fmt: skip
"""What is made, and beginnings of parts that say what it contains."""
_OWN_LOOK = re.compile(
    r"\s*(?:行高|列宽|边框|字号|字体|底色|背景|表头|标题行|首行|文字|数字(?:都|全部|统一|格式)|(?:所有|全部)(?:数字|列"
    r"|行|单元格)).*(?:设|为|加|调|居中|成|粗|自)"
    r"|\s*(?:空白|空缺|缺失|为空|空着)的?[^，,]{0,10}(?:填|设|改|写|补)|\s*[^，,]{1,12}(?:设为|设成|设置为|改成|改为"
    r"|显示为|保留|用|加上?)[^，,]*(?:格式|小数|百分比|货币|千分位|千位|整数|符号)"
    r"|\s*(?:(?:倒数)?第\S{1,2}[名高低位的]|最[高低大小多少])[^，,]*(?:标|涂|填)"
    r"|\s*[^，,]{1,12}(?:前|后|最[高低大小])\s*[\d一二三四五六七八九十]+\s*(?:%|名|个|位|条"
    r"|行)?[^，,]*(?:标[红黄绿蓝橙紫粉灰]|标记|高亮|[红黄绿蓝橙紫粉灰]色)"
)


def doing(text: str) -> bool:
    """Return whether a part says that something is to be done."""
    return _VERB.match(text.strip()) is not None or any(True for _ in re.finditer(_TRIGGER, text))


_TRIGGER = re.compile(rf"\b(?:{_EN})\b|{_ZH}|[升降]序|列出", re.IGNORECASE)


def triggers(text: str) -> list[tuple[int, int]]:
    """Return where the words stand that say that something is to be done."""
    return [match.span() for match in re.finditer(_TRIGGER, text)]
