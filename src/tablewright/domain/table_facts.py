"""What is irregular about tables, and what connects them: told to every model alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

IrregularityKind = Literal[
    "spelling",
    "abbreviation",
    "spaces",
    "marks",
    "date_notations",
    "yearless",
    "number_notations",
    "powers",
    "limits",
    "absent",
    "spans",
    "lists",
    "merged",
]
"""How cells of a column differ from the others:

`spelling` one value written in several ways that differ only in spaces, case or width · `abbreviation` one letter for a
value that is also written out · `spaces` blanks around a value
that is never written without them · `marks` texts in a column of numbers · `date_notations` dates written in several
ways · `yearless` dates without a year, `meant` in that of all others · `number_notations` numbers, some of them with a
currency, a percent sign or a unit and some without · `powers` numbers with a word for a power of ten among others in
full · `limits` numbers of which only a limit is known, as <0.5, which they count as · `absent` texts that mean that
there is no value, as N/A · `spans` spans of time in another unit than that in which all count · `lists` several values
in one cell · `merged` empty cells below the first of merged ones, whose value they have been given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """`cells` cells of a column are written unlike the rest; `examples` are some of them, as written.

    `meant` is the most frequent way to write the same value (`spelling`, `abbreviation`), without the blanks around it,
    and `merged` how many distinct texts fewer there are once all cells are written so; of `lists` it is what separates
    the values. The examples of date notations are their formats, as `strptime` takes them, the most frequent first.
    """

    kind: IrregularityKind
    cells: int
    examples: tuple[str, ...]
    meant: str | None = None
    merged: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRows:
    """`rows` rows are equal to an earlier one: in every column, or in every one but `besides`, which numbers them.

    Nothing is known of why: the same was written down twice, or happened twice.
    """

    rows: int
    besides: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKey:
    """Rows of `many` refer by a column to the rows of `one`, in each of which a value of `key` occurs once. `further`
    are more pairs of a reference and a key, where only all of them together tell the rows of `one` apart.

    The tables are named by the ids of their data sets. With `one_to_one` the values occur once in both. `unmatched` are
    the values of `many` that do not occur in `one`, `unused` those of `one` to which no row refers (None: nobody has
    looked, as a database declares the key): a join repeats the rows of `one`, so that their amounts must not be summed
    after it.
    """

    one: str
    key: str
    many: str
    reference: str
    multiplicity: Literal["one_to_one", "one_to_many"]
    unmatched: int
    unused: int | None
    further: tuple[tuple[str, str], ...] = ()

    @property
    def on(self) -> tuple[tuple[str, str], ...]:
        """The columns that are equal in rows that belong together: a reference and its key, pair by pair."""
        return ((self.reference, self.key), *self.further)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """Tables with the same columns, which are parts of one: each is named by what sets it apart, its sheet or file."""

    tables: tuple[str, ...]
    parts: tuple[str, ...]


TableRelation = TableKey | TableForm
