// A plan as a list that a person edits before they agree; a round with what it changed.
import { button, call, cellKind, grid, make, problem, say } from "/page/base.js";

const CELLS = 200;
const text = (value) => typeof value === "string" ? value : JSON.stringify(value);

// A step's words and parameters as fields. `read()` gives the step as it was edited, or says which field cannot be read.
function fields(step) {
  const words = make("input", { value: step.description || "" });
  const inputs = Object.entries(step.parameters).filter(([, value]) => value !== null).map(([name, value]) => {
    const tick = typeof value === "boolean";
    const field = make(!tick && typeof value === "object" ? "textarea" : "input", tick ? { type: "checkbox", checked: value } : { value: text(value), rows: 3 });
    return { name, value, field };
  });
  const more = make("textarea", { value: "{}", rows: 2 });
  const read = () => {
    const parameters = { ...step.parameters };
    for (const { name, value, field } of inputs) parameters[name] = parsed(name, value, field);
    Object.assign(parameters, parsed(say("moreParameters"), {}, more));
    return { function: step.function, parameters, description: words.value.trim() };
  };
  const labelled = (label, field) => make("label", {}, `${label} `, field);
  const form = make("details", {}, make("summary", { textContent: say("details", { function: step.function }) }), labelled(say("description"), words), ...inputs.map(({ name, field }) => labelled(name, field)), labelled(say("moreParameters"), more));
  return { form, words, read };
}
function parsed(name, before, field) {
  if (typeof before === "boolean") return field.checked;
  if (field.value === text(before)) return before;
  if (typeof before === "string") return field.value;
  try { return JSON.parse(field.value); } catch { field.focus(); throw new Error(say("unread", { name, example: JSON.stringify(before) })); }
}

// A step of one's own: a function is chosen, what it needs becomes fields.
const EMPTY = { string: "", boolean: false, integer: 1, number: 0, array: [], object: {} };
function adding(add) {
  const chosen = make("select"), known = new Map();
  const node = make("details", {}, make("summary", { textContent: say("addStep") }), make("div", { className: "row" },
    make("label", {}, `${say("function")} `, chosen), button(say("add"), () => {
      const { name, description, parameters } = known.get(chosen.value);
      add({ function: name, description, parameters: Object.fromEntries((parameters.required || []).map((key) => [key, EMPTY[parameters.properties[key].type] ?? ""])) });
      node.open = false;
    })));
  node.ontoggle = () => {
    if (!node.open || known.size) return;
    call("GET", "excel/functions").then((listed) => {
      for (const entry of listed.functions) known.set(entry.name, entry);
      chosen.replaceChildren(...[...known.values()].map((entry) => make("option", { value: entry.name, textContent: entry.name, title: entry.description })));
    }).catch((error) => problem(error.message));
  };
  return node;
}

// Draws `plan` into `place`. Once somebody is to decide, `ask(decide)` adds what they can do; `notices` are the problems in words.
// A `fixed` plan is taken as it is, or not.
export function planned(place, plan, notices = [], { fixed = false } = {}) {
  const list = make("ol", { className: "plan" });
  const steps = plan.steps.map((step, index) => ({ ...fields(step), step, problems: notices[index] || [] }));
  let open = false;
  function draw(focus) {
    list.replaceChildren(...steps.map((entry, index) => item(entry, index)));
    if (!focus) return;
    const moved = list.children[focus.index];
    (moved.querySelector(`${focus.kind}:enabled`) || moved.querySelector(".up:enabled, .down:enabled"))?.focus();
  }
  function item(entry, index) {
    const step = index + 1;
    const title = make("span", { className: "name", textContent: entry.words.value || entry.step.function });
    entry.words.oninput = () => { title.textContent = entry.words.value || entry.step.function; };
    entry.tick ??= make("input", { type: "checkbox", checked: true });
    entry.tick.ariaLabel = say("include", { step });
    const move = (by, kind, label, sign) => button(sign, () => { steps.splice(index + by, 0, ...steps.splice(index, 1)); draw({ kind, index: index + by }); }, { ariaLabel: say(label, { step }), className: label, disabled: index + by < 0 || index + by >= steps.length });
    const tools = open ? [entry.tick, move(-1, ".up", "up", "↑"), move(1, ".down", "down", "↓")] : [];
    return make("li", {}, ...tools, " ", title, open ? entry.form : make("div", { className: "state", textContent: entry.step.function }), ...entry.problems.map((words) => make("p", { className: "fault", textContent: words })));
  }
  const asked = make("div");
  draw();
  place.replaceChildren(make("h4", { textContent: say("plan") }), list, asked);
  return {
    // What is decided folds: its steps are told as they run.
    close() {
      if (asked.parentNode !== place) return;
      open = false;
      draw();
      place.replaceChildren(make("details", { open: notices.some((words) => words.length) }, make("summary", { textContent: say("plan") }), list));
    },
    ask(decide) {
      open = !fixed;
      draw();
      const doNot = button(say("doNot"), () => decide({ decision: "reject" }));
      if (fixed) return asked.replaceChildren(make("div", { className: "row" }, button(say("doIt"), () => decide({ decision: "approve" }), { className: "primary" }), doNot));
      const words = make("input", { maxLength: 2000 });
      const agree = () => {
        const chosen = steps.filter((entry) => entry.tick.checked).map((entry) => entry.read());
        if (!chosen.length) throw new Error(say("nothingLeft", { doNot: say("doNot") }));
        const numbered = chosen.map((step, index) => ({ step: index + 1, ...step }));
        const before = plan.steps.map(({ function: name, parameters, description }, index) => ({ step: index + 1, function: name, parameters, description: (description || "").trim() }));
        return decide({ decision: "approve", ...(JSON.stringify(numbered) === JSON.stringify(before) ? {} : { plan: { execution_plan: numbered } }) });
      };
      const anew = () => words.value.trim() ? decide({ decision: "reject", text: words.value.trim() }) : words.focus();
      const add = (step) => {
        const entry = { ...fields(step), step, problems: [] };
        entry.form.open = true;
        steps.push(entry);
        draw();
        entry.words.focus();
      };
      asked.replaceChildren(
        adding(add),
        make("div", { className: "row" }, button(say("doIt"), agree, { className: "primary" }), doNot),
        make("div", { className: "row" }, make("label", { className: "wide" }, `${say("different")} `, words), button(say("again"), anew)),
      );
      words.onkeydown = (event) => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); anew()?.catch?.((error) => problem(error.message)); } };
    },
  };
}

// What a round did per step, and the cells that it changed.
export function executed(place, round, words) {
  const list = make("ol", {}, ...round.steps.map((result, index) => make("li", { className: result.status === "completed" ? "ok" : "error" },
    make("span", { className: "name", textContent: result.step.description || result.step.function }), " ",
    make("span", { className: "state", textContent: say(result.status) + (result.cells_changed ? ` · ${say("cells", { count: result.cells_changed })}` : "") }),
    ...(words.steps[index] || []).map((told) => make("p", { className: result.status === "failed" ? "fault" : "state", textContent: told })))));
  const told = [...(round.rolled_back ? [say("rolledBack")] : []), ...words.warnings].map((line) => make("p", { className: "fault", textContent: line }));
  place.append(list, ...told, ...changed(round.changes));
}
export function changed(sheets) {
  const cell = (value) => value === null || value === "" ? make("td", { className: "state", textContent: say("empty") }) : make("td", { className: cellKind(value), textContent: String(value) });
  return sheets.filter((sheet) => sheet.cells.length).map((sheet) => {
    const rows = sheet.cells.slice(0, CELLS).map((change) => [make("th", { scope: "row", textContent: change.ref }), cell(change.before), cell(change.after)]);
    const cut = sheet.truncated || sheet.cells.length > CELLS ? `\n${say("more", { count: rows.length })}` : "";
    return grid([say("cell"), say("before"), say("after")], rows, `${say("changes", { sheet: `${sheet.sheet} ${sheet.range}` })}${cut}`);
  });
}
export async function savePlan(workbook, steps, version, request) {
  const plan = await call("POST", `workbooks/${encodeURIComponent(workbook)}/plan-file`, { steps, version, request });
  const url = URL.createObjectURL(new Blob([JSON.stringify(plan, null, 2)], { type: "application/json" }));
  make("a", { href: url, download: "plan.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
