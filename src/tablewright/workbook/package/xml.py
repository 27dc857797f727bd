"""XML of a package: parsed without entities or network access, serialized as Office does."""

from __future__ import annotations

import re
from html import unescape as _unescape
from typing import Any

from lxml import etree

Element = Any
"""An lxml element; lxml ships no type information."""

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
SHAPES = "http://schemas.openxmlformats.org/drawingml/2006/main"
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"

_CODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CODE_LIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def parse(part: bytes) -> Element:
    """Parse a part. Errors: `etree.XMLSyntaxError`."""
    return etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False))


def serialized(root: Element) -> bytes:
    """Return a part's bytes, with the XML declaration that Office writes."""
    return b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + bytes(
        etree.tostring(root.getroottree().getroot())
    )


def main(name: str) -> str:
    """Return the qualified name of an element in the main spreadsheet namespace."""
    return f"{{{MAIN}}}{name}"


def local(element: Element) -> str:
    """Return an element's local name; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def child(parent: Element, name: str) -> Element | None:
    """Return the first child with this local name, or None."""
    return next((element for element in parent if local(element) == name), None)


def needed(parent: Element, name: str) -> Element:
    """Return the first child with this local name. Errors: `KeyError` if there is none."""
    if (found := child(parent, name)) is None:
        raise KeyError(name)
    return found


def children(parent: Element, name: str) -> list[Element]:
    """Return the children with this local name."""
    return [element for element in parent if local(element) == name]


def placed(parent: Element, name: str, order: tuple[str, ...]) -> Element:
    """Return the child `name`, created if necessary at its place in `order`, the schema's sequence."""
    if (found := child(parent, name)) is not None:
        return found
    made = parent.makeelement(main(name))
    insert_ordered(parent, made, order)
    return made


def insert_ordered(parent: Element, made: Element, order: tuple[str, ...]) -> None:
    """Insert a child after all those that come before it, or have the same name, in the schema's sequence."""
    before = set(order[: order.index(local(made)) + 1])
    index = 0
    for position, element in enumerate(parent):
        if local(element) in before:
            index = position + 1
    parent.insert(index, made)


def unescaped(text: bytes) -> str:
    """Return the text of an element's raw content, decoding XML entities and Excel's `_x000D_` escapes."""
    found = text.decode("utf-8", "replace")
    if "&" in found:
        found = _unescape(found)
    return decoded(found)


def decoded(text: str) -> str:
    """Decode Excel's `_x000D_` escapes."""
    return _CODED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def coded(text: str) -> str:
    """Escape characters that XML cannot represent, the way Excel does."""
    if "_x" in text:
        text = _CODE_LIKE.sub("_x005F_", text)
    text = _UNPRINTABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    return text.replace("\r", "_x000D_").encode("utf-8", "replace").decode()


def escaped(text: str) -> bytes:
    """Escape a text for use as an element's raw content."""
    text = coded(text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode("utf-8", "replace")
