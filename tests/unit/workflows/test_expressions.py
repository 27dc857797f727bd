"""Expressions and templates: what they give, what they refuse, and that none takes long or reaches out."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.patience import slow

from tablewright.errors import ExpressionFailed, ExpressionInvalid
from tablewright.workflows.expressions.budget import DEADLINE_S
from tablewright.workflows.expressions.language import expression, rendered, template

VALUES: dict[str, Any] = {
    "order": {"total": 123.5, "lines": [{"sku": "a", "n": 2}, {"sku": "b", "n": 3}]},
    "n": 3,
    "empty": None,
    "long": "x" * 100_000,
    "many": list(range(1_000)),
}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("order.total > 100 and n in [1, 3]", True),
        ("order.missing is defined", False),
        ("order.missing | default('x')", "x"),
        ("order.lines | map(attribute='sku') | join(', ')", "a, b"),
        ("order.lines | sum(attribute='n')", 5),
        ("order.lines | selectattr('n', 'gt', 2) | list", [{"sku": "b", "n": 3}]),
        ("n + 1.5", 4.5),
        ("'订单' ~ n", "订单3"),
        ("order.lines[0].sku", "a"),
        ("many[:2] + [n]", [0, 1, 3]),
        ("n if n > 2 else 0", 3),
        ("empty is none", True),
        ("{'a': [n]}", {"a": [3]}),
        ("range(3) | list", [0, 1, 2]),
    ],
)
def test_an_expression_has_a_value(source: str, value: object) -> None:
    assert expression(source).evaluate(VALUES) == value


def test_a_template_writes_values_as_people_read_them() -> None:
    source = "{% for line in order.lines %}{{ loop.index }}.{{ line.sku }} {% endfor %}{{ empty }}|{{ n > 2 }}"
    assert template(source).evaluate(VALUES) == "1.a 2.b |true"
    assert template("{{ order.lines }}").evaluate(VALUES) == '[{"sku": "a", "n": 2}, {"sku": "b", "n": 3}]'


def test_a_value_that_is_nothing_but_an_expression_keeps_its_type() -> None:
    told = {"list": "{{ order.lines }}", "text": "n={{ n }}", "two": "{{ n }}{{ n }}", "plain": 7, "in": ["{{ n }}"]}
    made = rendered(told, VALUES)
    assert made == {"list": VALUES["order"]["lines"], "text": "n=3", "two": "33", "plain": 7, "in": [3]}


def test_an_expression_tells_which_names_it_reads() -> None:
    assert expression("order.total > x and (y.z | default(q))").names == {"order", "x", "y", "q"}
    assert template("{% for i in a %}{{ i.b }}{{ c }}{{ loop.index }}{% endfor %}").names == {"a", "c"}


@pytest.mark.parametrize("source", ["1 +", "x y", "", "n ** 9", "(" * 300 + "1" + ")" * 300, "1" + " + 1" * 4_000,
                                    "not " * 300 + "true", "[" * 200 + "]" * 200, "a" * 30_000])  # fmt: skip
def test_what_cannot_be_read_is_refused_when_it_is_compiled(source: str) -> None:
    with pytest.raises(ExpressionInvalid):
        expression(source)


@pytest.mark.parametrize("source", [
    "{{ order.items() }}", "{{ ''.join([]) }}", "{{ order | attr('x') }}", "{{ '%s' | format(n) }}",
    "{% macro f() %}{{ f() }}{% endmacro %}", "{% include 'x' %}", "{% import 'x' as y %}", "{% extends 'x' %}",
    "{% set x %}{{ long }}{% endset %}", "{% call x() %}{% endcall %}", "{% set n.x = 1 %}",
    "{% block a %}{% endblock %}",
    "{% for x in many recursive %}{{ loop(many) }}{% endfor %}", "{{ n is callable }}", "{{ range(*many) }}",
    "{{ cycler() }}", "{{ lipsum() }}", "{{ self.x() }}", "{% filter upper %}x{% endfilter %}",
])  # fmt: skip
def test_what_is_no_part_of_the_language_is_refused_when_it_is_compiled(source: str) -> None:
    with pytest.raises(ExpressionInvalid):
        template(source)


@pytest.mark.parametrize("source", [
    "().__class__", "''.__class__.__mro__", "order.__class__", "order['__class__']", "n.__init__.__globals__",
    "range.__globals__", "self", "self._TemplateReference__context", "order.get", "many.append", "many['append']",
    "lipsum.__globals__", "spent_", "result_", "environment", "context",
    "many | map(attribute='__class__') | first > 0",
])  # fmt: skip
def test_nothing_but_keys_of_objects_is_reached(source: str) -> None:
    with pytest.raises(ExpressionFailed):
        expression(source).evaluate(VALUES)


@pytest.mark.parametrize("source", [
    "{% for i in range(3000) %}{% for j in range(3000) %}{% endfor %}{% endfor %}",
    "{% for i in many %}{% for j in many %}{% for k in many %}x{% endfor %}{% endfor %}{% endfor %}",
    "{% set a = long %}" + "{% set a = a ~ a %}" * 40,
    "{% set a = [1] %}" + "{% set a = [a, a] %}" * 40 + "{{ a }}",
    "{% set a = [1] %}{% set b = [1] %}" + "{% set a = [a, a] %}{% set b = [b, b] %}" * 30 + "{{ a == b }}",
    "{{ long | replace('x', long) }}",
    "{{ many | join(long) }}",
    "{{ " + "9" * 400 + " * " + "9" * 2_000 + " }}",
    "{{ long * 100000 }}",
    "{{ 'a' * 1000000000 }}",
    "{{ range(1000000000) | list }}",
    "{% for i in many %}{% for j in many | sort | reverse | list | sort %}{% endfor %}{% endfor %}",
    "{{ long }}" * 60,
])  # fmt: skip
def test_what_would_take_long_or_much_is_stopped(source: str) -> None:
    made = template(source)
    began = time.perf_counter()
    with pytest.raises(ExpressionFailed):
        made.evaluate(VALUES)
    assert time.perf_counter() - began < slow(3 * DEADLINE_S)


def test_an_unknown_name_and_a_wrong_type_say_what_is_wrong() -> None:
    with pytest.raises(ExpressionFailed, match="nope"):
        expression("nope").evaluate(VALUES)
    with pytest.raises(ExpressionFailed, match="number"):
        expression("'a' + 1").evaluate(VALUES)


def test_values_are_not_changed() -> None:
    before = {"a": [3, 1, 2], "o": {"x": 1}}
    expression("a | sort | reverse | list + [o]").evaluate(before)
    assert before == {"a": [3, 1, 2], "o": {"x": 1}}


@given(st.text(max_size=60) | st.lists(st.sampled_from(
    ["{{", "}}", "{%", "%}", " for x in n ", " if ", " n ", " ~ ", "|join", "(", ")", "[", "]", ".", "'", "order",
     "__class__"]
), max_size=12).map("".join))  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_template_or_is_refused_as_such(source: str) -> None:
    with suppress(ExpressionInvalid, ExpressionFailed):
        template(source).evaluate(VALUES)
