"""Cell formats. A change derives a new combination from an existing one; existing combinations are never altered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from tablewright.workbook.package.xml import Element, child, children, insert_ordered, main, parse, placed, serialized
from tablewright.workbook.values import is_date_format

ORDER = (
    "numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs", "tableStyles", "colors",
    "extLst",
)  # fmt: skip
_FONT_ORDER = (
    "b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name", "family",
    "charset", "scheme",
)  # fmt: skip
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm", 37: "#,##0 ;(#,##0)", 38: "#,##0 ;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
    48: "##0.0E+0", 49: "@",
}  # fmt: skip
_FIRST_OWN = 164
_EMPTY = (
    b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz '
    b'val="11"/>'
    b'<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>'
    b'<patternFill patternType="gray125"/></fill></fills><borders '
    b'count="1"><border><left/><right/><top/><bottom/><diagonal/>'
    b'</border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    b'<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>'
)

_FORMAT_PARTS = ("alignment", "protection", "extLst")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatChange:
    """A change to a cell's format; None leaves an attribute as it is.

    `fill` is RRGGBB, or empty for none. `borders` maps sides to a line style or `none`.
    """

    number_format: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    size: float | None = None
    font_name: str | None = None
    color: str | None = None
    fill: str | None = None
    borders: tuple[tuple[str, str], ...] = ()
    border_color: str = "000000"
    horizontal: str | None = None
    vertical: str | None = None
    wrap: bool | None = None
    locked: bool | None = None


class Styles:
    """The formats of a workbook by style number, as stored in cells."""

    def __init__(self, part: bytes | None) -> None:
        self._root = parse(part or _EMPTY)
        self._formats = placed(self._root, "cellXfs", ORDER)
        if not len(self._formats):
            etree.SubElement(self._formats, main("xf"), numFmtId="0", fontId="0", fillId="0", borderId="0")
        self._made: dict[tuple[int, FormatChange], int] = {}
        self._codes = self._own_codes()
        self._dates: dict[int, bool] = {}
        self.changed = part is None

    def xml(self) -> bytes:
        """Return the bytes of the part."""
        return serialized(self._root)

    def number_format(self, style: int) -> str:
        """Return the number format of a style."""
        number = int(self._format(style).get("numFmtId", "0") or 0)
        return self._codes.get(number) or _BUILT_IN.get(number, "General")

    def is_date(self, style: int) -> bool:
        """Whether the style shows numbers as dates or times."""
        if style not in self._dates:
            number = int(self._format(style).get("numFmtId", "0") or 0)
            self._dates[style] = is_date_format(self._codes.get(number, ""), number)
        return self._dates[style]

    def fill(self, style: int) -> str | None:
        """Return a cell's background colour as RRGGBB, if the style sets one."""
        fills = child(self._root, "fills")
        index = int(self._format(style).get("fillId", "0") or 0)
        if fills is None or index >= len(fills):
            return None
        pattern = child(fills[index], "patternFill")
        color = child(pattern, "fgColor") if pattern is not None and pattern.get("patternType") == "solid" else None
        return color.get("rgb", "")[-6:] or None if color is not None else None

    def bold(self, style: int) -> bool:
        """Whether the style's font is bold."""
        fonts = child(self._root, "fonts")
        index = int(self._format(style).get("fontId", "0") or 0)
        mark = child(fonts[index], "b") if fonts is not None and index < len(fonts) else None
        return mark is not None and mark.get("val", "1") not in {"0", "false"}

    def entry(self, style: int, kind: str, index: str) -> Element | None:
        """Return the font, fill or border of a style: that of the list `kind` which its attribute `index` names."""
        found = child(self._root, kind)
        number = self._format(style).get(index, "0")
        return found[int(number)] if found is not None and number.isdigit() and int(number) < len(found) else None

    def font_sizes(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each style with the size of its letters, in points as it is written."""
        fonts = child(self._root, "fonts")
        sizes = [child(font, "sz") for font in fonts] if fonts is not None else []
        for style, entry in enumerate(self._formats):
            index = entry.get("fontId", "")
            size = sizes[int(index)] if index.isdigit() and int(index) < len(sizes) else None
            if size is not None:
                yield style, size.get("val", "")

    def wrapping(self) -> Iterator[int]:
        """Yield the number of each style that breaks its text into lines."""
        for style, entry in enumerate(self._formats):
            found = child(entry, "alignment")
            if found is not None and found.get("wrapText", "0") in {"1", "true"}:
                yield style

    def alignment(self, style: int) -> Element | None:
        """Return how a style aligns, if it says so."""
        return child(self._format(style), "alignment")

    def indexed_colors(self) -> list[str]:
        """Return the workbook's own palette as RRGGBB, if it has one."""
        colors = child(self._root, "colors")
        own = child(colors, "indexedColors") if colors is not None else None
        return [entry.get("rgb", "")[-6:] for entry in children(own, "rgbColor")] if own is not None else []

    def changed_by(self, style: int, change: FormatChange) -> int:
        """Return the number of the style that results from applying `change` to `style`, created if necessary."""
        if (style, change) not in self._made:
            self._made[style, change] = self._derived(style, change)
        return self._made[style, change]

    def differential(self, fill: str) -> int:
        """Add a fill for conditional formats and return its number."""
        self.changed = True
        formats = placed(self._root, "dxfs", ORDER)
        made = etree.SubElement(formats, main("dxf"))
        pattern = etree.SubElement(etree.SubElement(made, main("fill")), main("patternFill"))
        etree.SubElement(pattern, main("bgColor"), rgb=f"FF{fill}")
        formats.set("count", str(len(formats)))
        return len(formats) - 1

    def differential_entry(self, number: int) -> Element | None:
        """Return a format of conditional formats by its number."""
        formats = child(self._root, "dxfs")
        entries = children(formats, "dxf") if formats is not None else []
        return entries[number] if 0 <= number < len(entries) else None

    def _format(self, style: int) -> Element:
        return self._formats[style if 0 <= style < len(self._formats) else 0]

    def _own_codes(self) -> dict[int, str]:
        formats = child(self._root, "numFmts")
        found = children(formats, "numFmt") if formats is not None else []
        return {int(entry.get("numFmtId", "0")): entry.get("formatCode", "") for entry in found}

    def _derived(self, style: int, change: FormatChange) -> int:
        self.changed = True
        made = deepcopy(self._format(style))
        if change.number_format is not None:
            made.set("numFmtId", str(self._number(change.number_format)))
            made.set("applyNumberFormat", "1")
        if (font := self._font(made, change)) is not None:
            made.set("fontId", str(font))
            made.set("applyFont", "1")
        if change.fill is not None:
            made.set("fillId", str(self._fill(change.fill)))
            made.set("applyFill", "1")
        if change.borders:
            made.set("borderId", str(self._border(made, change)))
            made.set("applyBorder", "1")
        _align(made, change)
        if change.locked is not None:
            placed(made, "protection", _FORMAT_PARTS).set("locked", str(int(change.locked)))
            made.set("applyProtection", "1")
        return self._kept(self._formats, made)

    def _kept(self, parent: Element, made: Element) -> int:
        """Add an entry unless an equal one exists, and return its index."""
        text = etree.tostring(made, with_tail=False)
        for index, entry in enumerate(parent):
            if etree.tostring(entry, with_tail=False) == text:
                return index
        parent.append(made)
        parent.set("count", str(len(parent)))
        return len(parent) - 1

    def _number(self, code: str) -> int:
        for number, known in [*_BUILT_IN.items(), *self._codes.items()]:
            if known == code:
                return number
        formats = placed(self._root, "numFmts", ORDER)
        number = max([_FIRST_OWN - 1, *self._codes]) + 1
        etree.SubElement(formats, main("numFmt"), numFmtId=str(number), formatCode=code)
        formats.set("count", str(len(formats)))
        self._codes[number] = code
        return number

    def _font(self, made: Element, change: FormatChange) -> int | None:
        given = (change.bold, change.italic, change.underline, change.size, change.font_name, change.color)
        if all(part is None for part in given):
            return None
        fonts = placed(self._root, "fonts", ORDER)
        index = int(made.get("fontId", "0") or 0)
        font = deepcopy(fonts[index]) if index < len(fonts) else etree.Element(main("font"))
        for name, wanted in (("b", change.bold), ("i", change.italic), ("u", change.underline)):
            if wanted is not None:
                _set_font(font, name, {} if wanted else None)
        if change.size is not None:
            _set_font(font, "sz", {"val": f"{change.size:g}"})
        if change.color is not None:
            _set_font(font, "color", {"rgb": f"FF{change.color}"})
        if change.font_name is not None:
            _set_font(font, "name", {"val": change.font_name})
            _set_font(font, "scheme", None)
        return self._kept(fonts, font)

    def _fill(self, color: str) -> int:
        if not color:
            return 0
        fill = etree.Element(main("fill"), nsmap=self._root.nsmap)
        pattern = etree.SubElement(fill, main("patternFill"), patternType="solid")
        etree.SubElement(pattern, main("fgColor"), rgb=f"FF{color}")
        etree.SubElement(pattern, main("bgColor"), indexed="64")
        return self._kept(placed(self._root, "fills", ORDER), fill)

    def _border(self, made: Element, change: FormatChange) -> int:
        borders = placed(self._root, "borders", ORDER)
        index = int(made.get("borderId", "0") or 0)
        border = deepcopy(borders[index]) if index < len(borders) else etree.Element(main("border"))
        for side, line in change.borders:
            edge = placed(border, side, ("left", "right", "top", "bottom", "diagonal"))
            for part in list(edge):
                edge.remove(part)
            edge.attrib.pop("style", None)
            if line != "none":
                edge.set("style", line)
                etree.SubElement(edge, main("color"), rgb=f"FF{change.border_color}")
        return self._kept(borders, border)


def rgb(color: str) -> str | None:
    """Return a colour as RRGGBB, or None if it is unknown.

    Accepts RRGGBB, `#RRGGBB`, `AARRGGBB`, and plain colour names in Chinese or English.
    """
    text = color.strip().lstrip("#").casefold()
    if re.fullmatch(r"[0-9a-f]{6}", text):
        return text.upper()
    if re.fullmatch(r"[0-9a-f]{8}", text):
        return text[2:].upper()
    return NAMED_COLORS.get(text) or NAMED_COLORS.get(text.removesuffix("色"))


NAMED_COLORS = {
    "yellow": "FFFF00", "red": "FF0000", "green": "92D050", "blue": "5B9BD5", "orange": "FFC000", "purple": "B381D9",
    "pink": "FFC0CB", "gray": "BFBFBF", "grey": "BFBFBF", "white": "FFFFFF", "black": "000000", "brown": "C08552",
    "cyan": "00FFFF", "lightblue": "DDEBF7", "lightgreen": "E2EFDA", "lightyellow": "FFF2CC", "lightgray": "EDEDED",
    "light blue": "DDEBF7", "light green": "E2EFDA", "light yellow": "FFF2CC", "light red": "FFC7CE",
    "darkred": "C00000",
    "黄": "FFFF00", "红": "FF0000", "绿": "92D050", "蓝": "5B9BD5", "橙": "FFC000", "紫": "B381D9", "粉": "FFC0CB",
    "灰": "BFBFBF", "白": "FFFFFF", "黑": "000000", "棕": "C08552", "青": "00FFFF", "浅蓝": "DDEBF7", "浅绿": "E2EFDA",
    "浅黄": "FFF2CC", "浅红": "FFC7CE", "浅灰": "EDEDED", "深红": "C00000",
}  # fmt: skip


def _set_font(font: Element, name: str, attributes: dict[str, str] | None) -> None:
    if (old := child(font, name)) is not None:
        font.remove(old)
    if attributes is not None:
        made = font.makeelement(main(name), attributes)
        insert_ordered(font, made, _FONT_ORDER)


def _align(made: Element, change: FormatChange) -> None:
    wanted = {
        "horizontal": change.horizontal, "vertical": change.vertical,
        "wrapText": None if change.wrap is None else str(int(change.wrap)),
    }  # fmt: skip
    given = {name: value for name, value in wanted.items() if value is not None}
    if given:
        alignment = placed(made, "alignment", _FORMAT_PARTS)
        for name, value in given.items():
            alignment.set(name, value)
        made.set("applyAlignment", "1")
