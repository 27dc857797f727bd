"""Which sheet a name means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


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


def counterparts(names: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return which of the sheets `known` each of the sheets `names` is; those that are none are left out.

    Two sheets are never one and the same: what is meant exactly is no other's, and what two may mean is neither's.
    """
    by_fold = {name.casefold(): name for name in known}
    same = {name: by_fold[name.casefold()] for name in names if name.casefold() in by_fold}
    left = [name for name in known if name not in same.values()]
    similar = {name: found for name in names if name not in same and (found := sheet_named(name, left)) is not None}
    wanted = Counter(similar.values())
    return same | {name: found for name, found in similar.items() if wanted[found] == 1}
