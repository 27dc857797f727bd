// The page: choose a file, ask, watch the steps, read the answer. Text from models, files and people is only ever set as text.
const WORDS = {
  en: {
    skip: "Go to the question", fresh: "New conversation", other: "中文", files: "Your tables", drop: "Choose files or drop them here (CSV, Excel, ODS, JSON, Parquet)",
    sample: "Use the sample files", ask: "Your question", send: "Ask", stop: "Stop", key: "Key of this service", signIn: "Sign in", announced: "next", running: "running…",
    ok: "done", error: "failed", interrupted: "stopped", dropped: "not run", code: "Code", reading: "Reading {name}…", size: "{rows} rows, {columns} columns",
    rows: "First {shown} of {total} rows", outcome_cancelled: "Stopped.", waiting: "Working on it…", yes: "Approve", no: "Reject", repair: "Repairing, attempt {attempt}",
    lost: "The connection is gone; trying again…", try: "You can ask:", offline: "The service does not answer. Is it still running?", wrote: "Files", figure: "Chart",
  },
  zh: {
    skip: "跳到提问", fresh: "新对话", other: "English", files: "您的表格", drop: "选择文件，或拖放到这里（CSV、Excel、ODS、JSON、Parquet）",
    sample: "使用示例文件", ask: "您的问题", send: "提问", stop: "停止", key: "本服务的密钥", signIn: "登录", announced: "待运行", running: "运行中…",
    ok: "完成", error: "失败", interrupted: "已停止", dropped: "未运行", code: "代码", reading: "正在读取 {name}…", size: "{rows} 行，{columns} 列",
    rows: "共 {total} 行，显示前 {shown} 行", outcome_cancelled: "已停止。", waiting: "正在处理…", yes: "同意", no: "拒绝", repair: "正在修复，第 {attempt} 次",
    lost: "连接中断，正在重试…", try: "可以这样问：", offline: "服务没有响应。它还在运行吗？", wrote: "文件", figure: "图表",
  },
};
const EVENTS = ["step.announced", "step.started", "step.finished", "repair.started", "code.finished", "output.text", "progress.reported", "output.error", "output.image",
  "artifact.created", "approval.requested", "question.asked", "request.answered", "answer.completed", "run.finished"];
const SHOWN_TURNS = 10;
const $ = (id) => document.getElementById(id);
const stored = () => { try { return localStorage.getItem("language"); } catch { return null; } };
let language = stored() || (navigator.language.startsWith("zh") ? "zh" : "en");
let conversation = location.hash.slice(1), run = null, source = null;

const say = (code, values = {}) => (WORDS[language][code] || code).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
function make(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) node[name] = value;
  node.append(...children.filter((child) => child !== null));
  return node;
}
function problem(message) {
  $("problem").textContent = message || "";
  $("problem").hidden = !message;
}
async function call(method, path, body) {
  const form = body instanceof FormData;
  const headers = { "Accept-Language": language, ...(body && !form ? { "Content-Type": "application/json" } : {}) };
  let response;
  try {
    response = await fetch(path.startsWith("/") ? path : `/api/v1/${path}`, { method, headers, body: form ? body : body && JSON.stringify(body) });
  } catch { throw new Error(say("offline")); }
  if (response.status === 401) $("sign-in").hidden = false;
  const data = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Error(data?.error?.message || `${response.status} ${response.statusText}`);
  return data;
}
const guarded = (action) => async (event) => {
  event?.preventDefault?.();
  problem("");
  try { await action(event); } catch (error) { problem(error.message); }
};

function speak() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = say(node.dataset.t);
}
function go(id) {
  conversation = id;
  history.replaceState(null, "", id ? `#${id}` : location.pathname);
}
async function ensured() {
  if (!conversation) go((await call("POST", "conversations", { language })).id);
  return conversation;
}

async function showFiles() {
  const files = conversation ? (await call("GET", `files?conversation_id=${encodeURIComponent(conversation)}`)).items : [];
  const uploads = files.filter((file) => !file.run_id).reverse();
  $("chips").replaceChildren(...uploads.map((file) => {
    const sheets = file.sheets.map((sheet) => `${sheet.name}: ${say("size", { rows: sheet.rows, columns: sheet.columns.length })}`);
    return make("li", { textContent: file.name, title: sheets.join("\n") }, make("span", { className: "state", textContent: ` ${sheets[0] || ""}` }));
  }));
  const samples = await call("GET", "samples");
  const known = uploads.some((file) => samples.files.includes(file.name));
  $("examples").replaceChildren(...(known ? samples.questions : []).map((question) => make("li", {}, askButton(question))));
}
const askButton = (question) => make("button", { type: "button", textContent: question, onclick: () => { $("question").value = question; $("question").focus(); } });
async function upload(files) {
  for (const file of files) {
    problem(say("reading", { name: file.name }));
    const form = new FormData();
    form.append("file", file, file.name);
    await call("POST", `files?conversation_id=${encodeURIComponent(await ensured())}`, form);
  }
  problem("");
  await showFiles();
}

function turn(question) {
  const view = { steps: make("ol"), note: make("p", { className: "state", textContent: say("waiting") }), asked: make("div"), pictures: make("div"), answer: make("div", { className: "answer" }), files: make("ul"), known: new Map(), id: null };
  $("log").append(make("article", {}, make("h3", { textContent: question }), view.steps, view.note, view.asked, view.answer, view.pictures, view.files));
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
function table(data) {
  const head = make("tr", {}, ...data.columns.map((name) => make("th", { scope: "col", textContent: name })));
  const rows = data.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", { className: typeof cell === "number" ? "number" : "", textContent: cell === null ? "" : typeof cell === "number" ? cell.toLocaleString(language, { maximumFractionDigits: 6, useGrouping: !Number.isInteger(cell) || Math.abs(cell) >= 1e4 }) : String(cell) }))));
  const caption = data.total_rows > data.rows.length ? say("rows", { shown: data.rows.length, total: data.total_rows }) : data.title;
  return make("div", { className: "scroll", tabIndex: 0 }, make("table", {}, caption ? make("caption", { textContent: caption }) : null, make("thead", {}, head), make("tbody", {}, ...rows)));
}
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
function ask(view, body, choices) {
  const send = (decision, text) => guarded(() => call("POST", `runs/${view.id}/requests/${body.request_id}`, { decision, text }));
  const field = make("input", { value: body.default || "", ariaLabel: body.prompt });
  const buttons = choices ? [make("button", { textContent: say("yes"), onclick: send("approve") }), make("button", { textContent: say("no"), onclick: send("reject") })]
    : [...body.options.map((option) => make("button", { textContent: option, onclick: send("answer", option) })), field, make("button", { textContent: say("send"), onclick: (event) => send("answer", field.value)(event) })];
  view.asked.replaceChildren(make("p", { textContent: body.prompt }), make("div", { className: "row" }, ...buttons));
}

async function finished(view, body) {
  view.steps.parentElement.dataset.outcome = body.outcome;
  view.note.hidden = true;
  view.asked.replaceChildren();
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
    case "approval.requested": return ask(view, body, true);
    case "question.asked": return ask(view, body, false);
    case "request.answered": return view.asked.replaceChildren();
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
  const events = source = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events`);
  return new Promise((resolve) => {
    const end = () => { events.close(); if (run === id) busy(null); resolve(); };
    for (const type of EVENTS) events.addEventListener(type, (event) => take(view, JSON.parse(event.data).body));
    events.addEventListener("run.finished", end);
    events.onopen = () => problem("");
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) end(); else problem(say("lost")); };
  });
}
async function submit() {
  const text = $("question").value.trim();
  if (!text || run) return;
  const started = await call("POST", `conversations/${await ensured()}/messages`, { text });
  $("question").value = "";
  busy(started.run_id);
  follow(turn(text), started.run_id);
}
function cleared() {
  source?.close();
  busy(null);
  $("log").replaceChildren();
}
async function open() {
  cleared();
  if (!conversation) {
    const known = (await call("GET", "conversations?limit=20")).items;
    conversation = (known.find((entry) => entry.language === language) || known[0])?.id || "";
  }
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

$("composer").onsubmit = guarded(submit);
$("question").onkeydown = (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) guarded(submit)(event); };
$("file").onchange = guarded(async () => { await upload($("file").files); $("file").value = ""; });
$("sample").onclick = guarded(async () => { await call("POST", "samples", { conversation_id: await ensured() }); await showFiles(); });
$("stop").onclick = guarded(() => run && call("POST", `runs/${run}/cancel`));
$("fresh").onclick = guarded(async () => { go(""); cleared(); await showFiles(); $("question").focus(); });
$("sign-in").onsubmit = guarded(async () => { await call("POST", "session", { key: $("key").value }); $("sign-in").hidden = true; $("key").value = ""; await open(); });
$("language").onclick = guarded(async () => { language = language === "zh" ? "en" : "zh"; try { localStorage.setItem("language", language); } catch { /* private mode */ } speak(); await showFiles(); });
for (const kind of ["dragover", "dragleave", "drop"]) $("drop").addEventListener(kind, (event) => { event.preventDefault(); $("drop").classList.toggle("over", kind === "dragover"); });
$("drop").addEventListener("drop", guarded((event) => upload(event.dataTransfer.files)));
speak();
guarded(open)();
