"""Other published workflows, generated: what a large organisation has beside those that the utterances are for.

Each is a deed done to a subject. The deeds are those of the labelled workflows, among others, so that they are near
misses; none of the subjects is one of theirs.
"""

from __future__ import annotations

import itertools
import random

from benchmarks.routing_data import PublishedWorkflow

SUBJECTS = (
    ("patient record", "病历"),
    ("lab sample", "实验样本"),
    ("prescription", "处方"),
    ("library loan", "图书借阅"),
    ("exam result", "考试成绩"),
    ("scholarship", "奖学金"),
    ("dormitory place", "宿舍床位"),
    ("insurance policy", "保单"),
    ("mortgage", "房贷"),
    ("hotel guest list", "住客名单"),
    ("flight crew roster", "机组排班"),
    ("parking space", "停车位"),
    ("greenhouse sensor", "温室传感器"),
    ("crop harvest", "农作物收成"),
    ("vaccine lot", "疫苗批号"),
    ("museum exhibit", "馆藏展品"),
    ("film right", "影视版权"),
    ("apartment lease", "公寓租约"),
    ("building permit", "施工许可"),
    ("fire inspection", "消防检查"),
    ("donation", "捐赠"),
    ("volunteer", "志愿者"),
    ("research grant", "科研基金"),
    ("patent", "专利"),
    ("court case", "诉讼案件"),
    ("drone survey", "无人机测绘"),
    ("drill core", "岩心"),
    ("water meter", "水表"),
    ("power outage", "停电"),
    ("taxi driver", "出租车司机"),
    ("restaurant menu", "餐厅菜单"),
    ("banquet", "宴席"),
    ("game server", "游戏服务器"),
    ("podcast episode", "播客节目"),
    ("pet adoption", "宠物领养"),
    ("ballot", "选票"),
    ("gym membership", "健身会员"),
    ("school bus route", "校车路线"),
    ("bee hive", "蜂箱"),
    ("satellite pass", "卫星过境"),
)
DEEDS = (
    ("look up", "查询", "Shows the current state of a {}.", "查看{}的当前状态。"),
    ("register", "登记", "Registers a new {} with all particulars.", "登记新的{}及其资料。"),
    ("cancel", "取消", "Cancels a {} and tells those concerned.", "取消{}并通知相关人员。"),
    ("approve", "审批", "Sends a {} for approval.", "把{}提交给主管审批。"),
    ("monthly report on", "月报", "Sums up every {} of the month in a report.", "汇总本月的{}并生成月报。"),
    ("remind of", "提醒", "Sends a reminder of each {} that is due.", "对到期的{}发送提醒。"),
    ("archive", "归档", "Moves a closed {} to the archive.", "把已结束的{}归档。"),
    ("compare", "对比", "Compares two versions of a {}.", "对比{}的两个版本。"),
    ("import", "导入", "Imports each {} from a file.", "从文件导入{}。"),
    ("verify", "核验", "Checks that a {} is genuine.", "核验{}的真伪。"),
    ("assign", "分派", "Assigns a {} to a colleague.", "把{}分派给同事。"),
    ("schedule", "排期", "Puts a {} on the calendar.", "为{}安排日程。"),
    ("print", "打印", "Prints a {} with its labels.", "打印{}及标签。"),
    ("translate", "翻译", "Translates the texts of a {}.", "翻译{}的文字。"),
    ("audit", "审计", "Audits each {} of the year.", "审计全年的{}。"),
    ("merge", "合并", "Merges a {} that was entered twice.", "合并重复录入的{}。"),
    ("forecast", "预测", "Forecasts the number of each {} of next year.", "预测明年的{}数量。"),
    ("renew", "续期", "Renews a {} before it ends.", "在到期前为{}续期。"),
    ("share", "共享", "Shares a {} with another department.", "把{}共享给其他部门。"),
    ("repair", "修复", "Repairs a {} whose entries are wrong.", "修复录入有误的{}。"),
    ("transfer", "转移", "Transfers a {} to another place.", "把{}转移到别处。"),
    ("price", "定价", "Sets the price of a {}.", "设定{}的价格。"),
    ("invoice", "开票", "Writes an invoice for a {}.", "为{}开具发票。"),
    ("photograph", "拍照", "Takes and files photographs of a {}.", "为{}拍照存档。"),
)
EN_ASKS = ("{deed} the {subject}", "please {deed} a {subject} for me", "I want to {deed} my {subject}")
ZH_ASKS = ("{deed}{subject}", "帮我{deed}一下{subject}", "我要{deed}{subject}")


def crowd(count: int) -> tuple[PublishedWorkflow, ...]:
    """Return `count` of them, at most 960, in an order that is always the same; every other one is Chinese."""
    pairs = list(enumerate(itertools.product(SUBJECTS, DEEDS)))
    random.Random(12).shuffle(pairs)
    return tuple(_workflow(number, *pair, zh=place % 2 == 0) for place, (number, pair) in enumerate(pairs[:count]))


def _workflow(number: int, subject: tuple[str, str], deed: tuple[str, str, str, str], *, zh: bool) -> PublishedWorkflow:
    noun, verb = (subject[1], deed[1]) if zh else (subject[0], deed[0])
    return PublishedWorkflow(
        id=f"crowd-{number:03}",
        name=f"{noun}{verb}" if zh else f"{verb.capitalize()} {noun}",
        description=deed[3 if zh else 2].format(noun),
        utterances=tuple(ask.format(deed=verb, subject=noun) for ask in (ZH_ASKS if zh else EN_ASKS)),
    )
