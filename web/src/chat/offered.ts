const MARK = /^\s*(?:[-*·•]|\d+[.)、])\s*/;
const HEADING = /[:：]\s*$/;

/** The text without the lines that only list questions which are offered as buttons, and without their heading. Text
 * that numbers point into (`upTo`: the end of the last) stays as it is. */
export function withoutOffered(text: string, questions: string[], upTo = 0): string {
  const offered = new Set(questions);
  const lines = text.split("\n");
  const kept: string[] = [];
  let place = 0;
  for (const line of lines) {
    const start = place;
    place += [...line].length + 1;
    if (start < upTo || !offered.has(line.replace(MARK, "").trim())) {
      kept.push(line);
      continue;
    }
    if (HEADING.test(kept.at(-1) ?? "") && start - 1 > upTo) kept.pop();
  }
  return kept.length === lines.length ? text : kept.join("\n").trimEnd();
}
