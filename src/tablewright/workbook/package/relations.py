"""Relationships between the parts of a package, and the parts' content types."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from lxml import etree

from tablewright.workbook.package.archive import Archive
from tablewright.workbook.package.xml import PACKAGE, RELATIONS, TYPES, children, parse, serialized

CONTENT_TYPES = "[Content_Types].xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One relationship of a part. `target` is the other part's name, or an address if `outside`."""

    id: str
    kind: str
    target: str
    outside: bool = False


def relations(archive: Archive, part: str) -> list[Relation]:
    """Return the relationships of a part; an empty name means the package itself."""
    name = relations_name(part)
    if name not in archive:
        return []
    return [
        Relation(
            id=entry.get("Id", ""), kind=entry.get("Type", "").rpartition("/")[2],
            target=resolved(part,
                entry.get("Target", "")) if entry.get("TargetMode") != "External" else entry.get("Target", ""),
            outside=entry.get("TargetMode") == "External",
        )
        for entry in children(parse(archive[name]), "Relationship")
    ]  # fmt: skip


def related(archive: Archive, part: str, kind: str) -> list[str]:
    """Return the existing parts that `part` has a relationship of type `kind` to."""
    found = (relation.target for relation in relations(archive, part) if relation.kind == kind and not relation.outside)
    return [target for target in found if target in archive]


def relations_name(part: str) -> str:
    """Return the name of the part that stores another part's relationships."""
    folder, _, file = part.rpartition("/")
    return f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"


def resolved(part: str, target: str) -> str:
    """Resolve a relationship target to the name of a part."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), target))


def relate(archive: Archive, part: str, kind: str, target: str) -> str:
    """Add a relationship from `part` to `target` and return its id."""
    name = relations_name(part)
    root = (
        parse(archive[name]) if name in archive else etree.Element(f"{{{PACKAGE}}}Relationships", nsmap={None: PACKAGE})
    )
    taken = {entry.get("Id") for entry in root}
    number = len(taken) + 1
    while f"rId{number}" in taken:
        number += 1
    written = posixpath.relpath(target, posixpath.dirname(part) or ".")
    etree.SubElement(
        root, f"{{{PACKAGE}}}Relationship", Id=f"rId{number}",
        Type=kind if kind.startswith("http") else f"{RELATIONS}/{kind}", Target=written,
    )  # fmt: skip
    archive[name] = serialized(root)
    return f"rId{number}"


def unrelate(archive: Archive, part: str, target: str) -> None:
    """Remove the relationships from `part` to `target`."""
    name = relations_name(part)
    if name not in archive:
        return
    root = parse(archive[name])
    for entry in list(root):
        if resolved(part, entry.get("Target", "")) == target:
            root.remove(entry)
    archive[name] = serialized(root)


def declare(archive: Archive, part: str, content_type: str) -> None:
    """Declare the content type of a new part."""
    root = parse(archive[CONTENT_TYPES])
    etree.SubElement(root, f"{{{TYPES}}}Override", PartName=f"/{part}", ContentType=content_type)
    archive[CONTENT_TYPES] = serialized(root)


def declare_default(archive: Archive, extension: str, content_type: str) -> None:
    """Declare the content type of parts with an extension, unless it is declared already."""
    root = parse(archive[CONTENT_TYPES])
    if not any(entry.get("Extension", "").lower() == extension for entry in children(root, "Default")):
        made = etree.Element(f"{{{TYPES}}}Default", Extension=extension, ContentType=content_type)
        root.insert(0, made)
        archive[CONTENT_TYPES] = serialized(root)


def remove(archive: Archive, part: str) -> None:
    """Remove a part, its relationships and its declaration; references to it are up to the caller."""
    del archive[part]
    if (own := relations_name(part)) in archive:
        del archive[own]
    root = parse(archive[CONTENT_TYPES])
    for entry in children(root, "Override"):
        if entry.get("PartName", "").lstrip("/") == part:
            root.remove(entry)
    archive[CONTENT_TYPES] = serialized(root)


def free_part(archive: Archive, pattern: str) -> str:
    """Return the first unused part name that matches `pattern`, such as `xl/charts/chart{}.xml`."""
    taken = {name.casefold() for name in archive.names()}
    number = 1
    while pattern.format(number).casefold() in taken:
        number += 1
    return pattern.format(number)
