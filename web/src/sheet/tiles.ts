// The cells of a sheet by tiles of 200 x 50, fetched as they come into view and kept for the version they are of.
import type { Look, RuleLook, WindowAnswer, WindowCell } from "./types";

export const TILE_ROWS = 200;
export const TILE_COLUMNS = 50;
/** The range of the first tile, if the sheet is as large. */
export const FIRST_TILE = "A1:AX200";
const MOST_TILES = 80;
const MOST_ASKED = 4;

/** Fetches the cells of rows (numbers of the sheet, in the order of the view) and columns. */
export type Fetch = (rows: number[], left: number, right: number, signal: AbortSignal) => Promise<WindowAnswer>;
export type RowCells = Map<number, WindowCell>;
interface Tile {
  rows: Map<number, RowCells>;
  ruled: Map<number, Map<number, RuleLook>>;
  used: number;
}
interface Wanted {
  key: number;
  rowTile: number;
  columnTile: number;
}

/** Numbers, for they are asked for with each cell. */
const keyOf = (rowTile: number, columnTile: number) => rowTile * 1_000 + columnTile;
const keyAt = (place: number, column: number) =>
  keyOf(Math.floor((place - 1) / TILE_ROWS), Math.floor((column - 1) / TILE_COLUMNS));

/** The tiles of a sheet at one version, in one order of its rows. */
export class Tiles {
  readonly looks = new Map<number, Look>();
  private readonly tiles = new Map<number, Tile>();
  private readonly asked = new Map<number, AbortController>();
  private readonly failed = new Map<number, number>();
  private waiting: Wanted[] = [];
  private clock = 0;
  /** How often tiles of a band of rows have come: what shows such a row is drawn again when it changes. */
  private readonly stamps = new Map<number, number>();
  private readonly watchers = new Set<() => void>();
  private came = 0;

  /** `rowAt` tells the number in the sheet of a row of the view. */
  constructor(
    private readonly fetch: Fetch,
    readonly rowAt: (place: number) => number,
    private readonly rows: number,
    private readonly columns: number,
    private readonly changed: (error: unknown) => void,
  ) {}

  /** The cells of a row of the view within a tile of columns; undefined while they are not known. */
  row(place: number, columnTile: number): RowCells | undefined {
    const tile = this.tiles.get(keyOf(Math.floor((place - 1) / TILE_ROWS), columnTile));
    if (!tile) return undefined;
    tile.used = ++this.clock;
    return tile.rows.get(place) ?? NOTHING;
  }
  cell(place: number, column: number): WindowCell | undefined {
    return this.row(place, Math.floor((column - 1) / TILE_COLUMNS))?.get(column);
  }
  /** What conditional formats add to a cell. */
  rule(place: number, column: number): RuleLook | undefined {
    const tile = this.tiles.get(keyAt(place, column));
    return tile?.ruled.get(place)?.get(column);
  }
  isKnown(place: number, column: number): boolean {
    return this.tiles.has(keyAt(place, column));
  }
  stamp(place: number): number {
    return this.stamps.get(Math.floor((place - 1) / TILE_ROWS)) ?? 0;
  }
  /** Changes when cells of some of the rows may have come. */
  stampOf(first: number, last: number): number {
    return Math.floor((first - 1) / TILE_ROWS) === Math.floor((last - 1) / TILE_ROWS) ? this.stamp(first) : this.came;
  }
  /** Calls whenever cells have come, until the function is called that it returns. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Takes the cells of `FIRST_TILE`, which came before it was known how far the sheet is used. */
  begin(answer: WindowAnswer): void {
    this.keep(keyOf(0, 0), 0, this.placesOf(0), answer);
  }

  /** Fetches what an area needs, the rows around it after it. What is asked for no more is not fetched. */
  want(first: number, last: number, left: number, right: number): void {
    const wanted: Wanted[] = [];
    const [top, bottom] = [Math.floor((first - 1) / TILE_ROWS), Math.floor((last - 1) / TILE_ROWS)];
    const order = [...Array(bottom - top + 1).keys()].map((at) => top + at);
    for (const rowTile of [...order, bottom + 1, top - 1]) {
      for (
        let columnTile = Math.floor((left - 1) / TILE_COLUMNS);
        columnTile <= Math.floor((right - 1) / TILE_COLUMNS);
        columnTile++
      ) {
        const key = keyOf(rowTile, columnTile);
        const beyond = rowTile < 0 || rowTile * TILE_ROWS >= this.rows || columnTile * TILE_COLUMNS >= this.columns;
        if (!beyond && !this.tiles.has(key) && !this.asked.has(key) && (this.failed.get(key) ?? 0) < 2)
          wanted.push({ key, rowTile, columnTile });
      }
    }
    this.waiting = wanted;
    this.next();
  }

  /** Fetches an area whatever is in view, and resolves when all of it is there. */
  async load(first: number, last: number, left: number, right: number): Promise<void> {
    for (let row = first; row <= last; row = (Math.floor((row - 1) / TILE_ROWS) + 1) * TILE_ROWS + 1) {
      for (
        let column = left;
        column <= right;
        column = (Math.floor((column - 1) / TILE_COLUMNS) + 1) * TILE_COLUMNS + 1
      ) {
        if (row > this.rows || column > this.columns || this.isKnown(row, column)) continue;
        const [rowTile, columnTile] = [Math.floor((row - 1) / TILE_ROWS), Math.floor((column - 1) / TILE_COLUMNS)];
        await this.fetched({ key: keyOf(rowTile, columnTile), rowTile, columnTile });
      }
    }
  }

  stop(): void {
    this.waiting = [];
    for (const asked of this.asked.values()) asked.abort();
  }

  private next(): void {
    while (this.asked.size < MOST_ASKED) {
      const wanted = this.waiting.shift();
      if (!wanted) return;
      void this.fetched(wanted)
        .catch((error: unknown) => {
          this.failed.set(wanted.key, (this.failed.get(wanted.key) ?? 0) + 1);
          if (!(error instanceof DOMException && error.name === "AbortError")) this.changed(error);
        })
        .finally(() => this.next());
    }
  }
  private async fetched({ key, rowTile, columnTile }: Wanted): Promise<void> {
    const asked = new AbortController();
    this.asked.set(key, asked);
    try {
      const places = this.placesOf(rowTile);
      const left = columnTile * TILE_COLUMNS + 1;
      const answer = await this.fetch(
        places.map(this.rowAt),
        left,
        Math.min(left + TILE_COLUMNS - 1, this.columns),
        asked.signal,
      );
      this.keep(key, rowTile, places, answer);
    } finally {
      this.asked.delete(key);
    }
    this.changed(null);
    for (const watcher of this.watchers) watcher();
  }
  private placesOf(rowTile: number): number[] {
    const first = rowTile * TILE_ROWS + 1;
    return [...Array(Math.min(TILE_ROWS, this.rows - first + 1)).keys()].map((at) => first + at);
  }
  private keep(key: number, rowTile: number, places: number[], answer: WindowAnswer): void {
    for (const [number, look] of Object.entries(answer.window.looks)) this.looks.set(Number(number), look);
    const place = new Map(places.map((one) => [this.rowAt(one), one]));
    const rows = new Map<number, RowCells>();
    for (const row of answer.window.rows) {
      const at = place.get(row.row);
      const cells = row.cells.filter((cell) => cell[0] <= this.columns);
      if (at !== undefined) rows.set(at, new Map(cells.map((cell) => [cell[0], cell])));
    }
    this.tiles.set(key, { rows, ruled: ruledOf(answer, place), used: ++this.clock });
    this.stamps.set(rowTile, (this.stamps.get(rowTile) ?? 0) + 1);
    this.came++;
    if (this.tiles.size > MOST_TILES) {
      const oldest = [...this.tiles].reduce((a, b) => (b[1].used < a[1].used ? b : a));
      this.tiles.delete(oldest[0]);
    }
  }
}
function ruledOf(answer: WindowAnswer, place: Map<number, number>): Map<number, Map<number, RuleLook>> {
  const found = new Map<number, Map<number, RuleLook>>();
  for (const [row, column, number] of answer.window.ruled ?? []) {
    const [at, look] = [place.get(row), answer.window.rule_looks?.[number]];
    if (at === undefined || !look) continue;
    const cells = found.get(at) ?? new Map<number, RuleLook>();
    found.set(at, cells.set(column, look));
  }
  return found;
}
const NOTHING: RowCells = new Map();
