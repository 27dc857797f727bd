/** A number within a text, by its place in characters, and the step that made it; null where none did. */
export interface Mark {
  start: number;
  end: number;
  step: string | null;
}
export const STEP = "#step-";
export const UNPROVEN = "#unproven";

/** What markdown would read as more than itself. */
const MARKUP = /[*_~`#[\]<>|\\&]/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const LETTER = /[\p{L}\p{N}]/u;
const MOST_VALUES = 200;

/** The values of cells that must be written so that they read as they are. */
export function literalsOf(rows: Iterable<readonly unknown[]>): string[] {
  const found = new Set<string>();
  for (const row of rows)
    for (const cell of row)
      if (typeof cell === "string" && MARKUP.test(cell) && LETTER.test(cell)) {
        found.add(cell);
        if (found.size === MOST_VALUES) return [...found];
      }
  return [...found];
}

/** The text with each number as a link to its step, and with `literals` as they are; what is code stays as it is. */
export function marked(text: string, marks: Mark[], literals: string[] = []): string {
  const characters = [...text];
  const literal = literalPlaces(text, characters.length, literals);
  const code = codePlaces(characters, literal);
  let written = "";
  let from = 0;
  const upTo = (end: number) => {
    for (; from < end; from += 1) {
      const character = characters[from] as string;
      written += literal[from] && !code[from] ? character.replace(PUNCTUATION, "\\$&") : character;
    }
  };
  for (const { start, end, step } of [...marks].sort((one, other) => one.start - other.start)) {
    if (start < from || end > characters.length || code[start]) continue;
    const number = characters.slice(start, end).join("");
    const target = step === null ? UNPROVEN : `${STEP}${encodeURIComponent(step)}`;
    upTo(start);
    written += `[${number.replace(/[[\]\\*_`]/g, "\\$&")}](${target})`;
    from = end;
  }
  upTo(characters.length);
  return written;
}

function literalPlaces(text: string, length: number, literals: string[]): boolean[] {
  const inside: boolean[] = Array(length).fill(false);
  for (const literal of literals) {
    const size = [...literal].length;
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
      const start = [...text.slice(0, at)].length;
      inside.fill(true, start, start + size);
    }
  }
  return inside;
}

function codePlaces(characters: string[], literal: boolean[]): boolean[] {
  const inside: boolean[] = [];
  let fence = "";
  for (let place = 0; place < characters.length; ) {
    let ticks = "";
    while (characters[place + ticks.length] === "`" && !literal[place + ticks.length]) ticks += "`";
    if (ticks) {
      if (!fence) fence = ticks;
      else if (fence === ticks) fence = "";
      for (const _ of ticks) inside.push(true);
      place += ticks.length;
    } else {
      inside.push(fence !== "");
      place += 1;
    }
  }
  return inside;
}
