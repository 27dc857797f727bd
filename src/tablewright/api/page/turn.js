// One question with what came of it: the plan, the steps as they run, the answer. A run is followed until it has ended.
import { button, call, grid, make, problem, say } from "/page/base.js";
import { book } from "/page/book.js";
import { told } from "/page/notices.js";
import { changed, planned, savePlan } from "/page/plan.js";

const EVENTS = ["step.announced", "step.started", "step.finished", "repair.started", "code.finished", "output.text", "progress.reported", "output.error", "output.image",
  "artifact.created", "approval.requested", "question.asked", "request.answered", "answer.completed", "run.finished",
  "plan.proposed", "continue.asked", "round.executed", "workbook.committed", "warning.raised"];
const REQUESTS = ["plan.proposed", "approval.requested", "continue.asked", "question.asked", "request.answered"];
const AGAIN_MS = 2000;
const followed = new Set();

export const askButton = (question) => make("button", { type: "button", textContent: question, onclick: () => { const field = document.getElementById("question"); field.value = question; field.focus(); } });
// Draws a turn that has just begun; `place` puts its article where it belongs, `committed` is told when the workbook has another version.
export function turn(question, place, committed) {
  const view = { steps: make("ol"), note: make("p", { className: "state busy", textContent: say("waiting") }), plan: make("div"), rounds: make("div"), asked: make("div"), pictures: make("div"), answer: make("div", { className: "answer" }), files: make("ul"), known: new Map(), plans: new Map(), question, id: null, committed };
  place(view.article = make("article", {}, make("h3", { textContent: question, tabIndex: question.length > 600 ? 0 : -1 }), view.plan, view.steps, view.note, view.rounds, view.asked, view.answer, view.pictures, view.files));
  return view;
}
// Says what the turn stands at; one that waits for the person shows itself.
function note(view, code) {
  view.note.textContent = say(code);
  view.note.classList.toggle("busy", code === "waiting");
  if (code === "asking") queueMicrotask(() => view.article.dispatchEvent(new Event("asking")));
}
function step(view, id) {
  if (id && !view.known.has(id)) {
    const state = make("span", { className: "state" }), item = make("li", {}, make("span", { className: "name" }), " ", state);
    view.steps.append(item);
    view.known.set(id, { item, state, code: null, output: null });
  }
  return view.known.get(id);
}
function mark(shown, state, seconds) {
  shown.item.className = state;
  shown.state.textContent = say(state) + (seconds === undefined || seconds < 0.05 ? "" : ` (${seconds.toFixed(1)} s)`);
}
function print(shown, text) {
  if (!shown.output) shown.item.append(shown.output = make("pre", { tabIndex: 0 }));
  shown.output.textContent = (shown.output.textContent + text).slice(-20000);
}
function addCode(view, shown, code) {
  view.coded = true;
  if (shown) shown.item.append(shown.code = make("details", {}, make("summary", { textContent: say("code") }), make("pre", { tabIndex: 0, textContent: code })));
}
// What a step printed is followed while it works; then the answer tells what came of it.
function fold({ code, output }) {
  if (!code || !output) return;
  code.firstChild.textContent = say("codeAndOutput");
  code.append(output);
}
// Steps of a run that ended before them neither run nor come any more.
function halt(shown) {
  if (shown.item?.className === "running") mark(shown, "interrupted");
  if (shown.item?.className === "announced") mark(shown, "dropped");
}
const table = (data) => grid(data.columns, data.rows, data.total_rows > data.rows.length ? say("rows", { shown: data.rows.length, total: data.total_rows }) : data.title);
// A number of the answer leads to the step that put it out; one that no step has put out is marked. `at` and the offsets count characters.
function sourced(view, part, at, sources) {
  const characters = [...part], nodes = [];
  let from = 0;
  for (const { start, end, step_id } of sources.filter((source) => source.start >= at && source.end <= at + characters.length)) {
    const shown = view.known.get(step_id), number = characters.slice(start - at, end - at).join("");
    const open = () => { if (shown.code) shown.code.open = true; (shown.code?.firstChild || shown.item).focus(); shown.item.scrollIntoView({ block: "nearest" }); };
    nodes.push(characters.slice(from, start - at).join(""), shown ? button(number, open, { className: "source", title: say("fromStep", { name: shown.item.firstChild.textContent }) })
      : make("span", { className: "unproven", textContent: number }));
    from = end - at;
  }
  return make("p", {}, ...nodes, characters.slice(from).join("").trimEnd());
}
function showAnswer(view, answer) {
  const asButtons = (part) => answer.suggestions.length > 0 && answer.suggestions.every((question) => part.includes(question));
  const words = [];
  let at = 0;
  for (const part of answer.text.split(/(\n{2,})/)) {
    if (part.trim() && !asButtons(part)) words.push(sourced(view, part, at, answer.sources || []));
    at += [...part].length;
  }
  const unproven = new Set(words.flatMap((part) => [...part.querySelectorAll(".unproven")]).map((number) => number.textContent));
  if (unproven.size) words.push(make("p", { className: "state", textContent: told({ code: "cli_unproven", params: { numbers: [...unproven].join(", ") } }) }));
  const shown = answer.table || answer.result;
  const parts = shown && (shown.total_rows > 1 || shown.columns.length > 1) ? [table(shown)] : [];
  if (answer.suggestions.length) parts.push(make("p", { textContent: say("try") }), make("ul", {}, ...answer.suggestions.map((question) => make("li", {}, askButton(question)))));
  view.answer.replaceChildren(...words, view.pictures, ...parts);
  for (const file of answer.files) addFile(view, file);
}
const url = (file) => `/api/v1/files/${encodeURIComponent(file.id)}/download`;
function addFile(view, file) {
  if (view.known.has(file.id)) return;
  view.known.set(file.id, true);
  view.files.append(make("li", {}, make("a", { href: url(file), textContent: file.name, download: file.name })));
}
function addPicture(view, file) {
  if (["image/png", "image/jpeg"].includes(file.mime)) view.pictures.append(make("a", { href: url(file), download: file.name, title: say("whole") }, make("img", { src: url(file), alt: `${say("figure")}: ${file.name}` })));
}
const answer = (view, body, decision) => call("POST", `runs/${view.id}/requests/${body.request_id}`, decision);
function ask(view, body, choices) {
  note(view, "asking");
  const field = make("input", { value: body.default || "", ariaLabel: body.prompt });
  const buttons = choices ? [button(say(choices[0]), () => answer(view, body, { decision: "approve" })), button(say(choices[1]), () => answer(view, body, { decision: "reject" }))]
    : [...body.options.map((text) => button(text, () => answer(view, body, { decision: "answer", text }))), field, button(say("send"), () => answer(view, body, { decision: "answer", text: field.value }))];
  view.asked.replaceChildren(make("p", { textContent: body.prompt }), make("div", { className: "row" }, ...buttons));
}
// A plan is agreed to on the workbook as the person sees it: their own edits since it was made are no reason to plan anew.
function askPlan(view, body) {
  note(view, "asking");
  view.plans.get(body.request_id).ask((decision) => answer(view, body, { ...decision, ...(book.version ? { values: { base_version: book.version } } : {}) }));
}
function propose(view, body) {
  view.plans.set(body.request_id, planned(view.plan, body.plan, (body.plan.problems || []).map((problems) => problems.map(told))));
}
// The steps are shown as they run, what went wrong with them too; here is what they changed.
function showRound(view, round) {
  view.rounds.append(...changed(round.changes));
  const done = round.rolled_back ? [] : round.steps.filter((result) => result.status === "completed").map((result) => result.step);
  if (done.length) view.rounds.append(button(say("savePlan"), () => savePlan(round.workbook_id, done, 1, view.question)));
}

async function finished(view, body) {
  view.article.dataset.outcome = body.outcome;
  view.note.hidden = body.outcome !== "cancelled";
  view.asked.replaceChildren();
  for (const plan of view.plans.values()) plan.close();
  view.known.forEach(body.outcome === "completed" ? fold : halt);
  if (body.outcome === "completed" && view.coded) view.files.append(...[["ipynb", "notebook"], ["py", "script"], ["html", "webPage"]].map(([kind, words]) => make("li", {}, make("a", { href: `/api/v1/runs/${encodeURIComponent(view.id)}/export.${kind}`, textContent: say(words), download: "" }))));
  if (["cancelled", "superseded"].includes(body.outcome)) note(view, `outcome_${body.outcome}`);
  if (!body.failure) return;
  const ended = await call("GET", `runs/${view.id}`);
  view.answer.append(make("p", { className: "fault", textContent: ended.failure.message }));
}
// Takes an event of the stream and says whether it is the run's last. What a child does is told by the run itself, but its requests are answered here.
function take(view, id, { run_id: of, body }) {
  if (of === id || REQUESTS.includes(body.type)) show(view, body);
  return of === id && body.type === "run.finished";
}
function show(view, body) {
  const shown = body.step_id ? step(view, body.step_id) : null;
  switch (body.type) {
    case "step.announced": shown.item.firstChild.textContent = body.name; return mark(shown, "announced");
    case "step.started": return mark(shown, "running");
    case "step.finished": return mark(shown, body.status, body.elapsed_s);
    case "repair.started": return shown && print(shown, `${say("repair", body)}\n`);
    case "code.finished": return addCode(view, shown, body.code);
    case "output.text": return shown && print(shown, body.text);
    case "progress.reported": if (shown) shown.state.textContent = body.message; return;
    case "output.error": return shown && print(shown, `${body.name}: ${body.message}\n`);
    case "output.image": return addPicture(view, body.image);
    case "artifact.created": return addFile(view, body.artifact);
    case "plan.proposed": return propose(view, body);
    case "approval.requested": return view.plans.has(body.request_id) ? askPlan(view, body) : ask(view, body, ["yes", "no"]);
    case "continue.asked": return ask(view, body, ["goOn", "enough"]);
    case "question.asked": return ask(view, body);
    case "request.answered": view.plans.get(body.request_id)?.close(); note(view, "waiting"); return view.asked.replaceChildren();
    case "round.executed": return showRound(view, body.round);
    case "workbook.committed": return view.committed();
    case "warning.raised": return view.rounds.append(make("p", { className: "state", textContent: told(body) }));
    case "answer.completed": return showAnswer(view, body.answer);
    case "run.finished": return finished(view, body).catch((error) => problem(error.message));
  }
}
// Replays what was and shows what comes, until the run has ended. A connection that breaks is made anew after the last seq that was seen.
export function follow(view, id) {
  view.id = id;
  let seen = 0, events = null, waiting = null;
  return new Promise((resolve) => {
    const end = () => { events?.close(); clearTimeout(waiting); followed.delete(end); resolve(); };
    const lost = async () => {
      problem(say("lost"));
      const known = await fetch(`/api/v1/runs/${encodeURIComponent(id)}`).catch(() => null);
      if (!followed.has(end)) return;
      if (known && known.status >= 400 && known.status < 500) { problem(say("gone")); return end(); }
      waiting = setTimeout(connect, AGAIN_MS);
    };
    function connect() {
      events = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events?after=${seen}`);
      for (const type of EVENTS) events.addEventListener(type, (event) => { seen = Number(event.lastEventId) || seen; take(view, id, JSON.parse(event.data)) && end(); });
      events.onopen = () => { if (view.broken) problem(""); view.broken = false; };
      events.onerror = () => { view.broken = true; if (events.readyState === EventSource.CLOSED) lost(); else problem(say("lost")); };
    }
    followed.add(end);
    connect();
  });
}
// Ends the watching of every run; the runs go on.
export function leave() { for (const end of [...followed]) end(); }
