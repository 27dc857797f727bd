// Where rows or columns are on the screen: most have one size, some spans have others, hidden ones have none.
import type { Span } from "./types";

interface Run {
  first: number;
  last: number;
  size: number;
  /** How far from the start the run begins. */
  at: number;
}

/** One axis of a sheet. Positions count from 1, offsets in pixels from 0. */
export class Axis {
  private readonly runs: Run[] = [];
  private lists: { first: number; last: number; indexes: number[] }[] = [];

  constructor(
    readonly count: number,
    readonly usual: number,
    spans: Span[] = [],
  ) {
    let next = 1;
    let at = 0;
    for (const span of [...spans].sort((a, b) => a.first - b.first)) {
      const first = Math.max(span.first, next);
      const last = Math.min(span.last, count);
      if (last < first) continue;
      at += (first - next) * usual;
      const size = span.hidden ? 0 : (span.size_px ?? usual);
      this.runs.push({ first, last, size, at });
      at += (last - first + 1) * size;
      next = last + 1;
    }
  }

  private before(test: (run: Run) => boolean): Run | undefined {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(this.runs[middle] as Run)) low = middle + 1;
      else high = middle;
    }
    return this.runs[low - 1];
  }

  /** The offset at which `index` begins; that of the one after the last is the end. */
  offset(index: number): number {
    const run = this.before((one) => one.first <= index);
    if (!run) return (index - 1) * this.usual;
    if (index <= run.last) return run.at + (index - run.first) * run.size;
    return run.at + (run.last - run.first + 1) * run.size + (index - run.last - 1) * this.usual;
  }

  size(index: number): number {
    const run = this.before((one) => one.first <= index);
    return run && index <= run.last ? run.size : this.usual;
  }

  /** The index that is at an offset: the last that begins at or before it and is not hidden. */
  at(offset: number): number {
    const run = this.before((one) => one.at <= offset);
    let found: number;
    if (!run) found = Math.floor(offset / this.usual) + 1;
    else {
      const length = (run.last - run.first + 1) * run.size;
      const within = offset - run.at;
      found =
        within < length
          ? run.first + Math.floor(within / run.size)
          : run.last + 1 + Math.floor((within - length) / this.usual);
    }
    return Math.min(Math.max(found, 1), this.count);
  }

  get total(): number {
    return this.offset(this.count + 1);
  }

  /** Those of a range that are not hidden; the same list each time, as long as no others are asked for between. */
  shown(first: number, last: number): number[] {
    const known = this.lists.find((list) => list.first === first && list.last === last);
    if (known) return known.indexes;
    const indexes: number[] = [];
    for (let index = first; index <= last; index++) if (this.size(index) > 0) indexes.push(index);
    this.lists = [{ first, last, indexes }, ...this.lists.slice(0, 3)];
    return indexes;
  }

  /** The next index in a direction that is not hidden; `index` itself where there is none. */
  step(index: number, by: 1 | -1): number {
    for (let next = index + by; next >= 1 && next <= this.count; next += by) if (this.size(next) > 0) return next;
    return index;
  }
}
