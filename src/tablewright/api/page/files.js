// The files of the conversation: sent with their progress, listed, removed.
import { $, button, call, language, make, problem, say, sent } from "/page/base.js";
import { askButton } from "/page/turn.js";

const EDITABLE = ["xlsx", "csv", "xls", "ods"], MB = 1024 ** 2;
// A sample that was changed has become a workbook: only the ending of its name is another.
const stem = (name) => name.replace(/\.\w+$/, "");
let listing = 0;

// Lists them and returns whether a workbook is among them, null where a later list has overtaken this one. `again` lists anew.
export async function showFiles(conversation, again) {
  const mine = ++listing;
  const files = conversation ? (await call("GET", `files?conversation_id=${encodeURIComponent(conversation)}`)).items : [];
  const samples = await call("GET", "samples");
  if (mine !== listing) return null;
  const uploads = files.filter((file) => !file.run_id).reverse();
  $("chips").replaceChildren(...uploads.map((file) => chip(file, again)));
  const known = uploads.some((file) => samples.files.some((name) => stem(name) === stem(file.name)));
  $("sample").hidden = known;
  $("examples").replaceChildren(...(known ? samples.questions : []).map((question) => make("li", {}, askButton(question))));
  offerUnasked();
  return uploads.some((file) => EDITABLE.includes(file.kind));
}
// An example that was asked is offered no more.
export function offerUnasked() {
  const asked = new Set([...document.querySelectorAll("article h3")].map((title) => title.textContent));
  for (const item of $("examples").children) item.hidden = asked.has(item.textContent);
}
function chip(file, again) {
  const size = (sheet) => say("size", { rows: shownCount(sheet.rows), columns: shownCount(sheet.columns.length) });
  const sheets = file.sheets.map((sheet) => file.name.startsWith(`${sheet.name}.`) ? size(sheet) : say("sheetSize", { name: sheet.name, size: size(sheet) }));
  const told = sheets.length > 1 ? say("sheets", { count: sheets.length }) : sheets[0] || "";
  const remove = button("×", async () => {
    if (!confirm(say("removeSure", { name: file.name }))) return;
    await call("DELETE", `files/${encodeURIComponent(file.id)}`);
    await again();
  }, { className: "remove", ariaLabel: say("remove", { name: file.name }), title: say("remove", { name: file.name }) });
  return make("li", { title: sheets.slice(0, 20).join("\n") + (sheets.length > 20 ? "\n…" : "") }, file.name, make("span", { className: "state", textContent: ` ${told} ` }), remove);
}
const shownCount = (count) => count >= 1e4 ? count.toLocaleString(language) : count;

function progress(message) {
  $("progress").textContent = message;
  $("progress").hidden = !message;
}
// Sends each file; one that cannot be read keeps none of the others from coming.
export async function upload(files, conversation, tables) {
  const faults = [];
  for (const file of files) {
    const form = new FormData(), whole = Math.round(file.size / MB);
    form.append("file", file, file.name);
    const told = (share) => progress(share < 1 ? say("sending", { name: file.name, percent: Math.floor(share * 100), size: whole }) : say("reading", { name: file.name }));
    told(file.size < MB ? 1 : 0);
    try { await sent(`files?conversation_id=${encodeURIComponent(conversation)}&tables=${tables}`, form, told); } catch (error) { faults.push(error.message); }
  }
  progress("");
  if (faults.length) throw new Error(faults.join("\n"));
}
