// Rows or columns as runs of such that follow each other.

/** A set of numbers that is held as its runs, ascending; both ends belong to a run. */
export class Runs {
  constructor(private readonly runs: readonly (readonly [first: number, last: number])[]) {}

  has(number: number): boolean {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.runs[middle]?.[0] ?? 0) <= number) low = middle + 1;
      else high = middle;
    }
    return number <= (this.runs[low - 1]?.[1] ?? 0);
  }
}
