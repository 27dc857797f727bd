// Notices in a person's words: a code of the catalogue with what fills it.
import { language } from "/page/base.js";

const words = {};
export async function learn() {
  const wanted = language;
  words[wanted] ??= await fetch(`/page/words/${wanted}.json`).then((response) => response.json()).catch(() => ({}));
}
export function told(notice) {
  if (notice.message) return notice.message;
  const known = words[language] || {}, given = { ...notice.params };
  given.detail ||= given.words;
  for (const [name, code] of [["kind", `kind_${given.kind}`], ["expected", given.expected], ["detail", given.detail]])
    if (known[code]) given[name] = fill(known[code], given);
  return known[notice.code] ? fill(known[notice.code], given) : notice.code;
}
const fill = (template, given) => template.replace(/\{(\w+)(?:[:!][^}]*)?\}/g, (_, name) => given[name] ?? "");
