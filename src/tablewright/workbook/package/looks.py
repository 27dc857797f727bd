"""How cells look: their styles with colours of themes and palettes resolved."""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass, field

from lxml import etree

from tablewright.workbook.package.book import Book
from tablewright.workbook.package.styles import Styles
from tablewright.workbook.package.xml import Element, child, local, parse
from tablewright.workbook.views import CellLook, Edge, RuleLook, Side

_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_RGB = re.compile(r"(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})")
_THEME = (
    "FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646", "0000FF",
    "800080",
)  # fmt: skip
"""What theme colours are in a file without a theme."""
_THEME_ORDER = (
    "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink",
)  # fmt: skip
_BRIGHT = ("000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF")
_PALETTE = (
    *_BRIGHT, *_BRIGHT, "800000", "008000", "000080", "808000", "800080", "008080", "C0C0C0", "808080", "9999FF",
    "993366", "FFFFCC", "CCFFFF", "660066", "FF8080", "0066CC", "CCCCFF", "000080", "FF00FF", "FFFF00", "00FFFF",
    "800080", "800000", "008080", "0000FF", "00CCFF", "CCFFFF", "CCFFCC", "FFFF99", "99CCFF", "FF99CC", "CC99FF",
    "FFCC99", "3366FF", "33CCCC", "99CC00", "FFCC00", "FF9900", "FF6600", "666699", "969696", "003366", "339966",
    "003300", "333300", "993300", "993366", "333399", "333333",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Colors:
    """The colours that a workbook's styles refer to by number."""

    theme: tuple[str, ...] = _THEME
    palette: tuple[str, ...] = _PALETTE

    def rgb(self, element: Element | None) -> str | None:
        """Return a colour as RRGGBB; None for the automatic one, and for what cannot be read."""
        if element is None:
            return None
        found = self._base(element)
        try:
            tint = float(element.get("tint", "0"))
        except ValueError:
            tint = 0.0
        return found if found is None or tint == 0 else tinted(found, tint)

    def _base(self, element: Element) -> str | None:
        if match := _RGB.fullmatch(element.get("rgb", "")):
            return match[1].upper()
        for name, known in (("theme", self.theme), ("indexed", self.palette)):
            number = element.get(name, "")
            if number.isdigit() and int(number) < len(known):
                return known[int(number)]
        return None


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of a workbook's styles by number, read as they are asked for."""

    styles: Styles
    colors: Colors
    _known: dict[int, CellLook] = field(default_factory=dict[int, CellLook])

    def __getitem__(self, style: int) -> CellLook:
        if style not in self._known:
            self._known[style] = self._read(style)
        return self._known[style]

    def _read(self, style: int) -> CellLook:
        font = self.styles.entry(style, "fonts", "fontId")
        code = self.styles.number_format(style)
        found = self.styles.alignment(style)
        placed: dict[str, str] = {} if found is None else dict(found.attrib)
        return CellLook(
            format=None if code == "General" else code,
            bold=_is_set(font, "b"),
            italic=_is_set(font, "i"),
            strike=_is_set(font, "strike"),
            underline=_is_set(font, "u"),
            size=_number(_value(font, "sz")),
            font=_value(font, "name"),
            color=self.colors.rgb(child(font, "color")) if font is not None else None,
            fill=self._fill(self.styles.entry(style, "fills", "fillId")),
            borders=self._borders(self.styles.entry(style, "borders", "borderId")),
            horizontal=placed.get("horizontal"),
            vertical=placed.get("vertical"),
            wrap=placed.get("wrapText", "0") in {"1", "true"},
            indent=min(int(indent), 250) if (indent := placed.get("indent", "0")).isdigit() else 0,
        )

    def differential(self, number: int) -> RuleLook:
        """Return what a numbered format of conditional formats sets, nothing where there is none of that number."""
        entry = self.styles.differential_entry(number)
        font = child(entry, "font") if entry is not None else None
        fill = child(entry, "fill") if entry is not None else None
        pattern = child(fill, "patternFill") if fill is not None else None
        names = ("bgColor", "fgColor")  # here a plain fill has its colour as the background
        fills = (self.colors.rgb(child(pattern, name)) for name in names if pattern is not None)
        return RuleLook(
            fill=next((found for found in fills if found), None) or self._gradient(fill),
            color=self.colors.rgb(child(font, "color")) if font is not None else None,
            bold=_set_or_not(font, "b"),
            italic=_set_or_not(font, "i"),
            underline=_set_or_not(font, "u"),
            strike=_set_or_not(font, "strike"),
        )

    def _fill(self, fill: Element | None) -> str | None:
        pattern = child(fill, "patternFill") if fill is not None else None
        if pattern is None or pattern.get("patternType", "none") == "none":
            return self._gradient(fill)
        names = ("fgColor", "bgColor") if pattern.get("patternType") == "solid" else ("bgColor", "fgColor")
        return next((found for name in names if (found := self.colors.rgb(child(pattern, name)))), None)

    def _gradient(self, fill: Element | None) -> str | None:
        """Return the first colour of a gradient, which is what one colour can say of it."""
        gradient = child(fill, "gradientFill") if fill is not None else None
        stop = child(gradient, "stop") if gradient is not None else None
        return self.colors.rgb(child(stop, "color")) if stop is not None else None

    def _borders(self, border: Element | None) -> dict[Side, Edge]:
        found: dict[Side, Edge] = {}
        for side in _SIDES if border is not None else ():
            edge = child(border, side)
            if edge is not None and (line := edge.get("style", "none")) != "none":
                found[side] = Edge(line=line[:20], color=self.colors.rgb(child(edge, "color")))
        return found


def looks_of(book: Book) -> Looks:
    """Return the looks of a workbook."""
    return Looks(book.shared.styles, Colors(_theme_of(book), _palette_of(book.shared.styles)))


def tinted(rgb: str, tint: float) -> str:
    """Return a colour made darker (tint down to -1) or lighter (up to 1)."""
    red, green, blue = (int(rgb[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, depth = colorsys.rgb_to_hls(red, green, blue)
    tint = max(-1.0, min(1.0, tint))
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, light, depth))


def _theme_of(book: Book) -> tuple[str, ...]:
    parts = book.related("theme")
    try:
        root = parse(book.archive[parts[0]]) if parts else None
    except etree.XMLSyntaxError:
        root = None
    scheme = next((entry for entry in root.iter() if local(entry) == "clrScheme"), None) if root is not None else None
    if scheme is None:
        return _THEME
    return tuple(_scheme_color(child(scheme, name)) or usual for name, usual in zip(_THEME_ORDER, _THEME, strict=True))


def _scheme_color(entry: Element | None) -> str | None:
    for color in entry if entry is not None else ():
        match = _RGB.fullmatch(color.get("lastClr") or color.get("val", ""))
        if match:
            return match[1].upper()
    return None


def _palette_of(styles: Styles) -> tuple[str, ...]:
    own = styles.indexed_colors()
    return tuple(own) + _PALETTE[len(own) :] if own else _PALETTE


def _is_set(font: Element | None, name: str) -> bool:
    mark = child(font, name) if font is not None else None
    return mark is not None and mark.get("val", "1") not in {"0", "false", "none"}


def _set_or_not(font: Element | None, name: str) -> bool | None:
    """Return whether a font sets or takes away a mark; None where it says nothing of it."""
    return _is_set(font, name) if font is not None and child(font, name) is not None else None


def _value(font: Element | None, name: str) -> str | None:
    mark = child(font, name) if font is not None else None
    return None if mark is None else mark.get("val", "")[:100] or None


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else min(max(float(text), 1.0), 409.0)
    except ValueError:
        return None
