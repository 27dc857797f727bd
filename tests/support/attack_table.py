"""The table of attacks in the documentation: reading it, and writing it from what was seen.

python -m tests.support.attack_table FILE...     each FILE: lines `column <tab> attack <tab> status`
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tablewright.sandbox.conformance.attacks import ATTACKS, KEPT, Attack
from tablewright.sandbox.conformance.attacks_how import HOW, OF_THE_MOMENT

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "attacks.md"
COLUMNS = ("L1", "L2", "L3", "runc", "runsc")
_BEGIN, _END = "<!-- table -->\n", "<!-- end of table -->\n"
Seen = Mapping[str, Mapping[str, Counter[str]]]
"""Attack → column → how often it ended so."""


def rows() -> dict[str, dict[str, set[str]]]:
    """Return the table of the page: attack → column → statuses that it may end with."""
    table = PAGE.read_text(encoding="utf-8").partition(_BEGIN)[2].partition(_END)[0]
    found = {}
    for line in table.splitlines()[2:]:
        name, _, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[name] = {
            column: set(cell.replace("*", "").split(" or ")) for column, cell in zip(COLUMNS, cells, strict=True)
        }
    return found


def seen_in(files: Iterable[Path]) -> Seen:
    """Read what was seen."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            column, name, status = line.split("\t")
            found.setdefault(name, {}).setdefault(column, Counter())[status] += 1
    return found


def _cell(attack: Attack, statuses: Counter[str]) -> str:
    """Return the most frequent first; what depends on the moment may end in the other ways too."""
    names = [name for name, _ in statuses.most_common()]
    if attack.name in OF_THE_MOMENT:
        names += sorted(attack.ends.difference(names))
    return " or ".join(name if name in KEPT else f"*{name}*" for name in names)


def written(seen: Seen) -> str:
    """Return the table."""
    lines = [
        f"| attack | contained by | {' | '.join(COLUMNS)} |",
        f"|---|---|{'---|' * len(COLUMNS)}",
    ]
    for attack in ATTACKS:
        cells = [_cell(attack, seen[attack.name][column]) for column in COLUMNS]
        lines.append(f"| {attack.name} | {HOW[attack.name]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    table = written(seen_in(Path(name) for name in sys.argv[1:]))
    PAGE.write_text(f"{before}{_BEGIN}{table}{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
