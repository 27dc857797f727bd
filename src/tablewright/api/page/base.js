// What every part of the page stands on: its words, its nodes, its calls. Text from models, files and people is only ever set as text.
const WORDS = {
  en: {
    skip: "Go to the question", intro: "Ask about your tables in plain words and watch every step. A change of a workbook is planned first: nothing is written before you agree.",
    examples: "Questions to begin with", deleteThis: "Delete this conversation", whole: "Download the chart", codeAndOutput: "Code and output", bookExpected: "Getting the workbook ready…", table: "Table", fromStep: "From the step “{name}”",
    fresh: "New conversation", other: "中文", files: "Your tables", drop: "Choose files or drop them here (CSV, Excel, ODS, JSON, Parquet)",
    sample: "Use the sample files", ask: "Your question", send: "Ask", stop: "Stop", stopping: "Stopping…", key: "Key of this service", signIn: "Sign in", announced: "next", running: "running…",
    ok: "done", error: "failed", interrupted: "stopped", dropped: "not run", code: "Code", reading: "Reading {name}…", size: "{rows} rows, {columns} columns",
    rows: "First {shown} of {total} rows", outcome_cancelled: "Stopped.", outcome_superseded: "Another question took its place.", waiting: "Working on it…", yes: "Approve", no: "Reject", repair: "Repairing, attempt {attempt}",
    lost: "The connection is gone; trying again…", try: "You can ask:", offline: "The service does not answer. Is it still running?", wrote: "Files", figure: "Chart",
    changing: "Change the workbook", asking: "It waits for you.", addStep: "Add a step", function: "Function", add: "Add", moreParameters: "More parameters, as JSON", plan: "Plan", include: "Include step {step}", up: "Move step {step} up", down: "Move step {step} down", details: "Change this step ({function})",
    description: "Description", doIt: "Do it", doNot: "Do nothing", different: "What should be different?", again: "Plan again", goOn: "Go on", enough: "Stop here",
    unread: "“{name}” cannot be read: it must be JSON, such as {example}.", savePlan: "Save the plan", nothingLeft: "No step is left. Include one, or choose “{doNot}”.",
    completed: "done", failed: "failed", cells: "{count} cells", rolledBack: "Nothing was kept: formulas would have given new errors.",
    changes: "Changed cells: {sheet}", cell: "Cell", before: "Before", after: "After", empty: "(empty)", more: "Only the first {count} are shown.",
    book: "{name} · version {version}", undo: "Undo", redo: "Redo", download: "Download {name}", applySaved: "Apply a saved plan…", versions: "Versions", version: "version {version}",
    compare: "Compare with now", isHead: "now", by_upload: "uploaded", by_client: "edited by a program", by_person: "your edit", by_round: "a plan that you agreed to", sheetsAdded: "Sheets added: {names}",
    sheetsRemoved: "Sheets removed: {names}", partsChanged: "Other changes: {names}", same: "Nothing differs.", sheet: "Sheet", rowsBefore: "Rows before", rowsAfter: "Rows after",
    columnsBefore: "Columns before", columnsAfter: "Columns after", noPlan: "“{name}” is not a saved plan.", otherShape: "The plan was made for a workbook of another shape.", cellsOf: "Cells",
    notebook: "As a notebook", script: "As a script", webPage: "As a web page", conversations: "Conversations", unbegun: "(new conversation)", untitled: "(without a title)", delete: "Delete", deleteSure: "Delete this conversation with its questions and answers? Files stay.",
    earlier: "Show earlier questions ({count})", remove: "Remove {name}", removeSure: "Remove “{name}” with all its versions?", sending: "Sending {name}: {percent} % of {size} MB",
    sheets: "{count} sheets", sheetSize: "{name}: {size}", gone: "This is not there any more. It may have been deleted.", hint: "Such as: total amount by region, largest first",
  },
  zh: {
    skip: "跳到提问", intro: "用日常语言询问您的表格，每一步都看得见。修改工作簿会先给出计划：您同意之前，不会写入任何内容。",
    examples: "可以先问这些", deleteThis: "删除这个对话", whole: "下载图表", codeAndOutput: "代码和输出", bookExpected: "正在准备工作簿…", table: "表格", fromStep: "来自步骤“{name}”",
    fresh: "新对话", other: "English", files: "您的表格", drop: "选择文件，或拖放到这里（CSV、Excel、ODS、JSON、Parquet）",
    sample: "使用示例文件", ask: "您的问题", send: "提问", stop: "停止", stopping: "正在停止…", key: "本服务的密钥", signIn: "登录", announced: "待运行", running: "运行中…",
    ok: "完成", error: "失败", interrupted: "已停止", dropped: "未运行", code: "代码", reading: "正在读取 {name}…", size: "{rows} 行，{columns} 列",
    rows: "共 {total} 行，显示前 {shown} 行", outcome_cancelled: "已停止。", outcome_superseded: "已由新的问题取代。", waiting: "正在处理…", yes: "同意", no: "拒绝", repair: "正在修复，第 {attempt} 次",
    lost: "连接中断，正在重试…", try: "可以这样问：", offline: "服务没有响应。它还在运行吗？", wrote: "文件", figure: "图表",
    changing: "修改工作簿", asking: "等待您的决定。", addStep: "添加一步", function: "函数", add: "添加", moreParameters: "更多参数（JSON）", plan: "计划", include: "包含第 {step} 步", up: "上移第 {step} 步", down: "下移第 {step} 步", details: "修改这一步（{function}）",
    description: "说明", doIt: "执行", doNot: "不执行", different: "要改成什么样？", again: "重新计划", goOn: "继续", enough: "到此为止",
    unread: "无法读取“{name}”：必须是 JSON，例如 {example}。", savePlan: "保存计划", nothingLeft: "没有剩下任何步骤。请至少包含一步，或选择“{doNot}”。",
    completed: "完成", failed: "失败", cells: "{count} 个单元格", rolledBack: "没有保留任何更改：公式会出现新的错误。",
    changes: "更改的单元格：{sheet}", cell: "单元格", before: "之前", after: "之后", empty: "（空）", more: "只显示前 {count} 个。",
    book: "{name} · 版本 {version}", undo: "撤销", redo: "重做", download: "下载 {name}", applySaved: "应用已保存的计划…", versions: "版本", version: "版本 {version}",
    compare: "与当前比较", isHead: "当前", by_upload: "已上传", by_client: "由程序编辑", by_person: "您的编辑", by_round: "您同意的计划", sheetsAdded: "新增的工作表：{names}",
    sheetsRemoved: "删除的工作表：{names}", partsChanged: "其他更改：{names}", same: "没有差异。", sheet: "工作表", rowsBefore: "前面的行", rowsAfter: "后面的行",
    columnsBefore: "前面的列", columnsAfter: "后面的列", noPlan: "“{name}”不是已保存的计划。", otherShape: "该计划是为另一种结构的工作簿制定的。", cellsOf: "单元格",
    notebook: "存为笔记本", script: "存为脚本", webPage: "存为网页", conversations: "对话", unbegun: "（新对话）", untitled: "（没有标题）", delete: "删除", deleteSure: "删除这个对话及其中的问题和回答吗？文件会保留。",
    earlier: "显示更早的提问（{count}）", remove: "移除 {name}", removeSure: "移除“{name}”及其所有版本吗？", sending: "正在上传 {name}：{size} MB 的 {percent}%",
    sheets: "{count} 个工作表", sheetSize: "{name}：{size}", gone: "它已不存在，可能已被删除。", hint: "例如：按地区汇总销售额，从高到低",
  },
};
const LONG_CHARS = 40;
export const $ = (id) => document.getElementById(id);
const stored = () => { try { return localStorage.getItem("language"); } catch { return null; } };
export let language = stored() || (navigator.language.startsWith("zh") ? "zh" : "en");

export const say = (code, values = {}) => (WORDS[language][code] || code).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export function make(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) node[name] = value;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
export const button = (label, action, options = {}) => make("button", { type: "button", textContent: label, onclick: guarded(action), ...options });
export function problem(message) {
  $("problem").textContent = message || "";
  $("problem").hidden = !message;
  if (message) $("problem").scrollIntoView({ block: "nearest" });
}
export async function call(method, path, body) {
  const form = body instanceof FormData;
  const headers = { "Accept-Language": language, ...(body && !form ? { "Content-Type": "application/json" } : {}) };
  let response;
  try {
    response = await fetch(path.startsWith("/") ? path : `/api/v1/${path}`, { method, headers, body: form ? body : body && JSON.stringify(body) });
  } catch { throw new Error(say("offline")); }
  if (response.status === 401) $("sign-in").hidden = false;
  const data = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw Object.assign(new Error(data?.error?.message || `${response.status} ${response.statusText}`), { status: response.status });
  return data;
}
// Posts a form and tells the share of it that has gone out.
export const sent = (path, form, told) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  const data = () => { try { return JSON.parse(request.responseText); } catch { return null; } };
  request.open("POST", `/api/v1/${path}`);
  request.setRequestHeader("Accept-Language", language);
  request.upload.onprogress = (event) => told(event.lengthComputable ? event.loaded / event.total : 1);
  request.onerror = () => reject(new Error(say("offline")));
  request.onload = () => {
    if (request.status === 401) $("sign-in").hidden = false;
    if (request.status < 400) resolve(data()); else reject(new Error(data()?.error?.message || `${request.status} ${request.statusText}`));
  };
  request.send(form);
});
export const guarded = (action) => async (event) => {
  event?.preventDefault?.();
  problem("");
  try { await action(event); } catch (error) { problem(error.message); }
};
export function speak(wanted = language) {
  language = wanted;
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = say(node.dataset.t);
  for (const node of document.querySelectorAll("[data-label]")) node.ariaLabel = say(node.dataset.label);
  $("question").placeholder = say("hint");
}
export function swap() {
  try { localStorage.setItem("language", language === "zh" ? "en" : "zh"); } catch { /* private mode */ }
  speak(language === "zh" ? "en" : "zh");
}
export const shown = (cell) => cell === null || cell === "" ? "" : typeof cell === "number" ? cell.toLocaleString(language, { maximumFractionDigits: 6, useGrouping: !Number.isInteger(cell) || Math.abs(cell) >= 1e4 }) : String(cell);
export const cellKind = (cell) => typeof cell === "number" ? "number" : String(cell ?? "").length > LONG_CHARS ? "long" : "";
export function grid(columns, rows, caption) {
  const numeric = (index) => rows.some((row) => typeof row[index] === "number") && rows.every((row) => row[index] === null || typeof row[index] === "number");
  const head = make("tr", {}, ...columns.map((name, index) => make("th", { scope: "col", className: numeric(index) ? "number" : "", textContent: name })));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => cell instanceof Node ? cell : make("td", { className: cellKind(cell), textContent: shown(cell) }))));
  return make("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: caption || say("table") }, make("table", {}, caption ? make("caption", { textContent: caption }) : null, make("thead", {}, head), make("tbody", {}, ...body)));
}
