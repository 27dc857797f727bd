"""Distinguishes clear requests to change a workbook from questions about its data; unclear ones count as questions."""

from __future__ import annotations

import re
import unicodedata

_COLOR = r"(红|黄|绿|蓝|橙|紫|灰|黑|白|粉)(色|底)?"
_PLACE = (
    r"(([一两二三四五六七八九十\d]+|空|整|该|首|末|标题|表头|合计|总计|汇总|小计|新)的?[行列]"
    r"|第[\d一二三四五六七八九十到至-]+[行列]|"
    r"(?<![a-z])[a-z]{1,3}列|工作表|sheet|单元格|批注|边框|数据条|色阶|下拉|数据验证|数据有效性|筛选按钮|条件格式"
    r"|超链接)"
)
_CELL = r"(?<![a-z\d])[a-z]{1,3}\d{1,7}(?![a-z\d])"
_CHART_PLACE = r"在.{0,12}(工作表|工作簿|sheet\d*|表格)(里|中|内|上)?"

_ZH = re.compile(
    "|".join(
        (
            rf"(标|涂|染)(为|成|上|记为|注为)?{_COLOR}",
            rf"(填充|底色|背景色?|字体|文字|颜色)(为|成|改为|改成|设为|设置为|用)?{_COLOR}",
            r"高亮|加粗|斜体|下划线|突出显示|标注颜色",
            r"冻结(首|前|第|窗格|顶|标题|表头)|(首|前|第|标题|表头|窗格).{0,6}冻结",
            rf"(合并|取消合并|拆分)(单元格|.{{0,8}}{_CELL}|.{{0,12}}单元格)",
            (
                rf"(插入|新增|添加|增加|追加|加上?|删除|删掉|删去|去掉|移除|清除|清空|隐藏|取消隐藏|移动"
                rf"|复制).{{0,16}}{_PLACE}"
            ),
            r"(删除|删掉|删去|去掉|移除|清除).{1,24}的(行|列|记录)",
            r"(删除|删掉|去掉|移除|去除|清除)(所有|全部)?重复",
            r"^(请|帮我)?(把|将).{1,24}(删除|删掉|删去|删了|隐藏|清空|移到|挪到|复制到|合并居中|居中)",
            rf"^(请|帮我)?(隐藏|清空|转置|居中|对齐).{{0,8}}({_PLACE}|{_CELL})|自动筛选|取消筛选",
            r"^(请|帮我|把|将|给)?.{0,12}(重命名|改名)",
            (
                rf"(写|填|放|输出|追加)(到|在|进|入).{{0,6}}({_CELL}|(?<![a-z])[a-z]{{1,2}}列|新(的)?(一)?列"
                rf"|新(的)?(一张)?工作表|新(的)?sheet)"
            ),
            rf"在({_CELL}|[a-z]{{1,2}}列)(里|中|上)?(写|填|计算|求|输入|插入)|写(到|在|入)(第.{{1,3}}|最后一)?行",
            rf"{_CELL}.{{0,8}}(改为|改成|设为|设成|填入|填上|写入|写上|输入|设置为|等于|=)",
            r"(把|将).{1,24}(替换成|替换为|换成|改为|改成)",
            (
                r"(把|将|给).{1,24}(设置|设|调整|改)(为|成)(货币|百分比|日期|文本|数字|会计|常规|整数"
                r"|[\d一两二三四]位小数|千分位)"
            ),
            r"(把|将).{0,10}(列宽|行高|字号|字体)(设为|设置为|设成|改为|调为)",
            r"(设置|调整|修改).{0,12}(列宽|行高|字体|字号|边框|对齐|数字格式|单元格格式)|自动(换行|调整列宽)",
            (
                r"(空缺|缺失|空白|空)(值|的)?.{0,12}用.{1,12}(填充|填补|补全|补上)|用.{1,12}(填充|填补"
                r"|补全).{0,8}(空缺|缺失|空白|空)"
            ),
            rf"{_CHART_PLACE}.{{0,6}}(画|创建|插入|生成|添加|做|制作).{{0,16}}图",
            r"(插入|新增|添加|增加|新建)(一|1)?个?(列|工作表|列名|计算列)",
            r"(转|转换|变)(为|成)(超级表|excel表|智能表)|插入数据透视表|(对|给|为|把|将).{1,16}(做|进行)?分列",
            r"按.{1,20}(升序|降序)?(排序|排列)[,，。;；、]?(并|然后|再|后)(高亮|标|加粗|冻结|删除)",
            r"^(请|帮我)?(把|将|对|给).{0,12}(表|表格|工作表|数据|行)按.{1,20}(排序|排列)",
        )
    )
)
_ZH_ASKS = re.compile(
    r"[?？吗呢]|多少|几(个|条|家|次|种|年|月|名|张|人|位|成|倍)|哪|什么|谁|是否|有没有|怎么|如何|为何|请问|分析|统计"
    r"|预测|查询|列出|找出|查找|"
    r"告诉|相关性|占比是|是多|建模|回归|检验"
)

_START = r"(?:^|[.;:\n,]\s*|\b(?:and|then|also|please|you|to)\s+)"
_THING = (
    r"(rows?|columns?|cells?|(work)?sheets?|tabs?|headers?|total row|totals|duplicates?|comments?|notes?|borders?|"
    r"data bars?|colou?r scale|drop-?downs?|data validation|filter buttons?|gridlines|panes?|conditional format(ting)?)"
)
_INTO_BOOK = r"\b(in|on|into|to) (the|this|a new) (work)?(book|sheet)\b"
_EN = re.compile(
    "|".join(
        (
            rf"{_START}(delete|insert|hide|unhide|clear|duplicate)\b.{{0,60}}\b{_THING}\b",
            rf"{_START}(add|append|put|move|copy|remove|drop)\b.{{0,60}}\b{_THING}\b",
            rf"{_START}(highlight|bold|italici[sz]e|underline|unmerge|unfreeze|freeze|autofit|auto-fit)\b",
            (
                rf"{_START}(shade|colou?r|fill)\b.{{0,60}}\b(red|green|yellow|blue|orange|gr[ae]y|purple|pink|white"
                rf"|black)\b"
            ),
            rf"{_START}merge\b.{{0,40}}(\bcells?\b|\b[a-z]{{1,3}}\d+\b)",
            rf"{_START}clear the contents\b|{_START}(draw|add|put) borders\b|{_START}wrap (the )?text\b",
            rf"{_START}make\b.{{0,40}}\b(bold|italic|underlined|centered|wide|wider)\b",
            (
                rf"{_START}(make|set)\b.{{0,30}}\b(column widths?|row heights?)\b"
                rf"|{_START}get rid of\b.{{0,30}}\b(rows?|columns?)\b"
            ),
            rf"{_START}in (column [a-z]{{1,2}}|[a-z]{{1,3}}\d+)\b.{{0,4}}\b(write|put|enter|show|add|sum|count)\b",
            rf"{_START}(sum|count|average|add up|transpose)\b.{{0,40}}\b(in|into|to) (cell )?[a-z]{{1,3}}\d+$",
            rf"{_START}restrict\b.{{0,60}}\bto\b.{{0,40}}\b(numbers?|dates?|list)\b",
            rf"{_START}rename\b.{{0,60}}\bto\b",
            rf"{_START}format\b.{{0,60}}\b(as|with|in|to)\b",
            (
                rf"{_START}set\b.{{0,60}}(\b(width|height|font|background|fill|format|validation)\b"
                rf"|\b[a-z]{{1,3}}\d+\b.{{0,6}}\bto\b)"
            ),
            (
                rf"{_START}(write|enter|type|put)\b.{{0,60}}\b(in|into|to)\b.{{0,12}}(\bcell\b|\b[a-z]{{1,3}}\d+\b"
                rf"|\bcolumn [a-z]{{1,3}}\b)"
            ),
            rf"{_START}replace\b.{{0,80}}\bwith\b",
            rf"{_START}(sort|filter|transpose|convert)\b.{{0,12}}\b(the|this) (sheet|worksheet|rows|range|table)\b",
            rf"{_START}convert (it |the range |the data |this )?(in)?to (a |an )?(excel )?table\b",
            rf"{_START}split\b.{{0,40}}\bat the\b",
            rf"{_START}(add |set |put )?(a )?data validation\b|{_START}look ?up\b.{{0,60}}\bfrom (the )?(work)?sheet\b",
            rf"{_START}(create|draw|insert|add|make)\b.{{0,60}}\b(chart|graph|plot)\b.{{0,30}}{_INTO_BOOK}",
            r"\b(on|in|to|into) (a |another |a separate )new (work)?sheet\b|\b(on|into) a new (work)?sheet\b",
        )
    )
)
_EN_ASKS = re.compile(
    r"\?|(?:^|[.;:\n]\s*)(which|where|when)\b|\b(what|whose|who|how|why|whether|calculate|compute|determine"
    r"|correlat\w*|regression|predict\w*|"
    r"train\w*|models?|hypothes[ie]s|significan\w*|p-value|analy[sz]\w*|distribution|outliers?|visuali[sz]\w*|accuracy"
    r"|(?<!validation )list|"
    r"return|print|output|tell me|give me|show me|find out|identify|explore|perform|evaluate|investigate|assess)\b"
)


def changes_workbook(said: str) -> bool:
    """Return whether `said` clearly asks to change a workbook.

    Questions never do, whatever they mention; a chart counts only if it is to be placed in the workbook.
    """
    words = unicodedata.normalize("NFKC", said).lower().strip()
    if _ZH_ASKS.search(words) or _EN_ASKS.search(words):
        return False
    return bool(_ZH.search(words) or _EN.search(words))
