// What a frame draws of an option that somebody else wrote: data and looks, nothing that loads, links or is HTML.
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const PARTS = new Set(
  "angleAxis animation aria backgroundColor calendar color dataZoom dataset darkMode grid legend parallel parallelAxis polar radar radiusAxis series singleAxis textStyle title tooltip useUTC visualMap xAxis yAxis".split(
    " ",
  ),
);
const REFUSED = new Set(
  "appendTo appendToBody className extraCssText graphic image link renderItem renderMode rich sublink subtarget target toolbox transform __proto__ constructor prototype".split(
    " ",
  ),
);
const SYMBOLS = new Set("arrow circle diamond emptyCircle none pin rect roundRect triangle".split(" "));
const LOADING = /image:\/\/|url\s*\(|javascript:|data:|expression\s*\(|@import|\\/i;
const TEXTS = new Set("data categories nodes links edges source name text subtext".split(" "));
const MOST_NODES = 400_000;
const MOST_DEPTH = 24;
const MOST_TEXT = 2_000;

function isRefused(key: string, value: Json): boolean {
  if (REFUSED.has(key) || key.startsWith("on")) return true;
  const words = (Array.isArray(value) ? value.slice(0, 100) : [value]).filter((word) => typeof word === "string");
  if (key === "symbol" || key === "icon") return words.some((word) => !SYMBOLS.has(word));
  if (key.toLowerCase().endsWith("formatter")) return words.some((word) => word.includes("<") || word.length > 200);
  return !TEXTS.has(key) && words.some((word) => LOADING.test(word));
}

/** Returns what may be drawn of an option. Raises an error where it is no option, or a boundless one. */
export function sieved(given: unknown): { [key: string]: Json } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("no option");
  let nodes = 0;
  const kept = (value: Json, key: string, depth: number): Json => {
    if (++nodes > MOST_NODES || depth > MOST_DEPTH) throw new Error("too large");
    if (Array.isArray(value)) return value.map((one) => kept(one, key, depth + 1));
    if (typeof value === "object" && value !== null) return members(value, depth);
    return typeof value === "string" ? value.slice(0, MOST_TEXT) : value;
  };
  const members = (value: { [key: string]: Json }, depth: number): { [key: string]: Json } => {
    const made: { [key: string]: Json } = {};
    for (const [key, one] of Object.entries(value)) if (!isRefused(key, one)) made[key] = kept(one, key, depth + 1);
    return made;
  };
  const option = given as { [key: string]: Json };
  return members(Object.fromEntries(Object.entries(option).filter(([key]) => PARTS.has(key))), 0);
}
