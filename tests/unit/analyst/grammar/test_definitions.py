"""Questions in the words of a tenant, which mean nothing without them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import Words, table_of

from tablewright.analyst.grammar import readings
from tablewright.analyst.linking.vocabulary import informed
from tablewright.domain.language import language_of
from tablewright.domain.vocabulary import Word

FIRST = 1


def said(question: str, **words: str) -> str:
    """Return what the best reading says, where words have these meanings."""
    taught = tuple(Word(phrase=phrase.replace("_", " "), meaning=meaning) for phrase, meaning in words.items())
    facts = informed(replace(table_of(question), words=taught))
    found = asyncio.run(readings(question, language_of(question), [facts], Words(), most=FIRST))
    return found[0].said if found else ""


@pytest.mark.requirement("words-are-taught")
@pytest.mark.parametrize(
    ("question", "phrase", "meaning", "expected"),
    [
        ("number of visits per clinician", "clinician", "vet", "count per vet"),
        ("average fee by beastie", "beastie", "animal", "average fee per animal"),
        ("number of hoppers", "hoppers", "rabbit", "count, where animal = rabbit"),
        ("how many pricey visits per vet", "pricey visit", "fee over 200", "count per vet, where fee > 200"),
        ("number of hoppers", "hoppers", "animal is rabbit", "count, where animal = rabbit"),
        ("how many write-offs", "write-off", "rabbit referred", "count, where animal = rabbit and outcome = referred"),
        ("average net by animal", "net", "fee - 10", "average fee − 10 per animal"),
        ("average net by animal", "net", "(fee - 10) * 2", "average (fee − 10) × 2 per animal"),
        ("每个坐堂人的金额", "坐堂人", "医生", "每个医生的金额合计"),
        ("挂账的账单有多少", "挂账", "未付", "数量，条件：状态 = 未付"),
        ("贵单有多少", "贵单", "金额超过500", "数量，条件：金额 > 500"),
    ],
)
def test_a_word_is_read_as_what_it_stands_for(question: str, phrase: str, meaning: str, expected: str) -> None:
    assert said(question) != expected
    assert said(question, **{phrase: meaning}) == expected


def test_a_word_of_a_test_can_be_negated() -> None:
    question = "total fee of visits that are not a pricey visit"
    assert said(question, pricey_visit="fee over 200") == "total fee, where not (fee > 200)"


def test_the_name_of_a_column_stays_that_columns() -> None:
    assert said("average fee by vet", fee="animal") == said("average fee by vet")


@pytest.mark.parametrize("meaning", ["no such column", "fee - weight", "fee +", "((fee)", "import os", "fee over"])
def test_a_meaning_that_the_table_does_not_have_changes_nothing(meaning: str) -> None:
    assert said("average fee by vet", takings=meaning) == "average fee per vet"
    assert said("average takings by vet", takings=meaning) == said("average takings by vet")


def test_definitions_do_not_define_each_other_without_end() -> None:
    assert said("number of bunnies", bunnies="hoppers", hoppers="bunnies") == said("number of bunnies")
