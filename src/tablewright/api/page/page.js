// The page: choose a file, ask, agree to what is planned, watch the steps, read the answer.
import { $, button, call, grid, guarded, language, make, problem, say, speak, swap } from "/page/base.js";
import { book } from "/page/book.js";
import { learn, told } from "/page/notices.js";
import { changed, planned, savePlan } from "/page/plan.js";

const EVENTS = ["step.announced", "step.started", "step.finished", "repair.started", "code.finished", "output.text", "progress.reported", "output.error", "output.image",
  "artifact.created", "approval.requested", "question.asked", "request.answered", "answer.completed", "run.finished",
  "plan.proposed", "continue.asked", "round.executed", "workbook.committed", "warning.raised"];
const SHOWN_TURNS = 10, EDITABLE = ["xlsx", "csv", "xls", "ods"];
let conversation = location.hash.slice(1), run = null, source = null;
// What a person does early waits: a file until the conversation is found, a question until what was is shown and the files have arrived.
let found = Promise.resolve(), opened = found, arriving = found, starting = null, listing = 0;

function go(id) {
  conversation = id;
  history.replaceState(null, "", id ? `#${id}` : location.pathname);
}
async function ensured() {
  await found;
  if (conversation) return conversation;
  starting ??= call("POST", "conversations", { language }).then((made) => go(made.id)).finally(() => { starting = null; });
  await starting;
  return conversation;
}

// A list of files that a later one has overtaken is not shown.
async function showFiles() {
  const mine = ++listing;
  const files = conversation ? (await call("GET", `files?conversation_id=${encodeURIComponent(conversation)}`)).items : [];
  const samples = await call("GET", "samples");
  if (mine !== listing) return;
  const uploads = files.filter((file) => !file.run_id).reverse();
  $("chips").replaceChildren(...uploads.map((file) => {
    const sheets = file.sheets.map((sheet) => `${sheet.name}: ${say("size", { rows: sheet.rows, columns: sheet.columns.length })}`);
    return make("li", { textContent: file.name, title: sheets.join("\n") }, make("span", { className: "state", textContent: ` ${sheets[0] || ""}` }));
  }));
  const known = uploads.some((file) => samples.files.includes(file.name));
  $("examples").replaceChildren(...(known ? samples.questions : []).map((question) => make("li", {}, askButton(question))));
  await book.show(uploads.some((file) => EDITABLE.includes(file.kind)) ? conversation : "");
}
const askButton = (question) => make("button", { type: "button", textContent: question, onclick: () => { $("question").value = question; $("question").focus(); } });
async function upload(files) {
  for (const file of files) {
    problem(say("reading", { name: file.name }));
    const form = new FormData();
    form.append("file", file, file.name);
    await call("POST", `files?conversation_id=${encodeURIComponent(await ensured())}&tables=${$("changing").checked ? "optional" : "needed"}`, form);
  }
  problem("");
  await showFiles();
}

function turn(question) {
  const view = { steps: make("ol"), note: make("p", { className: "state", textContent: say("waiting") }), plan: make("div"), rounds: make("div"), asked: make("div"), pictures: make("div"), answer: make("div", { className: "answer" }), files: make("ul"), known: new Map(), plans: new Map(), question, id: null };
  $("log").append(make("article", {}, make("h3", { textContent: question }), view.plan, view.steps, view.note, view.rounds, view.asked, view.answer, view.pictures, view.files));
  return view;
}
function step(view, id) {
  if (id && !view.known.has(id)) {
    const state = make("span", { className: "state" }), item = make("li", {}, make("span", { className: "name" }), " ", state);
    view.steps.append(item);
    view.known.set(id, { item, state, output: null });
  }
  return view.known.get(id);
}
function mark(shown, state, seconds) {
  shown.item.className = state;
  shown.state.textContent = say(state) + (seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`);
}
function print(shown, text) {
  if (!shown.output) shown.item.append(shown.output = make("pre", { tabIndex: 0 }));
  shown.output.textContent = (shown.output.textContent + text).slice(-20000);
}
const table = (data) => grid(data.columns, data.rows, data.total_rows > data.rows.length ? say("rows", { shown: data.rows.length, total: data.total_rows }) : data.title);
function showAnswer(view, answer) {
  const words = answer.text.split(/\n{2,}/).filter((part) => part.trim()).map((part) => make("p", { textContent: part.trim() }));
  const shown = answer.table || answer.result;
  const parts = shown && (shown.total_rows > 1 || shown.columns.length > 1) ? [table(shown)] : [];
  if (answer.suggestions.length) parts.push(make("p", { textContent: say("try") }), make("ul", {}, ...answer.suggestions.map((question) => make("li", {}, askButton(question)))));
  view.answer.replaceChildren(...words, ...parts);
  for (const file of answer.files) addFile(view, file);
}
const url = (file) => `/api/v1/files/${encodeURIComponent(file.id)}/download`;
function addFile(view, file) {
  if (view.known.has(file.id)) return;
  view.known.set(file.id, true);
  view.files.append(make("li", {}, make("a", { href: url(file), textContent: file.name, download: file.name })));
}
function addPicture(view, file) {
  if (["image/png", "image/jpeg"].includes(file.mime)) view.pictures.append(make("img", { src: url(file), alt: `${say("figure")}: ${file.name}` }));
}
const answer = (view, body, decision) => call("POST", `runs/${view.id}/requests/${body.request_id}`, decision);
function ask(view, body, choices) {
  view.note.textContent = say("asking");
  const field = make("input", { value: body.default || "", ariaLabel: body.prompt });
  const buttons = choices ? [button(say(choices[0]), () => answer(view, body, { decision: "approve" })), button(say(choices[1]), () => answer(view, body, { decision: "reject" }))]
    : [...body.options.map((text) => button(text, () => answer(view, body, { decision: "answer", text }))), field, button(say("send"), () => answer(view, body, { decision: "answer", text: field.value }))];
  view.asked.replaceChildren(make("p", { textContent: body.prompt }), make("div", { className: "row" }, ...buttons));
}
// A plan is agreed to on the workbook as the person sees it: their own edits since it was made are no reason to plan anew.
function askPlan(view, body) {
  view.note.textContent = say("asking");
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
  view.steps.parentElement.dataset.outcome = body.outcome;
  view.note.hidden = true;
  view.asked.replaceChildren();
  for (const plan of view.plans.values()) plan.close();
  if (body.outcome === "cancelled") view.note.hidden = !(view.note.textContent = say("outcome_cancelled"));
  if (!body.failure) return;
  const ended = await call("GET", `runs/${view.id}`);
  view.answer.append(make("p", { className: "fault", textContent: ended.failure.message }));
}
function take(view, body) {
  const shown = body.step_id ? step(view, body.step_id) : null;
  switch (body.type) {
    case "step.announced": shown.item.firstChild.textContent = body.name; return mark(shown, "announced");
    case "step.started": return mark(shown, "running");
    case "step.finished": return mark(shown, body.status, body.elapsed_s);
    case "repair.started": return shown && print(shown, `${say("repair", body)}\n`);
    case "code.finished": return shown?.item.append(make("details", {}, make("summary", { textContent: say("code") }), make("pre", { tabIndex: 0, textContent: body.code })));
    case "output.text": return shown && print(shown, body.text);
    case "progress.reported": return shown && print(shown, `${body.message}\n`);
    case "output.error": return shown && print(shown, `${body.name}: ${body.message}\n`);
    case "output.image": return addPicture(view, body.image);
    case "artifact.created": return addFile(view, body.artifact);
    case "plan.proposed": return propose(view, body);
    case "approval.requested": return view.plans.has(body.request_id) ? askPlan(view, body) : ask(view, body, ["yes", "no"]);
    case "continue.asked": return ask(view, body, ["goOn", "enough"]);
    case "question.asked": return ask(view, body);
    case "request.answered": view.plans.get(body.request_id)?.close(); view.note.textContent = say("waiting"); return view.asked.replaceChildren();
    case "round.executed": return showRound(view, body.round);
    case "workbook.committed": return guarded(() => book.show(conversation))();
    case "warning.raised": return view.rounds.append(make("p", { className: "state", textContent: told(body) }));
    case "answer.completed": return showAnswer(view, body.answer);
    case "run.finished": return finished(view, body).catch((error) => problem(error.message));
  }
}
function busy(id) {
  run = id;
  $("send").disabled = id !== null;
  $("stop").hidden = id === null;
}
// Replays what was and shows what comes, until the run has ended. The browser reconnects by itself after the last seq it saw.
function follow(view, id) {
  view.id = id;
  source?.close();
  const events = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events`);
  return new Promise((resolve) => {
    const end = () => { events.close(); if (run === id) busy(null); resolve(); };
    source = { close: end };
    for (const type of EVENTS) events.addEventListener(type, (event) => take(view, JSON.parse(event.data).body));
    events.addEventListener("run.finished", end);
    events.onopen = () => problem("");
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) end(); else problem(say("lost")); };
  });
}
async function submit() {
  if ($("send").disabled) return;
  $("send").disabled = true;
  try {
    await Promise.all([opened, arriving]);
    const text = $("question").value.trim();
    if (!text || run) return;
    const started = await call("POST", `conversations/${await ensured()}/messages`, { text, ...($("changing").checked ? { mode: "edit" } : {}) });
    $("question").value = "";
    busy(started.run_id);
    follow(turn(text), started.run_id);
  } finally { $("send").disabled = run !== null; }
}
function cleared() {
  source?.close();
  busy(null);
  $("log").replaceChildren();
}
async function find() {
  await learn();
  if (conversation) return;
  const known = (await call("GET", "conversations?limit=20")).items;
  conversation = (known.find((entry) => entry.language === language) || known[0])?.id || "";
}
async function open() {
  cleared();
  const finding = find();
  found = finding.catch(() => {});
  await finding;
  await showFiles();
  const shown = conversation;
  const messages = shown ? (await call("GET", `conversations/${encodeURIComponent(shown)}/messages?limit=200`).catch(() => (go(""), { items: [] }))).items : [];
  for (const message of messages.filter((entry) => entry.author === "user").slice(-SHOWN_TURNS)) {
    if (conversation !== shown) return;
    const told = await call("GET", `runs/${message.run_id}`);
    if (told.state !== "finished") busy(told.id);
    await follow(turn(message.text), told.id);
  }
}
const opening = () => { const whole = open(); opened = whole.catch(() => {}); return whole; };
const adding = (add) => guarded((event) => { const whole = arriving.then(() => add(event)); arriving = whole.catch(() => {}); return whole; });

$("composer").onsubmit = guarded(submit);
$("question").onkeydown = (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) guarded(submit)(event); };
$("file").onchange = () => { const files = [...$("file").files]; $("file").value = ""; adding(() => upload(files))(); };
$("sample").onclick = adding(async () => { await call("POST", "samples", { conversation_id: await ensured() }); await showFiles(); });
$("stop").onclick = guarded(() => run && call("POST", `runs/${run}/cancel`));
$("fresh").onclick = guarded(async () => { await found; go(""); cleared(); await showFiles(); $("question").focus(); });
$("sign-in").onsubmit = guarded(async () => { await call("POST", "session", { key: $("key").value }); $("sign-in").hidden = true; $("key").value = ""; await opening(); });
$("language").onclick = guarded(async () => { swap(); await learn(); await showFiles(); });
for (const kind of ["dragover", "dragleave", "drop"]) $("drop").addEventListener(kind, (event) => { event.preventDefault(); $("drop").classList.toggle("over", kind === "dragover"); });
$("drop").addEventListener("drop", (event) => { const files = [...event.dataTransfer.files]; adding(() => upload(files))(event); });
speak();
guarded(opening)();
