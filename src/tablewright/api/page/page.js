// The page: choose a file, ask, agree to what is planned, watch the steps, read the answer.
import { $, call, guarded, language, make, problem, say, speak, swap } from "/page/base.js";
import { book } from "/page/book.js";
import { list, newest, remove } from "/page/conversations.js";
import { offerUnasked, showFiles, upload } from "/page/files.js";
import { learn } from "/page/notices.js";
import { follow, leave, turn } from "/page/turn.js";

const SHOWN_TURNS = 10;
// What tells that a person scrolls by themselves.
const SCROLLING = {
  wheel: () => true, touchmove: () => true, pointerdown: (event) => event.target === document.documentElement,
  keydown: (event) => ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", " "].includes(event.key) && !event.target.matches("input, textarea, select, button, summary"),
};
let conversation = location.hash.slice(1), run = null, earlier = [], shown = new Set(), drawing = 0;
// What a person does early waits: a file until the conversation is found, a question until what was is shown and the files have arrived.
let found = Promise.resolve(), opened = found, arriving = found, starting = null, looking = null;

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
async function listFiles() {
  const editable = await showFiles(conversation, listFiles);
  if (editable !== null) await book.show(editable ? conversation : "");
}
const listed = () => list(conversation).catch(() => {});

function busy(id) {
  run = id;
  $("send").disabled = id !== null;
  $("stop").hidden = id === null;
  stopping(false);
}
// A stop that was asked for and has not come yet is said as such, and is not asked for again.
function stopping(underWay) {
  $("stop").disabled = underWay;
  $("stop").textContent = say($("stop").dataset.t = underWay ? "stopping" : "stop");
}
async function stop() {
  const id = run;
  if (!id) return;
  stopping(true);
  try { await call("POST", `runs/${id}/cancel`); } catch (error) { if (run === id) stopping(false); throw error; }
}
const below = (article) => $("log").append(article);
// A new version may have another name and size than the file in the list.
const committed = guarded(listFiles);
// Shows a question with its run, and the run to its end.
async function watch(question, id, place = below) {
  shown.add(id);
  const view = turn(question, place, committed);
  offerUnasked();
  await follow(view, id);
  if (run === id) busy(null);
  return view;
}
// What was just asked is what a person looks at: its question first, in the end its answer, unless they have turned to something else.
async function watchInView(question, id) {
  const ended = watch(question, id), article = $("log").lastElementChild, over = new AbortController();
  let turned = false;
  const show = (...parts) => { if (!turned) for (const part of parts) part.scrollIntoView({ block: "nearest" }); };
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(kind, (event) => { turned ||= SCROLLING[kind](event); }, { passive: true, signal: over.signal });
  const toTop = () => { if (!turned) article.scrollIntoView({ block: "start" }); }, growing = new ResizeObserver(toTop);
  article.addEventListener("asking", () => { growing.disconnect(); show(article); });
  growing.observe(article);
  toTop();
  const view = await ended.finally(() => { growing.disconnect(); over.abort(); });
  await Promise.all([...article.querySelectorAll("img")].map((image) => image.decode().catch(() => {})));
  if (view.answer.scrollHeight < innerHeight - $("composer").offsetHeight) show(view.files, view.answer); else show(article);
}
async function submit() {
  if ($("send").disabled) return;
  $("send").disabled = true;
  try {
    await Promise.all([opened, arriving]);
    const text = $("question").value.trim();
    if (!text || run) return;
    const id = await ensured();
    const started = await call("POST", `conversations/${id}/messages`, { text, ...($("changing").checked ? { mode: "edit" } : {}) })
      .catch((error) => { look().catch(() => {}); throw error; });
    $("question").value = "";
    $("changing").checked = false;
    busy(started.run_id);
    watchInView(text, started.run_id).catch((error) => problem(error.message));
    listed();
  } finally { $("send").disabled = run !== null; }
}
// Nothing of another conversation stays to be acted on while this one is fetched.
function cleared() {
  drawing++;
  leave();
  busy(null);
  $("chips").replaceChildren();
  book.show("");
  [earlier, shown] = [[], new Set()];
  $("log").replaceChildren();
}
async function questions(id) {
  const asked = [];
  for (let cursor = ""; cursor !== null;) {
    const page = await call("GET", `conversations/${encodeURIComponent(id)}/messages?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    asked.push(...page.items.filter((entry) => entry.author === "user"));
    cursor = page.next_cursor;
  }
  return asked;
}
// Shows questions one below the other; the last may still be worked on.
async function replay(asked, mine, place = below) {
  for (const message of asked) {
    const told = await call("GET", `runs/${message.run_id}`);
    if (drawing !== mine) return;
    if (shown.has(told.id)) continue;
    if (told.state !== "finished") busy(told.id);
    if (told.cancelling) stopping(true);
    await watch(message.text, told.id, place);
  }
}
// Looks for what was asked meanwhile elsewhere, in another window or by a program.
async function look() {
  if (!conversation || run || looking) return;
  const fetchNew = async () => {
    const mine = drawing, asked = await questions(conversation);
    if (drawing === mine) await replay(asked.filter((entry) => !shown.has(entry.run_id) && !earlier.includes(entry.run_id)), mine);
  };
  looking = opened.then(fetchNew).finally(() => { looking = null; });
  await looking;
}
// Questions of long ago come when they are wanted.
function offerEarlier(asked) {
  earlier = asked.map((entry) => entry.run_id);
  if (!asked.length) return;
  const offer = make("button", { type: "button", id: "earlier", textContent: say("earlier", { count: asked.length }) });
  offer.onclick = guarded(async () => {
    const next = asked.slice(-SHOWN_TURNS), first = offer.nextElementSibling;
    offer.remove();
    offerEarlier(asked.slice(0, -SHOWN_TURNS));
    await replay(next, drawing, (article) => first.before(article));
  });
  $("log").prepend(offer);
}
async function find() {
  await learn();
  if (conversation && await call("GET", `conversations/${encodeURIComponent(conversation)}`).catch((error) => { if (error.status !== 404) throw error; })) return;
  go("");
  const known = await newest(20);
  go((known.find((entry) => entry.language === language) || known[0])?.id || "");
}
async function open() {
  cleared();
  const finding = find();
  found = finding.catch(() => {});
  await finding;
  const files = listFiles();
  await Promise.all([files, listed(), showQuestions(files)]);
}
// Shows what was asked, the newest in view once nothing above it moves any more.
async function showQuestions(above) {
  const mine = drawing;
  const asked = conversation ? await questions(conversation) : [];
  if (drawing !== mine) return;
  offerEarlier(asked.slice(0, -SHOWN_TURNS));
  await replay(asked.slice(-SHOWN_TURNS, -1), mine);
  await above.catch(() => {});
  let last = null, place = 0;
  const inView = () => { if (last && Math.abs(scrollY - place) < 4) { last.scrollIntoView({ block: "start" }); place = scrollY; } };
  await replay(asked.slice(-1), mine, (article) => {
    below(article);
    if (asked.length < 2 || scrollY !== 0) return;
    last = article;
    article.addEventListener("asking", inView);
    inView();
  });
  if (drawing === mine) inView();
}
const opening = () => { const whole = open(); opened = whole.catch(() => {}); return whole; };
const adding = (add) => guarded((event) => { const whole = arriving.then(() => add(event)); arriving = whole.catch(() => {}); return whole; });
const send = (files) => adding(async () => {
  try { await upload(files, await ensured(), $("changing").checked ? "optional" : "needed"); } finally { await listFiles(); }
})();
const begin = async () => { go(""); cleared(); await listFiles(); await listed(); $("question").focus(); };

$("composer").onsubmit = guarded(submit);
$("question").onkeydown = (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) guarded(submit)(event); };
$("file").onchange = () => { const files = [...$("file").files]; $("file").value = ""; send(files); };
$("sample").onclick = adding(async () => { await call("POST", "samples", { conversation_id: await ensured() }); await listFiles(); });
$("stop").onclick = guarded(stop);
$("fresh").onclick = guarded(async () => { await found; await begin(); });
$("conversations").onchange = guarded(async () => { const id = $("conversations").value; if (!id) return begin(); go(id); await opening(); });
$("delete").onclick = guarded(async () => { if (await remove(conversation)) { go(""); await opening(); } });
$("sign-in").onsubmit = guarded(async () => { await call("POST", "session", { key: $("key").value }); $("sign-in").hidden = true; $("key").value = ""; await opening(); });
$("language").onclick = guarded(async () => { swap(); await (run ? Promise.all([learn(), listFiles(), listed()]) : opening()); });
for (const kind of ["dragover", "dragleave", "drop"]) $("drop").addEventListener(kind, (event) => { event.preventDefault(); $("drop").classList.toggle("over", kind === "dragover"); });
$("drop").addEventListener("drop", (event) => send([...event.dataTransfer.files]));
document.addEventListener("visibilitychange", () => { if (!document.hidden) look().catch(() => {}); });
// A question that has not gone out stays in its box over a reload.
addEventListener("pagehide", () => sessionStorage.setItem("question", $("question").value));
$("question").value ||= sessionStorage.getItem("question") ?? "";
history.scrollRestoration = "manual";
speak();
guarded(opening)();
