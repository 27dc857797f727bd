"""What a cell takes up and leaves, read from its syntax."""

from __future__ import annotations

import pytest

from tablewright.agent.cell_names import names_of


@pytest.mark.parametrize(
    ("code", "taken"),
    [
        ("import pandas as pd\ndf = pd.read_csv('a')\ndf.head()", set()),
        ("from a.b import c as d\nd(e)", {"e"}),
        ("x += 1", {"x"}),
        ("x: int = y", {"int", "y"}),
        ("x: int\nx", {"int", "x"}),
        ("df['a'] = 1", {"df"}),
        ("df.name = 1", {"df"}),
        ("a, (b, *c) = d\na, b, c", {"d"}),
        ("if (n := m) > 1: n", {"m"}),
        ("for i in xs:\n    y = i\n    y", {"xs"}),
        ("for i in xs:\n    y = i\ny", {"xs", "y"}),
        ("while a:\n    b = 1\nb", {"a", "b"}),
        ("if a:\n    b = 1\nb", {"a", "b"}),
        ("if a:\n    b = 1\nelse:\n    b = 2\nb", {"a"}),
        ("try:\n    b = 1\nexcept E as e:\n    b = e\nb", {"E"}),
        ("try:\n    b = 1\nexcept E:\n    pass\nb", {"E", "b"}),
        ("with f(p) as g:\n    h = g\nh", {"f", "p"}),
        ("[w for w in ws if w > k]", {"ws", "k"}),
        ("{k: v for k, v in d.items()}", {"d"}),
        ("def f(a, b=z):\n    c = a\n    return c + q", {"z", "q"}),
        ("def f():\n    global g\n    g = 1", set()),
        ("g = lambda a, *b, **c: a + b + t", {"t"}),
        ("class A(B):\n    x = 1\n    y = x + u", {"B", "u"}),
        ("match v:\n    case {'a': b, **r}:\n        b, r\n    case [*c] as d:\n        c, d", {"v"}),
        ("await go()", {"go"}),
        ("del x", {"x"}),
    ],
)
def test_what_is_read_before_it_is_made_is_taken_up(code: str, taken: set[str]) -> None:
    assert names_of(code).taken == taken


def test_what_is_made_in_some_cases_is_not_surely_bound() -> None:
    names = names_of("a = 1\nfor b in a:\n    c = 1\ndef d(): e = 1\nimport f.g")
    assert names.bound == {"a", "d", "f"}
    assert names.made == {"a", "b", "c", "d", "f"}


def test_what_is_read_may_have_been_changed_but_not_what_every_session_has() -> None:
    assert names_of("print(len(rows))\ntw.table(rows)\nrows.sort()\nsum = 3").touched == {"rows", "sum"}


@pytest.mark.parametrize("code", ["globals()['x']", "eval('x')", "%time f()", "%%capture\nx", "x = (", "_ + 1"])
def test_code_that_may_reach_anything_is_opaque(code: str) -> None:
    assert names_of(code).opaque


@pytest.mark.parametrize("code", ["%matplotlib inline\nx = 1", "for _ in range(3): pass", "x.eval('a')", ""])
def test_other_code_is_not(code: str) -> None:
    assert not names_of(code).opaque


def test_texts_that_may_name_files_of_the_working_folder_are_told() -> None:
    names = names_of("open('out/a.csv'); open('/data/shared/b.csv'); print('Total', 'two words. More')")
    assert names.files == {"out/a.csv"}
