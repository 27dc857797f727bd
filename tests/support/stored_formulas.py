"""Workbooks whose formulas store values that cannot all be computed anew."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.support.workbooks import read_parts, write_xlsx

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
UNCOMPUTABLE = {
    "function of an add-in": "<f>_xll.RATE2(A1)</f><v>11</v>",
    "cube": '<f>CUBEVALUE("c","m")</f><v>12</v>',
    "pivot": '<f>GETPIVOTDATA("x",A1)</f><v>13</v>',
    "name of an add-in": "<f>HiddenRate*2</f><v>14</v>",
    "other workbook": "<f>[1]Sheet1!A1*2</f><v>15</v>",
    "other workbook, quoted": "<f>'[1]My Sheet'!A1</f><v>16</v>",
    "three sheets": "<f>SUM(Data:Other!A1)</f><v>17</v>",
    "called lambda": "<f>_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(3)</f><v>18</v>",
    "surroundings": '<f>CELL("width",A1)</f><v>19</v>',
    "intersection": "<f>A1:A3 A2:B2</f><v>20</v>",
    "data table": '<f t="dataTable" ref="C5:C5" dt2D="0" dtr="0" r1="A1"/><v>21</v>',
    "unreadable": "<f>A1 +* 3</f><v>22</v>",
}
COMPUTABLE = {
    "empty text": ' t="str"><f>IF(A1&gt;0,"","x")</f><v></v>',
    "error": ' t="e"><f>NA()</f><v>#N/A</v>',
    "yes or no": ' t="b"><f>A1&gt;0</f><v>1</v>',
    "empty cell": "><f>Z99</f><v>0</v>",
    "array": '><f t="array" ref="C5">SUM(A1:A3*2)</f><v>12</v>',
}


def write_stored(path: Path, cells: Mapping[str, str], *, prefixed: bool = False) -> Path:
    """Write a sheet `Data` with 1, 2, 3 in A1:A3 and these cells (attributes and content as XML), and a sheet `Other`.

    With `prefixed`, as only the fallback reads it.
    """
    given = {"A1": "><v>1</v>", "A2": "><v>2</v>", "A3": "><v>3</v>", "B2": "><v>2</v>", **cells}
    rows: dict[int, str] = {}
    for name in sorted(given, key=lambda name: (int(name[1:]), name)):
        rows[int(name[1:])] = rows.get(int(name[1:]), "") + f'<c r="{name}"{given[name]}</c>'
    data = "".join(f'<row r="{number}">{row}</row>' for number, row in rows.items())
    parts = read_parts(write_xlsx(path, {"Data": [[1]], "Other": [[1]]}))
    part = f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData></worksheet>'.encode()
    if prefixed:
        part = re.sub(rb"<(/?)(?=[a-zA-Z])", rb"<\1x:", part).replace(b"xmlns=", b"xmlns:x=")
    parts["xl/worksheets/sheet1.xml"] = part
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path
