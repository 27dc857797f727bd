"""A pivot table put into a workbook that xlsxwriter made, part by part."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.support.workbooks import read_parts

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

CACHE = (
    f'{_HEAD}<pivotCacheDefinition xmlns="{_MAIN}" xmlns:r="{_RELS}" r:id="rId1" refreshOnLoad="1" recordCount="3">'
    '<cacheSource type="worksheet"><worksheetSource ref="A1:B4" sheet="Data"/></cacheSource><cacheFields count="2">'
    '<cacheField name="Region"><sharedItems count="2"><s v="East"/><s v="West"/></sharedItems></cacheField>'
    '<cacheField name="Amount"><sharedItems containsSemiMixedTypes="0" containsString="0" containsNumber="1"'
    ' minValue="1" maxValue="9"/></cacheField></cacheFields></pivotCacheDefinition>'
)
RECORDS = (
    f'{_HEAD}<pivotCacheRecords xmlns="{_MAIN}" xmlns:r="{_RELS}" count="3"><r><x v="0"/><n v="1"/></r>'
    '<r><x v="1"/><n v="5"/></r><r><x v="0"/><n v="9"/></r></pivotCacheRecords>'
)
TABLE = (
    f'{_HEAD}<pivotTableDefinition xmlns="{_MAIN}" name="Pivot1" cacheId="7" dataCaption="Values" updatedVersion="6"'
    ' minRefreshableVersion="3" createdVersion="6" outline="1" outlineData="1">'
    '<location ref="A1:B4" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/><pivotFields count="2">'
    '<pivotField axis="axisRow" showAll="0"><items count="3"><item x="0"/><item x="1"/><item t="default"/></items>'
    '</pivotField><pivotField dataField="1" showAll="0"/></pivotFields><rowFields count="1"><field x="0"/></rowFields>'
    '<rowItems count="3"><i><x/></i><i><x v="1"/></i><i t="grand"><x/></i></rowItems>'
    '<colItems count="1"><i/></colItems><dataFields count="1"><dataField name="Sum of Amount" fld="1"/></dataFields>'
    "</pivotTableDefinition>"
)


def add_pivot(path: Path, *, data: str, on: str) -> Path:
    """Add a pivot over A1:B4 of the sheet `data` to the sheet part `on` (such as `sheet2`); returns `path`."""
    parts = read_parts(path)
    relations = f"xl/worksheets/_rels/{on}.xml.rels"
    parts |= {
        "xl/pivotCache/pivotCacheDefinition1.xml": CACHE.replace("Data", data).encode(),
        "xl/pivotCache/pivotCacheRecords1.xml": RECORDS.encode(),
        "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": _relations("pivotCacheRecords", "pivotCacheRecords1.xml"),
        "xl/pivotTables/pivotTable1.xml": TABLE.encode(),
        "xl/pivotTables/_rels/pivotTable1.xml.rels": _relations(
            "pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml"
        ),
        relations: _with(parts.get(relations), "pivotTable", "../pivotTables/pivotTable1.xml"),
        "xl/_rels/workbook.xml.rels": _with(
            parts["xl/_rels/workbook.xml.rels"], "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"
        ),
        "xl/workbook.xml": _before(
            parts["xl/workbook.xml"],
            b"</workbook>",
            '<pivotCaches><pivotCache cacheId="7" r:id="rIdPivot"/></pivotCaches>',
        ),
        "[Content_Types].xml": _before(
            parts["[Content_Types].xml"],
            b"</Types>",
            f'<Override PartName="/xl/pivotCache/pivotCacheDefinition1.xml" '
            f'ContentType="{_TYPE}.pivotCacheDefinition+xml"/>'
            f'<Override PartName="/xl/pivotCache/pivotCacheRecords1.xml" ContentType="{_TYPE}.pivotCacheRecords+xml"/>'
            f'<Override PartName="/xl/pivotTables/pivotTable1.xml" ContentType="{_TYPE}.pivotTable+xml"/>',
        ),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


def _relations(kind: str, target: str) -> bytes:
    return (
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" Type="{_RELS}/{kind}" Target="{target}"/>'
        "</Relationships>"
    ).encode()


def _with(relations: bytes | None, kind: str, target: str) -> bytes:
    if relations is None:
        return _relations(kind, target)
    added = f'<Relationship Id="rIdPivot" Type="{_RELS}/{kind}" Target="{target}"/>'
    return _before(relations, b"</Relationships>", added)


def _before(part: bytes, end: bytes, added: str) -> bytes:
    return part.replace(end, added.encode() + end)
