// How wide a text may be at most in the grid's usual size, told without the page: nobody waits for its layout.
const NARROW = " .,:;'`|!ijlIft[]()/-";
const BROAD = "mwMW%@";
const CJK = 0x2e80;
const USUAL: Float64Array = new Float64Array(128).fill(8.6);
for (const letter of "ABCDEFGHJKLNOPQRSTUVXYZ&#+=<>~_") USUAL[letter.charCodeAt(0)] = 10.8;
for (const letter of NARROW) USUAL[letter.charCodeAt(0)] = 5.6;
for (const letter of BROAD) USUAL[letter.charCodeAt(0)] = 13.2;

/** In pixels; without end where the text has several lines. */
export function widthOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return Number.POSITIVE_INFINITY;
    sum += code < 128 ? (USUAL[code] as number) : code < CJK ? 10.8 : 13.4;
  }
  return sum;
}
