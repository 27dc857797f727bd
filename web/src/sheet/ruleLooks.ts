// What conditional formats add to cells: over their own looks, as bars behind and as icons before their values.
import type { CSSProperties } from "react";
import type { Look, RuleLook } from "./types";

const HEX = /^[0-9A-F]{6}$/i;
const made = new WeakMap<RuleLook, WeakMap<Look, Look>>();
const PLAIN: Look = {};

/** The look of a cell with what rules add to it; the same two give the same one, so that its style is made once. */
export function ruled(look: Look | undefined, rule: RuleLook | undefined): Look | undefined {
  if (!rule) return look;
  const own = look ?? PLAIN;
  const known = made.get(rule) ?? new WeakMap<Look, Look>();
  made.set(rule, known);
  let found = known.get(own);
  if (!found) {
    const set = Object.entries(rule).filter(([name, value]) => name in SETS && value !== null && value !== undefined);
    found = { ...own, ...Object.fromEntries(set) };
    known.set(own, found);
  }
  return found;
}
const SETS = { fill: 1, color: 1, bold: 1, italic: 1, underline: 1, strike: 1 };

/** A bar behind the value. */
export function barOf(rule: RuleLook): CSSProperties {
  if (rule.bar === null || rule.bar === undefined || !rule.bar_color || !HEX.test(rule.bar_color)) return {};
  const color = `color-mix(in srgb, #${rule.bar_color} 55%, transparent)`;
  const end = `${Math.round(rule.bar * 100)}%`;
  return { backgroundImage: `linear-gradient(to right, ${color} ${end}, transparent ${end})` };
}

const SIGNS: [RegExp, string[]][] = [
  [/Arrows/, ["▼", "◢", "▶", "◥", "▲"]],
  [/Triangles/, ["▼", "▬", "▲"]],
  [/Flags/, ["⚑"]],
  [/Stars/, ["☆", "✬", "★"]],
  [/Symbols/, ["✖", "!", "✔"]],
  [/Quarters/, ["○", "◔", "◑", "◕", "●"]],
  [/Rating|Boxes/, ["▁", "▂", "▄", "▆", "█"]],
];
const COLORS = ["#d03b3b", "#d9822b", "#c79a00", "#7a9a2b", "#2f9e44"];

/** The sign and colour of an icon such as `3Arrows:2`: the lowest is red and the highest green, but for grey sets. */
export function iconOf(name: string): { sign: string; color: string } {
  const [kind = "", place = "0"] = name.split(":");
  const count = Math.max(2, Number.parseInt(kind, 10) || 3);
  const share = Math.min(1, Math.max(0, Number(place) / (count - 1)));
  const signs = SIGNS.find(([test]) => test.test(kind))?.[1] ?? ["●"];
  const at = (list: string[]) => list[Math.round(share * (list.length - 1))] ?? "●";
  return { sign: at(signs), color: /Gray|Quarters/.test(kind) ? "currentColor" : at(COLORS) };
}
