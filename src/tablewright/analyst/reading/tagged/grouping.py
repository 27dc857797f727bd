"""The groups of rows that a question compares, and which of them a tag's name means: `mean_fare_class1`, `not_survived_mean`."""

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
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH: TimeUnit = "month_of_year"
_YEAR: TimeUnit = "year"
_NULLS = re.compile(r"\b(?:null|missing|nan)\b", re.IGNORECASE)
_SEXES = {"M": ("male", "man", "men", "boy"), "F": ("female", "woman", "women", "girl")}
_FEW = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows with a name; `column` and `value` where they are those with one value."""

    name: str
    condition: Condition
    column: str = ""
    value: Cell = None


def group_of(scene: Scene, wanted: Wanted) -> Group | None:
    """Return the group that a tag's name or placeholder means."""
    return next(iter(groups_of(scene, wanted)), None)


def groups_of(scene: Scene, wanted: Wanted) -> list[Group]:
    """Return the groups in all of which a tag's rows are (`resigned_male`)."""
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
    """Tell whether a name holds a cell's words, in order, as whole words."""
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
    """Rows in which a column is null or not."""
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
    """Weekdays and weekends."""
    dates = [column.name for column in scene.facts.columns if column.kind in {"date", "datetime"}]
    words = {word for word in ("weekday", "weekend") if word in name.lower()}
    if len(words) != 1 or not dates or not scene.holds("weekend"):
        return None
    weekend = OneOf(of=Bucket(of=Col(name=dates[0]), unit="weekday"), values=("Sat", "Sun"))
    return Group(name=words.pop(), condition=weekend if "weekend" in name.lower() else Not(of=weekend))


def _by_value(scene: Scene, name: str) -> Group | None:
    """A cell of a text column, whose column the question names or which it names itself."""
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
    """Tell whether a name holds the word that one of two letters stands for (`male` for M, beside F)."""
    if {cell.upper() for cell in values} != set(_SEXES):
        return False
    return bool({*_words(name)} & set(_SEXES[value.upper()]))


def _by_flag(scene: Scene, name: str) -> Group | None:
    """`survived_mean`, `not_survived_mean`, `non_smoker_mean`: a column of yes and no, or of 1 and 0."""
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
    """Return how a column of two values writes yes and no."""
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
    """`class1`, `1st_class`, `cylinders_8`: a number of a column with few of them."""
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
    """Tell whether a column of few whole numbers may hold one."""
    low, high = column.minimum, column.maximum
    few = column.kind == "integer" and column.distinct is not None and column.distinct <= _FEW
    return few and isinstance(low, int | float) and isinstance(high, int | float) and low <= number <= high


def _by_date(scene: Scene, name: str) -> Group | None:
    """`month_1_mean`, `january_mean`, `mean_2019`: a month of any year, or a year, of the only column of dates."""
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
    """`films_1990s`: ten years of a column of years or of the only dates."""
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
    """Return the groups of the two cells of one column that the question names, in its order."""
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
    """The words that a letter stands for, as a pattern."""
    return rf"(?:{'|'.join(_SEXES[value.upper()])})s?"


def compared(scene: Scene) -> tuple[str, Cell, Cell] | Case | None:
    """Return the two groups that the question compares: a column with its two values, or what tells them apart."""
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
    """A column with two values; or the two values of a column that the question names."""
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
    """`between the 1st class and 3rd class`."""
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
