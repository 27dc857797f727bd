"""What reads as a formula, and what would make a file look damaged."""

from __future__ import annotations

import pytest

from tablewright.errors import InvalidInput
from tablewright.workbook.package.parsing import check_formula, is_formula


@pytest.mark.parametrize(
    "formula",
    [
        "=A1", "= A1+B1", "=SUM(A:A)", "=-A1^2%", "=.5", "={1,2;-3,4}", "='It''s'!A1", "='2024'!A1", "=销售表!A1",
        "=SUM(Sheet1:Sheet3!A1:B2)", "='C:\\x\\[b.xlsx]S'!A1", "=[1]Sheet1!A1", "=Table1[[#All],[a]:[b]]",
        "=Table1[@[销售 额]]",
        "=SUM((A1,B1))", "=A1:B2 B1:C3", "=A1:INDEX(B:B,3)", "=A1#", "=@A1", "=#REF!+1", "=SUM(A1,,B1)", '=A1&"x""y"',
        "=LET(x,1,x+1)", "=LAMBDA(x,x+1)(2)", "=_xlfn.XLOOKUP(A1,B:B,C:C)", '=INDEX(A:A,MATCH(1,(B:B="x")*(C:C=2),0))',
        "=MyName*2",
    ],
)  # fmt: skip
def test_what_programs_take_is_a_formula(formula: str) -> None:
    assert is_formula(formula)


@pytest.mark.parametrize("text", ["=", "=SUM(", "=1+", "=A1)", "==A1", '="abc', "={1,2", "='a", "=hello there world"])
def test_what_is_cut_or_prose_is_none(text: str) -> None:
    assert not is_formula(text)
    with pytest.raises(InvalidInput) as refused:
        check_formula(text)
    assert (refused.value.detail, refused.value.field) == ("formula_unreadable", "formula")
