import i18n from "i18next";
import { client } from "../api/queries";
import type { Notice } from "../api/types";

/** A notice in a person's words: a template of the server's catalogue, with what fills it. */
export function told(notice: Notice): string {
  if (notice.message) return notice.message;
  const known = client.getQueryData<Record<string, string>>(["words", i18n.language]) ?? {};
  const given: Record<string, unknown> = { ...notice.params };
  given.detail ||= given.words;
  const names = { kind: `kind_${given.kind}`, expected: String(given.expected), detail: String(given.detail) };
  for (const [name, code] of Object.entries(names)) if (known[code]) given[name] = fill(known[code], given);
  const template = known[notice.code];
  return template ? fill(template, given) : notice.code;
}

// With two words in place of a format, `{count:row|rows}`, it is the one that agrees with the number.
const fill = (template: string, given: Record<string, unknown>) =>
  template.replace(/\{(\w+)(?:[:!]([^}]*))?\}/g, (_, name: string, format = "") => {
    const value = String(given[name] ?? "");
    const [one, several] = format.split("|");
    return several === undefined ? value : value === "1" ? one : several;
  });
