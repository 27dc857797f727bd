"""From the text of a report, as a model wrote it, to what may be shown of it.

The text itself stays as it is: what is read from it here is data, and all that would have to be executed is kept apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from tablewright.report.assembly import Inserted, blocks_of
from tablewright.report.blocks import Block, ChartBlock, IsolatedHtml, ReportView, SavedCode
from tablewright.report.marks import Mark, marked, visible
from tablewright.report.markup import Element, tree_of
from tablewright.report.origins import OriginLink, linked_text
from tablewright.report.scripts import script_content

MOST_CHARACTERS = 200_000
"""What is read of a report. Forty times the length of a long one."""
MOST_CHARTS = 100
"""The charts of a report that are shown; scripts after them are isolated."""
_PLACE = "width:100%;height:400px"


def view_of(
    text: str,
    *,
    codes: frozenset[str] = frozenset(),
    images: Mapping[str, str] | None = None,
    links: Sequence[OriginLink] = (),
) -> ReportView:
    """Return what may be shown of a report in markdown or HTML.

    `codes` are the ids of the code that was saved from it, `images` the ids of artifacts by what a report may call them
    (their names and ids); other places of code and other images are left out. The numbers of `links` have their origin.
    """
    traced = linked_text(text[:MOST_CHARACTERS], links)
    found = marked(visible(traced.text), codes)
    root = tree_of(found.text)
    placement = _Placement(_ids(root))
    by_mark: dict[int, tuple[Block, ...]] = {}
    for at, mark in enumerate(found.marks):
        if mark.kind == "script":
            by_mark[at] = placement.script(mark)
        else:
            by_mark[at] = (SavedCode(code_id=mark.code_id, description=mark.content),)
    inserted = Inserted(
        marked=found,
        by_mark=by_mark,
        by_element=placement.by_element,
        images=images or {},
        traced=traced.pattern,
    )
    return ReportView(blocks=blocks_of(root, inserted), cut=len(text) > MOST_CHARACTERS)


class _Placement:
    """Decides where charts stand: in the element that their script names, else where the script stood."""

    def __init__(self, ids: frozenset[str]) -> None:
        self.by_element: dict[str, tuple[ChartBlock, ...]] = {}
        self._ids = ids
        self._room = MOST_CHARTS

    def script(self, mark: Mark) -> tuple[Block, ...]:
        """Return the blocks that stand where the script stood."""
        content = script_content(mark.content)
        reason = content.isolated
        here: list[Block] = []
        for found in content.charts:
            if self._room == 0:
                reason = "too_large"
                break
            self._room -= 1
            block = ChartBlock(option=found.chart.option, dropped=found.chart.dropped)
            if found.element in self._ids:
                self.by_element[found.element] = (*self.by_element.get(found.element, ()), block)
            else:
                here.append(block)
        if reason is not None:
            # The script finds the elements that it draws on.
            places = "".join(f'<div id="{escape(name)}" style="{_PLACE}"></div>' for name in content.elements)
            here.append(IsolatedHtml(html=places + mark.raw, reason=reason))
        return tuple(here)


def _ids(root: Element) -> frozenset[str]:
    found: set[str] = set()
    left = [root]
    while left:
        element = left.pop()
        found.add(element.attributes.get("id", ""))
        left.extend(child for child in element.children if isinstance(child, Element))
    return frozenset(found - {""})
