from __future__ import annotations

import pytest
from tests.support.reports import BARS, POINTS, RADAR, SLICES, chart

from tablewright.report.blocks import ChartBlock
from tablewright.report.chart_data import ChartData, chart_data, chart_table
from tablewright.report.svg import scale_of, svg_of
from tablewright.report.view import view_of


def data_of(option: str) -> ChartData:
    found = chart_data(block_of(option).option)
    assert found is not None
    return found


def block_of(option: str) -> ChartBlock:
    (block,) = view_of(chart(option)).blocks
    assert isinstance(block, ChartBlock)
    return block


def test_bars_and_lines_share_their_categories() -> None:
    data = data_of(BARS)
    assert data.categories == ("Q1", "Q2")
    assert [(series.name, series.kind, series.values) for series in data.series] == [
        ("甲", "bar", (500.0, -20.0)),
        ("乙", "line", (100.0, None)),
    ]


def test_points_have_places_and_values() -> None:
    (series,) = data_of(POINTS).series
    assert (series.places, series.values) == ((1.0, 3.5), (2.0, 4.2))


def test_bars_with_their_categories_on_the_vertical_axis_are_horizontal() -> None:
    data = data_of("{xAxis:{type:'value'},yAxis:{type:'category',data:['a','b']},series:[{type:'bar',data:[1,2]}]}")
    assert data.horizontal
    assert data.series[0].values == (1.0, 2.0)


def test_a_dataset_gives_each_series_its_column() -> None:
    data = data_of(
        "{dataset:{source:[['p','u','v'],['k',1,2],['l',3,4]]},xAxis:{type:'category'},yAxis:{},"
        "series:[{type:'bar'},{type:'bar'}]}"
    )
    assert data.categories == ("k", "l")
    assert [series.values for series in data.series] == [(1.0, 3.0), (2.0, 4.0)]


def test_pairs_of_category_and_value_are_placed_by_category() -> None:
    data = data_of(
        "{xAxis:{type:'category',data:['a','b','c']},yAxis:{},series:[{type:'line',data:[['c',3],['a',1]]}]}"
    )
    assert data.series[0].values == (1.0, None, 3.0)


def test_a_chart_of_another_kind_is_a_table_of_its_figures() -> None:
    option = block_of(RADAR).option
    assert chart_data(option) is None
    assert chart_table(option).rows == (("1", "z", 1.0, 2.0, 3.0),)


@pytest.mark.parametrize(
    ("option", "header"),
    [
        ("{xAxis:{data:['a']},yAxis:{},series:[{type:'bar',data:[1]}]}", ("x", "y")),
        ("{title:{text:'Sales'},xAxis:{data:['a']},yAxis:{},series:[{type:'bar',data:[1]}]}", ("x", "Sales")),
        ("{xAxis:{data:['a'],name:'city'},yAxis:{name:'sum'},series:[{type:'bar',data:[1]}]}", ("city", "sum")),
        (
            "{xAxis:{data:['a']},yAxis:{name:'sum'},series:[{type:'bar',data:[1]},{type:'bar',data:[2]}]}",
            ("x", "sum 1", "sum 2"),
        ),
        (
            "{dataset:{source:[['p','u'],['k',1]]},xAxis:{type:'category'},yAxis:{},series:[{type:'bar'}]}",
            ("p", "u"),
        ),
        ("{xAxis:{},yAxis:{},series:[{type:'scatter',data:[[1,2]]}]}", ("x", "y")),
    ],
)
def test_the_columns_of_a_table_of_a_chart_are_named_also_where_the_chart_has_no_names(
    option: str, header: tuple[str, ...]
) -> None:
    table = chart_table(block_of(option).option)
    assert table.header == header
    assert all(len(row) == len(header) for row in table.rows)


def test_names_in_a_drawing_are_escaped() -> None:
    drawn = svg_of(data_of("{xAxis:{data:['<script>']},yAxis:{},series:[{type:'bar',data:[1]}]}"))
    assert "<script>" not in drawn
    assert "&lt;script&gt;" in drawn


def test_slices_are_drawn_whole_and_in_part() -> None:
    assert svg_of(data_of(SLICES)).count("<path") == 2
    assert svg_of(data_of("{series:[{type:'pie',data:[{name:'a',value:1}]}]}")).count("<circle") == 1


def test_a_scale_covers_its_values_with_round_steps() -> None:
    scale = scale_of([3, 97], 0, 100, from_zero=True)
    assert (scale.ticks[0], scale.ticks[-1]) == (0, 100)
    assert scale.at(50) == 50


def test_scales_of_extreme_values_do_not_fail() -> None:
    for values in ([], [0.0], [1e308, -1e308], [1e-308, 2e-308], [5.0, 5.0], [-1e300, -1e300]):
        scale = scale_of(values, 0, 100, from_zero=False)
        assert all(-1e6 < scale.at(value) < 1e6 for value in values)


def test_a_chart_in_the_form_of_the_builtin_analyst_stands_in_its_element() -> None:
    written = (
        '<div id="chart-1" style="width:100%;height:320px"></div>\n'
        '<script>echarts.init(document.getElementById("chart-1"))'
        '.setOption({"title": {"text": "a \\u003c b"}, "tooltip": {}, "xAxis": {"type": "category", "data": ["x"]},'
        ' "yAxis": {"type": "value", "scale": true}, "series": [{"type": "line", "showSymbol": false, "data": [1.5],'
        ' "markLine": {"symbol": "none", "data": [{"xAxis": "x"}]}}]});</script>'
    )
    before, block, after = view_of(f"before\n\n{written}\n\nafter").blocks
    assert isinstance(block, ChartBlock)
    assert (before.type, after.type, block.dropped) == ("paragraph", "paragraph", ())
    assert block.option["title"]["text"] == "a < b"
