// The rows of the grid on the page: nodes that show one row after the other, changed only where those differ.
import { type Face, faceOf, type RowFace } from "./faces";
import { iconOf } from "./ruleLooks";

export const cellId = (place: number, column: number) => `tw-cell-${place}-${column}`;

function made(role: string, className: string): HTMLDivElement {
  const node = document.createElement("div");
  node.setAttribute("role", role);
  node.className = className;
  return node;
}
function iconNode(name: string): HTMLSpanElement {
  const { sign, color } = iconOf(name);
  const node = document.createElement("span");
  node.className = "tw-icon";
  node.setAttribute("aria-hidden", "true");
  node.style.color = color;
  node.textContent = sign;
  return node;
}

class CellNode {
  readonly element = made("gridcell", "");
  private readonly text = document.createTextNode("");
  private shown: Face = { className: "", css: "", text: "", title: "", icon: "", selected: false };
  private id = "";

  constructor(readonly column: number) {
    this.element.setAttribute("aria-colindex", String(column));
    this.element.setAttribute("aria-selected", "false");
    this.element.append(this.text);
  }

  show(face: Face, place: number): void {
    const { element, shown } = this;
    const id = cellId(place, this.column);
    if (id !== this.id) {
      element.id = id;
      this.id = id;
    }
    if (face.className !== shown.className) element.className = face.className;
    if (face.css !== shown.css) element.style.cssText = face.css;
    if (face.text !== shown.text) this.text.data = face.text;
    if (face.selected !== shown.selected) element.setAttribute("aria-selected", String(face.selected));
    if (face.title !== shown.title) {
      if (face.title) element.title = face.title;
      else element.removeAttribute("title");
    }
    if (face.icon !== shown.icon) element.replaceChildren(...(face.icon ? [iconNode(face.icon)] : []), this.text);
    this.shown = face;
  }
}

/** One part of a row: its frozen cells, or those that scroll. */
class Part {
  readonly element: HTMLDivElement;
  private columns: number[] = [];
  /** The nodes of the columns, in their order; none where a merged area covers a cell. */
  private nodes: (CellNode | undefined)[] = [];

  constructor(className: string) {
    this.element = made("presentation", className);
  }

  show(row: RowFace, columns: number[], origin: number): void {
    if (columns !== this.columns) this.arrange(columns);
    let after: Element | null = null;
    for (let at = columns.length - 1; at >= 0; at--) {
      const column = columns[at] as number;
      const face = faceOf(row, column, origin);
      let node = this.nodes[at];
      if (!face) {
        node?.element.remove();
        this.nodes[at] = undefined;
        continue;
      }
      if (!node) {
        node = new CellNode(column);
        this.nodes[at] = node;
        this.element.insertBefore(node.element, after);
      }
      node.show(face, row.place);
      after = node.element;
    }
  }

  /** Keeps the nodes of columns that are still shown. */
  private arrange(columns: number[]): void {
    const nodes = new Map(this.columns.map((column, at) => [column, this.nodes[at]]));
    this.nodes = columns.map((column) => nodes.get(column));
    for (const column of columns) nodes.delete(column);
    for (const node of nodes.values()) node?.element.remove();
    this.columns = columns;
  }
}

/** What a row was drawn from, besides what its cells are made of. */
export interface RowDrawn extends RowFace {
  top: number;
  /** Changes when cells of the row have come. */
  stamp: number;
}

export class RowNode {
  readonly element = made("row", "tw-row");
  private readonly head = made("rowheader", "tw-rowhead");
  private readonly frozen = new Part("tw-part tw-frozen");
  private readonly rest = new Part("tw-part");
  private drawn: RowDrawn | null = null;

  constructor() {
    this.element.append(this.head, this.frozen.element, this.rest.element);
  }
  get place(): number {
    return this.drawn?.place ?? 0;
  }

  show(row: RowDrawn): void {
    const was = this.drawn;
    this.drawn = row;
    const { element } = this;
    const { model, place } = row;
    if (row.top !== was?.top) element.style.top = `${row.top}px`;
    if (was && sameCells(row, was)) return;
    if (place !== was?.place || model !== was.model) {
      element.setAttribute("aria-rowindex", String(place + 1));
      element.style.height = `${model.rows.size(place)}px`;
      this.head.textContent = String(model.rowAt(place));
      const begins = row.merges.some((area) => area.top === place && area.bottom > place);
      element.className = begins ? "tw-row tw-merged" : "tw-row";
    }
    this.head.classList.toggle("tw-sel", row.selLeft > 0);
    const { columns, frozen } = model;
    const width = columns.offset(frozen.column + 1);
    if (model !== was?.model) {
      this.head.style.width = `${model.headWidth}px`;
      this.frozen.element.style.cssText = `left:${model.headWidth}px;width:${width}px`;
      this.frozen.element.hidden = frozen.column === 0;
      this.rest.element.style.left = `calc(${model.headWidth + width}px + var(--tw-x))`;
    }
    this.frozen.show(row, columns.shown(1, frozen.column), 0);
    this.rest.show(row, scrolling(row), width);
  }
}

/** The columns of a row that scroll; with those out of view at which areas begin that reach into it. */
function scrolling({ model, first, last, merges }: RowFace): number[] {
  const { columns, frozen } = model;
  const from = Math.max(first, frozen.column + 1);
  const shown = columns.shown(from, last);
  const before = merges.filter((area) => area.left < from && area.right >= from && area.left > frozen.column);
  return before.length ? [...before.map((area) => area.left), ...shown] : shown;
}
function sameCells(one: RowDrawn, other: RowDrawn): boolean {
  return (
    one.place === other.place &&
    one.model === other.model &&
    one.stamp === other.stamp &&
    one.first === other.first &&
    one.last === other.last &&
    one.selLeft === other.selLeft &&
    one.selRight === other.selRight &&
    one.active === other.active &&
    one.marks === other.marks &&
    one.locale === other.locale
  );
}
