"""The groups of rows that a question compares, and those that a tag's name means: `mean_fare_class1`,
`not_survived_mean`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Between, Bucket, Case, Col, Compare, Condition, Lit, Missing, Not, OneOf, TimeUnit
from tablewright.analyst.reading.tagged.columns_said import said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.table import Cell

_DENIED = re.compile(r"(?:^|_)(?:not?|non|without|un|didnt|isnt)_?", re.IGNORECASE)
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "5th": 5,
}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH: TimeUnit = "month_of_year"
_YEAR: TimeUnit = "year"
_NULLS = re.compile(r"\b(?:null|missing|nan)\b", re.IGNORECASE)
_SEXES = {"M": ("male", "man", "men", "boy"), "F": ("female", "woman", "women", "girl")}
_FEW = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Named rows; `column` and `value` are set if they are the rows with one value of a column."""

    name: str
    condition: Condition
    column: str = ""
    value: Cell = None


def group_of(scene: Scene, wanted: Wanted) -> Group | None:
    """Return the first group that a tag's name or placeholder means, or None."""
    return next(iter(groups_of(scene, wanted)), None)


def groups_of(scene: Scene, wanted: Wanted) -> list[Group]:
    """Return the groups that a tag's rows all belong to (`resigned_male`)."""
    for said in (wanted.name, wanted.placeholder if re.fullmatch(r"\S{2,}", wanted.placeholder) else ""):
        readers = (_by_label, _by_gap, _by_week, _by_decade, _by_value, _by_flag, _by_date, _by_number) if said else ()
        found: list[Group] = []
        for reader in readers:
            told = any(any(map(str.isdigit, str(group.value))) for group in found)
            if not (told and reader is _by_number) and (group := reader(scene, said)) is not None:
                found.append(group)
        columns = [group.column for group in found]
        found = [group for place, group in enumerate(found) if not group.column or group.column not in columns[:place]]
        if found:
            return found
    return []


def _words(name: str) -> tuple[str, ...]:
    return lemmas(re.sub(r"(?<=[a-z])(?=\d)", " ", name))


def _by_label(scene: Scene, name: str) -> Group | None:
    for made in scene.made:
        for label in sorted(made.labels, key=len, reverse=True):
            if label and _within(label, name):
                return _equal(made.name, label)
    return None


def _within(value: str, name: str) -> bool:
    """Return whether a name contains the words of a cell, in order and as whole words."""
    said, words = lemmas(value), _words(name)
    if not said or (len(said) == 1 and len(said[0]) < 2 and said[0] != words[-1]):
        return False
    size = len(said)
    if any(words[start : start + size] == said for start in range(len(words) - size + 1)):
        return True
    return size > 1 and "".join(said) in words


def _equal(column: str, value: Cell) -> Group:
    return Group(
        name=str(value),
        condition=Compare(op="=", left=Col(name=column), right=Lit(value=value)),
        column=column,
        value=value,
    )


def _by_gap(scene: Scene, name: str) -> Group | None:
    """Return the rows in which a column is null or not null."""
    if not _NULLS.search(name.replace("_", " ").replace("not", "not ")) or not _NULLS.search(scene.text):
        return None
    gaps = [column.name for column in scene.facts.columns if column.missing]
    said = [column for column in [*said_columns(name, scene.facts), *scene.every] if column in gaps]
    if not said:
        return None
    empty = Missing(of=Col(name=said[0]))
    denied = re.search(r"(?:not?|non)_?(?:null|missing|nan)", name, re.IGNORECASE)
    return Group(name="null", condition=Not(of=empty) if denied else empty)


def _by_week(scene: Scene, name: str) -> Group | None:
    """Return the rows on weekdays or on weekends."""
    dates = [column.name for column in scene.facts.columns if column.kind in {"date", "datetime"}]
    words = {word for word in ("weekday", "weekend") if word in name.lower()}
    if len(words) != 1 or not dates or not scene.holds("weekend"):
        return None
    weekend = OneOf(of=Bucket(of=Col(name=dates[0]), unit="weekday"), values=("Sat", "Sun"))
    return Group(name=words.pop(), condition=weekend if "weekend" in name.lower() else Not(of=weekend))


def _by_value(scene: Scene, name: str) -> Group | None:
    """Return the rows with the cell in the name, if the question mentions the cell or its column."""
    lower = scene.text.lower()
    best: Group | None = None
    for column, values in scene.values.items():
        for value in values:
            known = column in scene.every or value.lower() in lower
            named = _within(value, name) or _by_initial(value, values, name)
            if known and named and len(value) > len(best.name if best else ""):
                best = _equal(column, value)
    return best


def _by_initial(value: str, values: Sequence[str], name: str) -> bool:
    """Return whether a name contains the word for a one-letter cell (`male` for M, beside F)."""
    if {cell.upper() for cell in values} != set(_SEXES):
        return False
    return bool({*_words(name)} & set(_SEXES[value.upper()]))


def _by_flag(scene: Scene, name: str) -> Group | None:
    """Return the rows where a column of yes and no, or 1 and 0, is as the name says: `survived_mean`,
    `not_survived_mean`, `non_smoker_mean`."""
    for column in scene.facts.columns:
        pair = flag_values(column, scene)
        if pair is None or column.name not in scene.every:
            continue
        words = "_".join(lemmas(column.name))
        spoken = "_".join(_words(name))
        place = spoken.find(words)
        had = re.search(rf"(with|without|no|non|has|have)_{re.escape(lemmas(column.name)[-1])}\b", spoken)
        if place < 0 and had is not None:
            return _equal(column.name, pair[0] if had.group(1) in {"with", "has", "have"} else pair[1])
        if place >= 0 and column.kind != "number":
            denied = _DENIED.search(spoken[max(0, place - 8) : place]) is not None
            return _equal(column.name, pair[1] if denied else pair[0])
    return None


def flag_values(column: ColumnFacts, scene: Scene) -> tuple[Cell, Cell] | None:
    """Return the values with which a column of two values says yes and no; None for any other column."""
    if column.kind == "boolean":
        return True, False
    if column.kind in {"integer", "number"} and column.distinct == 2 and (column.minimum, column.maximum) == (0, 1):
        return 1, 0
    values = {value.lower(): value for value in scene.values.get(column.name, ())}
    for yes, no in (("yes", "no"), ("y", "n"), ("true", "false")):
        if set(values) == {yes, no}:
            return values[yes], values[no]
    return None


def _by_number(scene: Scene, name: str) -> Group | None:
    """Return the rows with a number of a column that has few of them: `class1`, `1st_class`, `cylinders_8`."""
    words = _words(name)
    number = next((int(word) for word in words if word.isdigit()), None)
    number = next((_ORDINALS[word] for word in words if word in _ORDINALS), number)
    if number is None:
        return None
    for column in scene.facts.columns:
        if column.name in scene.every and str(number) not in column.name and _counts_to(column, number):
            return _equal(column.name, number)
    return None


def _counts_to(column: ColumnFacts, number: int) -> bool:
    """Return whether a column of few whole numbers may contain `number`."""
    low, high = column.minimum, column.maximum
    few = column.kind == "integer" and column.distinct is not None and column.distinct <= _FEW
    return few and isinstance(low, int | float) and isinstance(high, int | float) and low <= number <= high


def _by_date(scene: Scene, name: str) -> Group | None:
    """Return the rows of a month in any year, or of a year, by the only column of dates: `month_1_mean`,
    `january_mean`, `mean_2019`."""
    dates = [column.name for column in scene.facts.columns if column.kind in {"date", "datetime"}]
    words = _words(name)
    if len(dates) != 1 or not scene.holds("month", "year"):
        return None
    months = [place for place, month in enumerate(_MONTHS, 1) if {month, month[:3]} & set(words)]
    numbered = re.search(r"month_?(\d{1,2})(?!\d)", name, re.IGNORECASE)
    year = re.search(r"(?<!\d)((?:19|20)\d\d)(?!\d)", name)
    if numbered or months:
        number, unit = int(numbered.group(1)) if numbered else months[0], _MONTH
    elif year:
        number, unit = int(year.group(1)), _YEAR
    else:
        return None
    condition = Compare(op="=", left=Bucket(of=Col(name=dates[0]), unit=unit), right=Lit(value=number))
    return Group(name=name, condition=condition, column=dates[0], value=number)


def _by_decade(scene: Scene, name: str) -> Group | None:
    """Return the rows of a decade, by a column of years or dates: `films_1990s`."""
    match = re.search(r"(?<!\d)((?:1[5-9]|20)\d0)s", name)
    if match is None:
        return None
    first = int(match.group(1))
    for column in sorted(scene.facts.columns, key=lambda column: column.name not in scene.every):
        years = column.kind == "integer" and _between(column, 1000, 2200)
        if years or column.kind in {"date", "datetime"}:
            of = Col(name=column.name) if years else Bucket(of=Col(name=column.name), unit=_YEAR)
            return Group(
                name=name, condition=Between(of=of, low=first, high=first + 9), column=column.name, value=f"{first}s"
            )
    return None


def _between(column: ColumnFacts, low: int, high: int) -> bool:
    ends = (column.minimum, column.maximum)
    return all(isinstance(end, int | float) and low < end < high for end in ends)


def named_pair(scene: Scene) -> tuple[Group, Group] | None:
    """Return the groups of the two cells of one column that the question names, in its order; None if it does not
    name two."""
    lower = scene.form.text.lower()
    for column, values in scene.values.items():
        coded = {cell.upper() for cell in values} == set(_SEXES)
        found = {
            match.start(): value
            for value in values
            if (len(value) > 1 or coded)
            and (match := re.search(rf"\b{_spoken(value) if coded else re.escape(value.lower())}\b", lower))
        }
        if len(found) == 2:
            one, other = (found[place] for place in sorted(found))
            return _equal(column, one), _equal(column, other)
    return None


def _spoken(value: str) -> str:
    """Return a pattern for the words that a one-letter cell stands for."""
    return rf"(?:{'|'.join(_SEXES[value.upper()])})s?"


def compared(scene: Scene) -> tuple[str, Cell, Cell] | Case | None:
    """Return the two groups that the question compares: as a column and its two values, or as an expression that
    separates them. None if it compares none."""
    found = [group for wanted in scene.form.wanted if (group := group_of(scene, wanted)) is not None]
    distinct: list[Group] = []
    for group in found:
        if all(group.condition != other.condition for other in distinct):
            distinct.append(group)
    if len(distinct) == 2:
        return _pair(distinct)
    return _two_valued(scene)


def _pair(groups: Sequence[Group]) -> tuple[str, Cell, Cell] | Case:
    one, other = groups
    if one.column and one.column == other.column:
        return one.column, one.value, other.value
    branches = ((one.condition, Lit(value="first")), (other.condition, Lit(value="second")))
    return Case(branches=branches, otherwise=Lit(value=None))


def _two_valued(scene: Scene) -> tuple[str, Cell, Cell] | None:
    """Return a column with two values, or a column of which the question names two."""
    lower = scene.form.text.lower()
    for name in scene.every:
        values = scene.values.get(name, ())
        if len(values) == 2:
            return name, values[0], values[1]
        said = [value for value in values if len(value) > 2 and re.search(rf"\b{re.escape(value.lower())}\b", lower)]
        if len(said) == 2:
            return name, said[0], said[1]
    for name in scene.every:
        column = scene.parse.facts(name)
        pair = flag_values(column, scene)
        if pair is not None:
            return name, pair[0], pair[1]
    return _numbered(scene)


def _numbered(scene: Scene) -> tuple[str, Cell, Cell] | None:
    """Return the column and its two numbers of a comparison such as `between the 1st class and 3rd class`."""
    match = re.search(
        r"between (?:the )?(\d|\w+)(?:st|nd|rd|th)?\b[^.]{0,30}? and (?:the )?(\d|\w+)(?:st|nd|rd|th)?\b", scene.text
    )
    if match is None:
        return None
    numbers = [int(said) if said.isdigit() else _ORDINALS.get(said.lower()) for said in match.groups()]
    for name in scene.every:
        column = scene.parse.facts(name)
        if column.kind == "integer" and (column.distinct or 99) <= _FEW and None not in numbers:
            return name, numbers[0], numbers[1]
    return None
