"""The rows that words describe, as a filter of operations; conditions are read as in questions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tablewright.analyst.linking.mentions import Mention, WordMention
from tablewright.analyst.operating.tests_said import beside, compared, flagged, lacking, signed, written_alike
from tablewright.analyst.operating.wish import Wish
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Col,
    Compare,
    Condition,
    Lit,
    Matches,
    Missing,
    Not,
    OneOf,
    Statistic,
)
from tablewright.analyst.reading.conditions import read_conditions, read_more_conditions
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.table import Cell

Tests = list[dict[str, Any]]
_OPPOSITE = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "missing": "present",
    "present": "missing",
}


_VERB = re.compile(r"[删去移清剔消]除|排除|\bexclude\b")


def where(wish: Wish, start: int = 0, end: int | None = None) -> dict[str, Any] | None:
    """Return the filter that the words describe, or only those from `start` to `end`. None if they describe none, or
    one that a filter cannot express."""
    last = len(wish.text) if end is None else end
    words = wish.text[start:last]
    pairs = beside(wish, words)
    if pairs:
        return _all(pairs)
    parse = Parse(
        question=wish.text,
        language=wish.scene.language,
        tokens=wish.tokens,
        table=wish.linked,
        mentions=[mention for mention in wish.linked.mentions if not _only_the_verb(mention, wish)],
    )
    read_conditions(parse)
    read_more_conditions(parse)
    parse.clauses = [clause for clause in parse.clauses if start <= _first(clause, wish) < last]
    condition = parse.where()
    condition = _with_means(condition, wish) if condition is not None else None
    found = filter_of(condition) if condition is not None else None
    if condition is not None and found is None:
        return None
    more = compared(wish, words) if wish.mentions_numbers(start, last) else []
    return (
        _with(_more_alike(found, wish, words), more, words)
        or _written(wish, words)
        or _all(signed(wish, words))
        or _all(flagged(wish, words))
        or _any(written_alike(wish, words))
        or _all(lacking(wish, words))
    )


def _with_means(condition: Condition, wish: Wish) -> Condition:
    """Return the condition with `above the average` replaced by the number, if the mean of the whole column is
    known."""
    if isinstance(condition, AllOf | AnyOf):
        return replace(condition, parts=tuple(_with_means(part, wish) for part in condition.parts))
    if (
        isinstance(condition, Compare)
        and isinstance(condition.right, Statistic)
        and isinstance(condition.right.of, Col)
    ):
        fact = wish.place.fact(condition.right.of.name)
        if condition.right.name == "mean" and fact.mean is not None:
            return replace(condition, right=Lit(value=fact.mean))
    return condition


def _with(found: dict[str, Any] | None, more: Tests, words: str) -> dict[str, Any] | None:
    """Return the filter with the comparisons added that it does not contain yet."""
    tests = [_bounded(test, more) for test in found["tests"]] if found else []
    found = {**found, "tests": tests} if found else None
    new = [test for test in more if not any(_same(test, one) for one in tests)]
    if not new:
        return found
    either = re.search(r"\bor\b|或", re.sub(r"or equal|或等于", "", words)) is not None
    if found is not None and len(tests) > 1 and found["match"] == "any" and not either:
        return None
    return {"tests": [*tests, *new], "match": "any" if either else "all"}


def _bounded(test: dict[str, Any], more: Tests) -> dict[str, Any]:
    """Return the test, or the one of `more` that says for an equation that it is a bound: `at most`, `less than or
    equal to`."""
    if test["op"] not in {"=", "<", ">"} or "value" not in test:
        return test
    return next(
        (
            one
            for one in more
            if one["column"] == test["column"] and one["value"] == test["value"] and one["op"] in {"<=", ">="}
        ),
        test,
    )


def _more_alike(found: dict[str, Any] | None, wish: Wish, words: str) -> dict[str, Any] | None:
    """Return the filter with further cells in capitals of the same column: `the HR and IT departments`."""
    tests = found["tests"] if found else []
    if found is None or len({test["column"] for test in tests}) != 1 or any(test["op"] != "=" for test in tests):
        return found
    new = [test for test in written_alike(wish, words) if test["column"] == tests[0]["column"] and test not in tests]
    return {"tests": [*tests, *new], "match": "any"} if new else found


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["column"] == other["column"] and (one["op"] == other["op"] or one["value"] == other.get("value")))


def _only_the_verb(mention: Mention, wish: Wish) -> bool:
    """Return whether a negation belongs to the verb of the operation: `exclude rows where`, the last character of
    `删除`."""
    if not isinstance(mention, WordMention) or mention.code != "not":
        return False
    start, end = wish.tokens[mention.start].start, wish.tokens[mention.end - 1].end
    return _VERB.search(wish.low[max(0, start - 1) : end]) is not None


def _first(clause: Clause, wish: Wish) -> int:
    return wish.tokens[min(clause.start, len(wish.tokens) - 1)].start


def filter_of(condition: Condition) -> dict[str, Any] | None:
    """Return a condition as a filter; None unless it is all or any of some simple tests."""
    if isinstance(condition, AllOf | AnyOf):
        parts = [filter_of(part) for part in condition.parts]
        match = "all" if isinstance(condition, AllOf) else "any"
        if any(part is None or (len(part["tests"]) > 1 and part["match"] != match) for part in parts):
            return None
        return {"tests": [test for part in parts if part for test in part["tests"]], "match": match}
    return _plain(condition)


def _plain(condition: Condition) -> dict[str, Any] | None:
    match condition:
        case Compare(op=op, left=Col(name=name), right=Lit(value=value)):
            return _all([_test(name, op, value)])
        case OneOf(of=Col(name=name), values=values):
            return {
                "tests": [_test(name, "=", value) for value in values],
                "match": "any" if len(values) > 1 else "all",
            }
        case Between(of=Col(name=name), low=low, high=high):
            ends = "<" if condition.high_open else "<="
            tests = [_test(name, ">=", low)] if low is not None else []
            return _all([*tests, *([_test(name, ends, high)] if high is not None else [])])
        case Matches(of=Col(name=name), how=how, text=said):
            return _all([_test(name, how, said)])
        case Missing(of=Col(name=name)):
            return _all([{"column": name, "op": "missing"}])
        case Not(of=inner):
            found = filter_of(inner)
            return opposite(found) if found else None
        case _:
            return None


def _all(tests: Tests) -> dict[str, Any] | None:
    return {"tests": tests, "match": "all"} if tests else None


def _any(tests: Tests) -> dict[str, Any] | None:
    return {"tests": tests, "match": "any" if len(tests) > 1 else "all"} if tests else None


def _test(column: str, op: str, value: Cell) -> dict[str, Any]:
    return {"column": column, "op": op, "value": value}


def opposite(found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the filter with every test reversed; None if a test has no opposite."""
    if any(test["op"] not in _OPPOSITE for test in found["tests"]):
        return None
    tests = [{**test, "op": _OPPOSITE[test["op"]]} for test in found["tests"]]
    return {"tests": tests, "match": "any" if found["match"] == "all" and len(tests) > 1 else "all"}


def others(found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the filter for all rows that `found` does not select, including those without a value to compare; None
    if a filter cannot express that."""
    other = opposite(found)
    if other is None:
        return None
    compared = [test["column"] for test in found["tests"] if test["op"] in {"<", "<=", ">", ">="}]
    if compared and other["match"] == "all" and len(other["tests"]) > 1:
        return None
    missing = [{"column": column, "op": "missing"} for column in dict.fromkeys(compared)]
    return {"tests": [*other["tests"], *missing], "match": "any"} if missing else other


_SIGNS = {
    "等于": "=",
    "不等于": "!=",
    "大于": ">",
    "小于": "<",
    "是": "=",
    "为": "=",
    "==": "=",
    "<>": "!=",
    "≠": "!=",
    "≥": ">=",
    "≤": "<=",
}
_WRITTEN = re.compile(
    r"[\s)\]\"'”]*(?:is|are|has|have|=+|equals?|equal to|的值)?\s*(?P<op>不等于|大于等于|小于等于|大于|小于|等于"
    r"|不是|是|为|<>|!=|≠|>=|<=|≥|≤|>|<|==?|not equal to|is not|isn't|equals?|is|are|contains?|containing"
    r"|includes?|包含|含有|starts? with|beginning with|begins with|以|ends? with)\s*(?:the (?:word"
    r"|text)\s+)?[\"“'‘]?(?P<value>[^\"”'’,，。;；\s][^\"”'’,，。;；]*)"
)


_ASKED = re.compile(r"\s*(?:多少|哪|什么|几|谁|what\b|which\b|how\b)")
_PAINTED = re.compile(
    r"\s*\b(?:in|with|as)\s+(?:an? )?(?:(?:light|dark|bright)\s+)?(?:yellow|red|green|blue|orange|purple|pink"
    r"|gr[ae]y|brown|bold)\b.*$",
    re.IGNORECASE,
)


def _written(wish: Wish, text: str) -> dict[str, Any] | None:
    """Return the filter for a condition with a value that the table does not contain: `status is archived`."""
    found: Tests = []
    text = _PAINTED.sub("", text)
    for name in wish.said(text):
        for match in re.finditer(re.escape(name), text, re.IGNORECASE):
            said = _WRITTEN.match(text[match.end() :])
            if said is not None and not _ASKED.match(said["value"]):
                found.append(_test(name, *_sign(said["op"], said["value"])))
                break
    return _all(found[:1])


def _sign(op: str, value: str) -> tuple[str, Cell]:
    value = re.sub(r"(?:的|rows?|orders?|records?|行|数据|记录)+$", "", value.strip()).strip()
    number = re.fullmatch(r"-?\d+(?:\.\d+)?", value)
    cell: Cell = (float(value) if "." in value else int(value)) if number else value
    word = op.strip().lower()
    if "start" in word or "begin" in word or word == "以":
        return "starts", re.sub(r"(?:开头|开始)$", "", str(value))
    if "end" in word:
        return "ends", cell
    if "contain" in word or "includ" in word or word in {"包含", "含有"}:
        return "contains", cell
    if word in {"is not", "isn't", "不是", "not equal to"}:
        return "!=", cell
    if word in {"大于等于", "小于等于"}:
        return (">=" if word[0] == "大" else "<="), cell
    return _SIGNS.get(word, word if word in {"<", ">", "<=", ">=", "!="} else "="), cell


def rows_code(found: dict[str, Any]) -> str:
    """Return a pandas expression over `df` that is true for the rows of a filter."""
    joint = " & " if found["match"] == "all" else " | "
    return joint.join(_test_code(test) for test in found["tests"])


def _test_code(test: dict[str, Any]) -> str:
    cells = f"df[{test['column']!r}]"
    op, value = test["op"], test.get("value")
    if test.get("than"):
        return f"({cells} {'==' if op == '=' else op} df[{test['than']!r}])"
    if op in {"missing", "present"}:
        return f"({cells}.{'isna' if op == 'missing' else 'notna'}())"
    if op in {"contains", "starts", "ends"}:
        how = {"contains": "contains", "starts": "startswith", "ends": "endswith"}[str(op)]
        plain = ", regex=False" if op == "contains" else ""
        return f"({cells}.astype(str).str.{how}({value!r}{plain}))"
    return f"({cells} {'==' if op == '=' else op} {value!r})"
