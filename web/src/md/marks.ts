/** A number within a text, by its place in characters, and the step that made it; null where none did. */
export interface Mark {
  start: number;
  end: number;
  step: string | null;
}
export const STEP = "#step-";
export const UNPROVEN = "#unproven";

/** The text with each number as a link to its step; those within code stay as they are written. */
export function marked(text: string, marks: Mark[]): string {
  const characters = [...text];
  const code = codePlaces(characters);
  let written = "";
  let from = 0;
  for (const { start, end, step } of [...marks].sort((one, other) => one.start - other.start)) {
    if (start < from || end > characters.length || code[start]) continue;
    const number = characters.slice(start, end).join("");
    const target = step === null ? UNPROVEN : `${STEP}${encodeURIComponent(step)}`;
    written += `${characters.slice(from, start).join("")}[${number.replace(/[[\]\\*_`]/g, "\\$&")}](${target})`;
    from = end;
  }
  return written + characters.slice(from).join("");
}

function codePlaces(characters: string[]): boolean[] {
  const inside: boolean[] = [];
  let fence = "";
  for (let place = 0; place < characters.length; ) {
    let ticks = "";
    while (characters[place + ticks.length] === "`") ticks += "`";
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
