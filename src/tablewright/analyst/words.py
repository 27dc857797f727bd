"""The expressions, conditions and relations of a plan in words, for step names and answers."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.analyst.date_words import named_date
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Case,
    Col,
    Compare,
    Condition,
    Cut,
    Expr,
    Func,
    Lit,
    Matches,
    Math,
    Measure,
    Missing,
    Not,
    OneOf,
    Statistic,
)
from tablewright.domain.language import Language
from tablewright.domain.table import Cell
from tablewright.texts.catalogue import catalogue, text

LONGEST = 60
_OPS = {"=": "is", "!=": "is_not", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}


class Words:
    """Phrases parts of a plan in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def say(self, code: str, **params: object) -> str:
        """Return the catalogue message `code`, filled with `params`."""
        return text(code, self.language, **params)

    def joined(self, items: Iterable[str], code: str = "words.and") -> str:
        """Return the items as `a, b and c`."""
        listed = list(items)
        if len(listed) < 2:
            return "".join(listed)
        comma = self.say("words.comma")
        return self.say(code, first=comma.join(listed[:-1]), last=listed[-1])

    def cell(self, value: Cell) -> str:
        """Return a constant as a person would write it."""
        if value is None:
            return self.say("words.missing_cell")
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        return shortened(str(value))

    def value(self, expr: Expr) -> str:
        """Return `expr` in words."""
        match expr:
            case Col():
                return expr.name
            case Lit():
                return self.cell(expr.value)
            case Bucket():
                return self.say(f"words.unit.{expr.unit}", of=self.value(expr.of))
            case Math():
                return self._math(expr)
            case Func():
                return self._function(expr)
            case Cut():
                return self.say("words.interval", of=self.value(expr.of))
            case Statistic():
                return self._statistic(expr)
            case Case():
                return self.say("words.case", of=self.condition(expr.branches[0][0]))

    def _statistic(self, expr: Statistic) -> str:
        if expr.where is None:
            return self.say(f"words.{expr.name}", of=self.value(expr.of))
        return self.say("words.where", what=self.value(expr.of), where=self.condition(expr.where))

    def _math(self, expr: Math) -> str:
        sides = [
            f"({self.value(side)})" if isinstance(side, Math) else self.value(side) for side in (expr.left, expr.right)
        ]
        sign = {"*": "×", "/": "÷", "-": "−"}.get(expr.op, expr.op)
        return f"{sides[0]} {sign} {sides[1]}"

    def _function(self, expr: Func) -> str:
        code = f"words.function.{expr.name}"
        if code in catalogue(self.language):
            return self.say(code, of=self.value(expr.of))
        return f"{expr.name}({self.value(expr.of)})"

    def measure(self, measure: Measure) -> str:
        """Return an aggregate in words."""
        said = (
            self.say("words.rows")
            if measure.of is None
            else self.say(f"words.{measure.function}", of=self.value(measure.of))
        )
        if measure.where is None:
            return said
        return self.say("words.where", what=said, where=self.condition(measure.where))

    def condition(self, condition: Condition) -> str:
        """Return a condition in words."""
        if (named := named_date(condition, self.language)) is not None:
            code, time, tested = named
            return self.say(code, of=self.value(tested.of), time=time)
        match condition:
            case Compare():
                return self._compare(condition)
            case OneOf():
                values = self.joined([self.cell(value) for value in condition.values[:5]], "words.or")
                more = self.say("words.more_values", count=len(condition.values)) if len(condition.values) > 5 else ""
                return self.say("words.is", left=self.value(condition.of), right=values + more)
            case Between():
                return self._between(condition)
            case Matches():
                return self.say(
                    f"words.{condition.how}", left=self.value(condition.of), right=self.cell(condition.text)
                )
            case Missing():
                return self.say("words.is_missing", left=self.value(condition.of))
            case Not():
                return self._negated(condition.of)
            case AllOf():
                return self.joined((self.condition(part) for part in condition.parts), "words.both")
            case AnyOf():
                return self.joined((self.condition(part) for part in condition.parts), "words.or")

    def _compare(self, compare: Compare) -> str:
        return self.say(f"words.{_OPS[compare.op]}", left=self.value(compare.left), right=self.value(compare.right))

    def _between(self, between: Between) -> str:
        of, low, high = self.value(between.of), self.cell(between.low), self.cell(between.high)
        if between.low is None:
            return self.say("words.less" if between.high_open else "words.at_most", left=of, right=high)
        if between.high is None:
            return self.say("words.at_least", left=of, right=low)
        return self.say("words.between", left=of, low=low, high=high)

    def _negated(self, condition: Condition) -> str:
        match condition:
            case Missing():
                return self.say("words.is_present", left=self.value(condition.of))
            case Matches(how="contains"):
                return self.say("words.lacks", left=self.value(condition.of), right=self.cell(condition.text))
            case OneOf():
                values = self.joined([self.cell(value) for value in condition.values[:5]], "words.or")
                return self.say("words.is_not", left=self.value(condition.of), right=values)
            case _:
                return self.say("words.not", what=self.condition(condition))


def shortened(words: str, longest: int = LONGEST) -> str:
    """Return `words` on one line of at most `longest` characters, cut with an ellipsis if too long."""
    line = " ".join(words.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
