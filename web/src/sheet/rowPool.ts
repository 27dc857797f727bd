// Which row is on which node. Nodes whose rows have scrolled out of view show those that come into it.
import type { CellMark } from "./faces";
import type { SheetModel } from "./model";
import type { Area } from "./refs";
import { type RowDrawn, RowNode } from "./rowNodes";

/** What rows are drawn from. */
export interface Scene {
  model: SheetModel;
  area: Area;
  active: { row: number; column: number };
  marks: Map<number, Map<number, CellMark>>;
  locale: string;
}
/** As many rows as stay on the page although they are out of view: the next window is rarely of the same length. */
const SPARE = 4;

export class RowPool {
  private nodes = new Map<number, RowNode>();

  constructor(private readonly home: HTMLElement) {}

  /** Draws rows, each from the top that is given for it, and gives up the others. */
  draw(scene: Scene, places: number[], first: number, last: number, topOf: (place: number) => number): void {
    const wanted = new Set(places);
    const free: RowNode[] = [];
    for (const [place, node] of this.nodes) if (!wanted.has(place)) free.push(node);
    const next = new Map<number, RowNode>();
    for (const place of places) {
      let node = this.nodes.get(place) ?? free.pop();
      if (!node) {
        node = new RowNode();
        this.home.append(node.element);
      }
      node.show(rowOf(scene, place, first, last, topOf(place)));
      next.set(place, node);
    }
    const edge = places[0] ?? 0;
    for (const node of free) {
      const isNear = Math.abs(node.place - edge) < 200 && node.place <= scene.model.rows.count;
      if (next.size < places.length + SPARE && isNear) {
        node.show(rowOf(scene, node.place, first, last, topOf(node.place)));
        next.set(node.place, node);
      } else node.element.remove();
    }
    this.nodes = next;
  }

  /** Puts the nodes in the order of their rows, as those read them who cannot see where they are. */
  sort(): void {
    const sorted = [...this.nodes.values()].sort((a, b) => a.place - b.place);
    let at: Element | null = this.home.firstElementChild;
    for (const node of sorted) {
      if (node.element === at) at = at.nextElementSibling;
      else this.home.insertBefore(node.element, at);
    }
  }
}

function rowOf(scene: Scene, place: number, first: number, last: number, top: number): RowDrawn {
  const { model, area, active, marks, locale } = scene;
  const isSelected = place >= area.top && place <= area.bottom;
  return {
    model,
    place,
    top,
    first,
    last,
    stamp: model.tiles.stamp(place),
    selLeft: isSelected ? area.left : 0,
    selRight: isSelected ? area.right : -1,
    active: place === active.row ? active.column : 0,
    marks: marks.get(model.rowAt(place)),
    locale,
    merges: model.mergesIn(place),
  };
}
