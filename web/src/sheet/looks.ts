// How cells look: the server's looks as styles, made once for each of a version.
import type { CSSProperties } from "react";
import type { Cell } from "../api/types";
import type { Edge, Look } from "./types";

const HEX = /^[0-9A-F]{6}$/i;
const WIDTHS: Record<string, string> = {
  thick: "3px",
  medium: "2px",
  mediumDashed: "2px",
  mediumDashDot: "2px",
  mediumDashDotDot: "2px",
  double: "3px",
};
const FONT = /["';{}()\\<>]/g;

function line(edge: Edge): string {
  const kind =
    edge.line === "double"
      ? "double"
      : /dash/i.test(edge.line)
        ? "dashed"
        : /dot|hair/i.test(edge.line)
          ? "dotted"
          : "solid";
  return `${WIDTHS[edge.line] ?? "1px"} ${kind} ${edge.color && HEX.test(edge.color) ? `#${edge.color}` : "#444"}`;
}
/** Whether black or white is read better on a colour. */
export function inkOn(fill: string): string {
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(fill.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? "#111111" : "#f5f5f5";
}
function fontOf(look: Look): CSSProperties {
  const style: CSSProperties = {};
  if (look.bold) style.fontWeight = 700;
  if (look.italic) style.fontStyle = "italic";
  const lines = [look.underline && "underline", look.strike && "line-through"].filter(Boolean);
  if (lines.length) style.textDecoration = lines.join(" ");
  if (look.size && look.size !== 11) style.fontSize = `${Math.round(look.size * 1.18 * 10) / 10}px`;
  if (look.font && !/^(calibri|arial|等线|宋体)$/i.test(look.font))
    style.fontFamily = `"${look.font.replace(FONT, "")}", system-ui, sans-serif`;
  return style;
}
/** The style of a look. A colour that the file chose stays on a fill that it chose; black text follows the theme. */
export function styleOf(look: Look): CSSProperties {
  const style = fontOf(look);
  const fill = look.fill && HEX.test(look.fill) ? look.fill : null;
  const color = look.color && HEX.test(look.color) && look.color !== "000000" ? look.color : null;
  if (fill) {
    style.backgroundColor = `#${fill}`;
    style.color = color ? `#${color}` : inkOn(fill);
  } else if (color) style.color = `light-dark(#${color}, color-mix(in srgb, #${color} 55%, white))`;
  for (const side of ["left", "right", "top", "bottom"] as const) {
    const edge = look.borders?.[side];
    if (edge) style[`border${side[0]?.toUpperCase()}${side.slice(1)}` as "borderLeft"] = line(edge);
  }
  if (look.wrap) {
    style.whiteSpace = "pre-wrap";
    style.overflowWrap = "anywhere";
  }
  const place = look.vertical === "top" ? "flex-start" : look.vertical === "center" ? "center" : null;
  if (place) {
    style.alignItems = place;
    style.alignContent = place;
  }
  if (look.indent) style.paddingInlineStart = `${4 + look.indent * 9}px`;
  return style;
}
/** Where a value stands in its cell. */
export function alignOf(value: Cell, look: Look | undefined): "left" | "center" | "right" {
  const wanted = look?.horizontal;
  if (wanted === "left" || wanted === "right" || wanted === "center") return wanted;
  if (wanted === "centerContinuous" || wanted === "distributed") return "center";
  if (typeof value === "number") return "right";
  return typeof value === "boolean" || (typeof value === "string" && /^#[A-Z/0]+[!?]?$/.test(value))
    ? "center"
    : "left";
}
