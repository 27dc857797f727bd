"""Which sheet a name means."""

from __future__ import annotations

from collections.abc import Iterable


def sheet_named(wanted: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that `wanted` means, as it is spelled there, or None.

    Names differ in more than case: `Data` and `Data ` may be two sheets of one workbook. Where no name is the same, the
    spaces around both are passed over, unless several names would then fit.
    """
    known = list(names)
    folded = wanted.casefold()
    same = next((name for name in known if name.casefold() == folded), None)
    if same is not None:
        return same
    similar = [name for name in known if name.strip().casefold() == folded.strip()]
    return similar[0] if len(similar) == 1 else None
