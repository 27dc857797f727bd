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
  private cells = new Map<number, CellNode>();

  constructor(className: string) {
    this.element = made("presentation", className);
  }

  show(row: RowFace, columns: number[], origin: number): void {
    const cells = new Map<number, CellNode>();
    let after: Element | null = null;
    for (let at = columns.length - 1; at >= 0; at--) {
      const column = columns[at] as number;
      const face = faceOf(row, column, origin);
      if (!face) continue;
      let cell = this.cells.get(column);
      if (!cell) {
        cell = new CellNode(column);
        this.element.insertBefore(cell.element, after);
      }
      cell.show(face, row.place);
      cells.set(column, cell);
      after = cell.element;
    }
    for (const [column, cell] of this.cells) if (!cells.has(column)) cell.element.remove();
    this.cells = cells;
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
    const first = Math.max(row.first, frozen.column + 1);
    // Areas that begin left of what is drawn reach into it.
    const reaching = row.merges.filter((area) => area.left < first && area.right >= first);
    const before = reaching.map((area) => area.left).filter((column) => column > frozen.column);
    this.frozen.show(row, shownIn(row, 1, frozen.column), 0);
    this.rest.show(row, [...before, ...shownIn(row, first, row.last)], width);
  }
}

/** The columns of a range that are not hidden. */
function shownIn({ model }: RowFace, first: number, last: number): number[] {
  const found: number[] = [];
  for (let column = first; column <= last; column++) if (model.columns.size(column) > 0) found.push(column);
  return found;
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
