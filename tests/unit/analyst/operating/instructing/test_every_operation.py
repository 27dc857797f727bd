"""Every operation on a workbook is reached by plain words, in both languages."""

from __future__ import annotations

import pytest
from tests.unit.analyst.operating.instructing.shop import reading

from tablewright.analyst.operating.instructing import trust_of
from tablewright.domain.operations import operations
from tablewright.domain.operations.decoding import decode

_WORDS = {
    "set_values": ("put 5 in D3", "把D3改成5"),
    "set_formula": ("write =SUM(D2:D31) in D33", "在C33写入=SUM(C2:C31)"),
    "add_column": ("add a column Profit = Price minus Cost", "加一列“应退”=押金-罚款"),
    "fill_down": ("fill down E2:E31", "把E2向下填充到E31"),
    "find_replace": ("replace “racer” with “sprinter” in Bike", "把类别列里的小说替换成故事"),
    "clear": ("clear D2:D31", "清空C2:C31"),
    "insert_rows": ("insert 2 rows above row 4", "在第4行上方插入2行"),
    "delete_rows": ("delete row 7", "删除第7行"),
    "insert_columns": ("insert a column before Price", "在押金前面插入一列"),
    "delete_columns": ("delete the Cost column", "删掉备注这列"),
    "move_columns": ("move the Price column before Bike", "把押金移到类别前面"),
    "set_tab_color": ("make the Repairs tab blue", "把借阅的标签改成红色"),
    "set_page_setup": ("print landscape, one page wide", "打印设成横向，每页都要带表头"),
    "protect_sheet": ("protect this sheet", "把借阅表保护起来，不用设密码"),
    "add_sheet": ("add a sheet named Archive", "新建一个工作表叫“存档”"),
    "delete_sheet": ("delete the sheet Phones", "删除通讯录这个工作表"),
    "rename_sheet": ("rename the sheet Repairs to Jobs", "把工作表借阅改名为“旧账”"),
    "copy_sheet": ("copy the sheet Repairs, called Jobs", "复制借阅工作表，命名为“备份”"),
    "move_sheet": ("move the sheet Phones to the front", "把通讯录移到最前面"),
    "merge_cells": ("merge A33:C33", "合并A33:C33"),
    "unmerge_cells": ("unmerge A33:C33", "取消合并A33:C33"),
    "freeze_panes": ("freeze the header row", "冻结首行"),
    "set_column_width": ("set the width of column B to 20", "把类别列的列宽设为20"),
    "set_row_height": ("set the height of row 1 to 30", "把第1行行高设为30"),
    "hide": ("hide the Cost column", "隐藏罚款列"),
    "sort_rows": ("sort by Price descending", "按罚款降序排序"),
    "filter_rows": ("show only rows where State is open", "筛选出类别是小说的行"),
    "auto_filter": ("add filter buttons", "加上筛选按钮"),
    "remove_duplicates": ("remove duplicates", "去重"),
    "fill_missing": ("fill the blanks in Cost with 0", "把备注里没填的填上“无”"),
    "split_column": ("split Bike at the space into Kind and Size", "把备注按空格拆成“一”和“二”两列"),
    "join_columns": ("combine Mechanic and Bike into a column called Job", "把读者和类别合并成一列，叫“标签”"),
    "transpose": ("transpose A1:C4 to J1", "把A1:C4转置到J1"),
    "summarize": ("new sheet: total Price per Mechanic", "按类别新建一张表统计押金合计"),
    "lookup_join": ("look up Phone from the sheet Phones by Mechanic", "从通讯录按读者查找电话"),
    "define_name": ("define the name Prices for D2:D31", "把C2:C31命名为“押金区”"),
    "create_table": ("convert the data to a table", "把数据转换成超级表"),
    "describe": ("describe Price", "描述一下押金"),
    "identify_top": ("what are the top 3 by Price?", "押金最高的3个是哪些？"),
    "aggregate": ("what is the average Price?", "平均押金是多少？"),
    "find_outliers": ("find outliers in Price", "找出罚款的异常值"),
    "find_missing": ("are there any blanks in Cost?", "备注有没有空值？"),
    "correlation": ("correlation between Price and Cost", "押金和罚款的相关性"),
    "set_number_format": ("show Price as dollars", "押金保留2位小数"),
    "set_font": ("make A1:C1 bold", "把A1:C1加粗"),
    "set_fill": ("fill A1:C1 with yellow", "把A1:C1填充黄色"),
    "set_borders": ("add borders to A1:C9", "给A1:C9加边框"),
    "set_alignment": ("center the Price column", "押金列居中"),
    "highlight_cells": ("highlight the top 3 by Price in green", "把押金最高的3个标绿"),
    "conditional_format": ("add data bars to Price", "押金那列加上数据条"),
    "set_data_validation": ("restrict Price to whole numbers between 5 and 900", "给类别列设置下拉列表：小说、诗歌"),
    "add_comment": ("add a comment to D3: check this", "在D3单元格添加批注：待确认"),
    "create_chart": ("make a pie chart of total Price per Mechanic", "画一张各类别押金合计的饼图"),
    "set_chart_title": ("set the chart title to Sales", "把图表标题改为“销售”"),
    "set_chart_axes": ("set the y axis title to Euros", "y轴标题设为“元”"),
    "set_chart_style": ("move the legend to the bottom", "图例放到底部"),
    "run_python": ("copy column B to column H", "把B列复制到H列"),
}


def test_every_operation_has_its_words() -> None:
    assert set(_WORDS) == set(operations())


@pytest.mark.parametrize(("function", "said"), [(name, one) for name, both in _WORDS.items() for one in both])
def test_plain_words_reach_an_operation(function: str, said: str) -> None:
    found = reading(said, two_sheets=True)
    assert found is not None, said
    assert found.ops[-1].function == function, (found.steps, trust_of(found))
    assert trust_of(found) == "sure", (found.steps, found.unread)
    assert decode(found.ops[-1].function, found.ops[-1].parameters)[0] is not None
