// The workbook of the conversation: undo and redo, its versions, and a small grid in which a person edits cells.
import { $, button, call, language, make, problem, say } from "/page/base.js";
import { told } from "/page/notices.js";
import { changed, executed, planned } from "/page/plan.js";

const ROWS = 20, COLUMNS = 8;
let current = null, sheet = null, corner = { row: 1, column: 1 }, report = [], drawing = 0, showing = 0, replacing = false, waiting = Promise.resolve();
const open = { cellsOf: false, versions: false };

const at = (rest = "") => `workbooks/${encodeURIComponent(current.id)}${rest}`;
function letters(column) {
  let name = "";
  for (; column; column = Math.floor((column - 1) / 26)) name = String.fromCharCode(65 + ((column - 1) % 26)) + name;
  return name;
}
const moved = (path) => async () => { await call("POST", at(path), {}); report = []; await draw(); };

export const book = {
  get version() { return current?.version ?? null; },
  // Shows the newest workbook of the conversation, or nothing where there is none.
  async show(conversation) {
    const mine = ++showing;
    if (conversation && !current) expected();
    const found = conversation ? await call("GET", `workbooks/${encodeURIComponent(conversation)}`).catch(() => null) : null;
    if (mine !== showing) return;
    if (found?.id !== current?.id) { sheet = null; corner = { row: 1, column: 1 }; report = []; }
    current = found;
    await draw(true);
  },
};

// A table that is no workbook yet takes a while to become one: its place is kept, so that nothing below is moved.
function expected() {
  $("book").hidden = false;
  $("book").replaceChildren(make("p", { className: "state busy", textContent: say("bookExpected") }));
}
// Draws all of it at once, after what is open was fetched: what somebody types meanwhile in a cell stays theirs.
async function draw(fresh = false) {
  const mine = ++drawing, place = $("book");
  if (!current) { place.hidden = true; return place.replaceChildren(); }
  if (!fresh) current = await call("GET", at());
  const [grid, list] = [await (open.cellsOf ? cells() : null), await (open.versions ? listed() : null)];
  if (mine !== drawing) return;
  const parts = [
    make("h2", { id: "book-title", textContent: say("book", { name: current.name, version: current.version }) }),
    make("div", { className: "row" },
      button(say("undo"), moved("/undo"), { id: "undo", disabled: !current.can_undo }),
      button(say("redo"), moved("/redo"), { id: "redo", disabled: !current.can_redo }),
      make("a", { href: `/api/v1/${at("/download")}`, download: current.name, textContent: say("download", { name: current.name }) }),
      make("label", { className: "button" }, say("applySaved"), make("input", { type: "file", accept: ".json", id: "saved-plan", onchange: (event) => applied(event.target.files[0]).catch((error) => problem(error.message)) }))),
    make("div", { id: "book-told" }, ...report),
    folded("cellsOf", cells, grid),
    folded("versions", listed, list),
  ];
  const was = place.contains(document.activeElement) ? document.activeElement : null, typed = was?.dataset.before !== undefined ? was.value : null;
  replacing = true;
  place.hidden = false;
  place.replaceChildren(...parts);
  replacing = false;
  const now = was?.id && $(was.id);
  if (!now) return;
  now.focus();
  if (typed !== null && typed !== was.dataset.before) now.value = typed;
}
// A part that is filled when it is opened, and stays open over changes.
function folded(name, fill, content) {
  const inside = make("div", {}, content), node = make("details", { open: open[name] }, make("summary", { textContent: say(name) }), inside);
  node.ontoggle = () => {
    if (open[name] === node.open) return;
    open[name] = node.open;
    if (node.open) Promise.resolve(fill()).then((found) => inside.replaceChildren(found)).catch((error) => problem(error.message));
  };
  return node;
}

async function listed() {
  const versions = (await call("GET", at("/versions?limit=200"))).items;
  return make("ol", { className: "versions" }, ...versions.map((version) => {
    const words = [say("version", { version: version.number }), version.summary || say(`by_${version.author}`), new Date(version.created_at).toLocaleString(language)];
    const result = make("div");
    const compare = button(say("compare"), async () => { result.replaceChildren(...difference(await call("GET", at(`/versions/${version.number}/compare/${current.version}`)))); });
    const here = version.number === current.version;
    return make("li", { className: here ? "ok" : "" }, `${words.join(" · ")} `, here ? make("strong", { textContent: say("isHead") }) : compare, " ",
      make("a", { href: `/api/v1/${at(`/download?version=${version.number}`)}`, download: version.name, textContent: say("download", { name: say("version", { version: version.number }) }) }), result);
  }));
}
function difference(found) {
  const lines = [["sheetsAdded", found.sheets_added], ["sheetsRemoved", found.sheets_removed], ["partsChanged", found.parts_changed]].filter(([, names]) => names?.length);
  const parts = [...lines.map(([code, names]) => make("p", { textContent: say(code, { names: names.join(", ") }) })), ...changed(found.sheets)];
  return parts.length ? parts : [make("p", { textContent: say("same") })];
}

async function cells() {
  const names = current.outline.sheets.map((entry) => entry.name);
  if (!names.includes(sheet)) sheet = current.outline.sheets.find((entry) => entry.state === "visible")?.name ?? names[0];
  const last = { row: corner.row + ROWS - 1, column: corner.column + COLUMNS - 1 };
  const range = `${letters(corner.column)}${corner.row}:${letters(last.column)}${last.row}`;
  const page = await call("GET", at(`/sheets/${encodeURIComponent(sheet)}/cells?range=${encodeURIComponent(range)}`));
  const known = new Map(page.cells.map((cell) => [cell.ref, cell]));
  const head = make("tr", {}, make("td"), ...Array.from({ length: COLUMNS }, (_, index) => make("th", { scope: "col", textContent: letters(corner.column + index) })));
  const rows = Array.from({ length: ROWS }, (_, down) => make("tr", {}, make("th", { scope: "row", textContent: corner.row + down }),
    ...Array.from({ length: COLUMNS }, (_, right) => make("td", {}, field(known.get(`${letters(corner.column + right)}${corner.row + down}`), `${letters(corner.column + right)}${corner.row + down}`)))));
  const chosen = make("select", { id: "sheet", onchange: () => { sheet = chosen.value; corner = { row: 1, column: 1 }; draw(true); } }, ...names.map((name) => make("option", { value: name, textContent: name, selected: name === sheet })));
  const go = (code, sign, down, right) => button(sign, () => { corner = { row: Math.max(1, corner.row + down), column: Math.max(1, corner.column + right) }; return draw(true); }, { ariaLabel: say(code), id: `go-${code}` });
  return make("div", {},
    make("div", { className: "row" }, make("label", {}, `${say("sheet")} `, chosen), go("rowsBefore", "↑", -ROWS, 0), go("rowsAfter", "↓", ROWS, 0), go("columnsBefore", "←", 0, -COLUMNS), go("columnsAfter", "→", 0, COLUMNS)),
    make("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: sheet }, make("table", { className: "sheet" }, make("thead", {}, head), make("tbody", {}, ...rows))));
}
function field(cell, ref) {
  const before = String(cell?.formula ?? cell?.value ?? ""), shown = String(cell?.value ?? "");
  const input = make("input", { id: `cell-${ref}`, value: shown, ariaLabel: ref, title: cell?.formula ? `${cell.formula} = ${shown}` : "" });
  input.dataset.before = before;
  if (cell?.formula) input.onfocus = () => { if (input.value === shown) input.value = before; };
  input.onblur = () => {
    if (replacing) return;
    if (input.value === before) input.value = shown;
    else if (input.value !== shown) edited(ref, input.value).catch(async (error) => { await draw().catch(() => null); problem(error.message); });
  };
  input.onkeydown = (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    const below = $(`cell-${ref.replace(/\d+$/, (row) => Number(row) + 1)}`);
    if (below) below.focus(); else input.blur();
  };
  return input;
}
// One edit after the other, each on the version that the one before has made.
function edited(ref, typed) { return waiting = waiting.catch(() => null).then(() => edit(ref, typed)); }
async function edit(ref, typed) {
  problem("");
  const value = /^[-+]?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed;
  const operation = typed === "" ? { function: "clear", sheet, range: ref } : typed.startsWith("=") ? { function: "set_formula", sheet, range: ref, formula: typed } : { function: "set_values", sheet, range: ref, values: [[value]] };
  const done = await call("POST", at("/edits"), { operations: [operation], base_version: current.version });
  Object.assign(current, done.workbook);
  report = [...(done.warnings || []).map((notice) => make("p", { className: "fault", textContent: told(notice) })), ...changed(done.changes || [])];
  await draw();
}

// A plan saved before, for a workbook of the same shape: shown first, executed when it is agreed to.
async function applied(file) {
  if (!file) return;
  problem("");
  let plan;
  try { plan = JSON.parse(await file.text()); } catch { throw new Error(say("noPlan", { name: file.name })); }
  const fitted = await call("POST", at("/fit"), { plan });
  if (fitted.differences.length) throw new Error(`${say("otherShape")} ${fitted.differences.map(told).join(" ")}`);
  const place = make("div");
  report = [place, ...fitted.losses.map((notice) => make("p", { className: "state", textContent: told(notice) }))];
  const list = planned(place, fitted, fitted.problems.map((problems) => problems.map(told)), { fixed: true });
  list.ask(async (decision) => {
    report = [];
    if (decision.decision === "approve") {
      const round = await call("POST", at("/apply"), { plan, base_version: fitted.base_version });
      const shown = make("div");
      executed(shown, round, { steps: round.steps.map((result) => [...(result.error ? [result.error] : []), ...result.notes].map(told)), warnings: round.warnings.map(told) });
      report = [shown];
    }
    await draw();
  });
  await draw(true);
}
