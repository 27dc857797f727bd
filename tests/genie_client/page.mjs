// What Genie's page makes of its frames, written from the description of its wire, with all that breaks it:
// a line that is no JSON ends the stream, `finished` counts only beside `eventData`, a `file` without a file and a
// `result` without a map break the page, and children of a group that does not begin with its task vanish.

const STREAMED = ["html", "markdown", "ppt", "data_analysis"];

export class Page {
  constructor(deepThink) {
    Object.assign(this, { deepThink, loading: true, quota: false, heartbeats: 0, thought: "" });
    Object.assign(this, { plan: null, groups: [], conclusion: null, attachments: [], progress: [] });
  }

  take(data) {
    if (data === "") return;
    const { finished, resultMap, packageType, status } = JSON.parse(data);
    if (status === "tokenUseUp") Object.assign(this, { quota: true, loading: false });
    if (packageType === "heartbeat") this.heartbeats += 1;
    if (packageType === "heartbeat" || !resultMap?.eventData) return;
    this.combine(resultMap.eventData);
    if (finished) this.loading = false;
  }

  combine({ taskId, messageType, resultMap }) {
    if (messageType === "plan_thought") {
      this.thought = resultMap.isFinal ? resultMap.planThought : this.thought + resultMap.planThought;
    } else if (messageType === "plan") {
      this.plan = listed(resultMap);
    } else if (messageType === "task") {
      this.item(taskId, resultMap);
    }
  }

  item(taskId, inner) {
    let group = this.groups.find((one) => one.taskId === taskId);
    if (!group) this.groups.push((group = { taskId, items: [] }));
    const before = group.items.find((one) => one.messageId === inner.messageId && one.messageType === inner.messageType);
    const kind = inner.messageType;
    if (kind === "tool_thought" && before) {
      before.toolThought = inner.isFinal ? inner.toolThought : before.toolThought + inner.toolThought;
      before.isFinal = inner.isFinal;
      return;
    }
    if (STREAMED.includes(kind) && before) {
      const { data, isFinal } = inner.resultMap;
      before.resultMap = isFinal ? inner.resultMap : { ...inner.resultMap, data: before.resultMap.data + data };
      return;
    }
    if (kind === "file") void inner.resultMap.fileInfo[0].fileName.length;
    if (kind === "code") void inner.resultMap.fileInfo.map((file) => file.fileName);
    if (kind === "task_summary") void inner.resultMap.fileList.map((file) => file.fileName);
    if (kind === "plan") {
      this.plan = listed(inner.plan);
      this.progress.push(this.plan.steps[this.plan.stepStatus.lastIndexOf("completed")].length);
    }
    if (kind === "tool_result" && ["web_search", "internal_search"].includes(inner.toolResult.toolName)) {
      inner.pages = JSON.parse(inner.toolResult.toolResult).map((page) => page.name ?? page.pageName);
    }
    if (kind === "result") {
      this.conclusion = inner.resultMap.taskSummary || inner.result;
      this.attachments = inner.resultMap.fileList ?? [];
    }
    group.items.push(structuredClone(inner));
  }

  // The groups as they are shown: thinking deeply, an item joins the last task before it in its group.
  shown() {
    const shown = [];
    let vanished = 0;
    for (const { taskId, items } of this.groups) {
      const tasks = [];
      for (const item of items) {
        if (item.messageType === "plan" || item.messageType === "result") continue;
        if (item.messageType === "code" && !item.resultMap.code) continue;
        if (!this.deepThink) shown.push({ taskId, item });
        else if (item.messageType === "task") tasks.push({ task: item.task, children: [] });
        else if (tasks.length) tasks.at(-1).children.push(item);
        else vanished += 1;
      }
      if (this.deepThink) shown.push(...tasks);
    }
    return { shown, vanished };
  }
}

function listed(plan) {
  const lengths = [plan.stages, plan.steps, plan.stepStatus, plan.notes].map((row) => row.length);
  if (new Set(lengths).size !== 1) throw new Error("the rows of a plan differ");
  return plan;
}

export function parsedCsv(text) {
  const [header, ...rows] = text.split("\n").map((line) => line.split(","));
  if (!header.join("")) throw new Error("an empty file");
  return rows.map((row) => Object.fromEntries(header.map((name, place) => [name, row[place]])));
}

export function chartOf({ columnList, dimCols, measureCols, dataList }) {
  const column = (guid) => {
    const found = columnList.find((one) => one.guid === guid);
    if (!found) throw new Error(`no column ${guid}`);
    return found;
  };
  const dims = dimCols.map(column);
  const measures = measureCols.map(column);
  if (dims.length === 1 && measures.length >= 1 && dataList.length > 1) {
    if (dims[0].dataType === "DATE") return "line";
    if (measures[0].order !== null) return "hbar";
    return dataList.length < 6 ? "pie" : "bar";
  }
  if (dataList.length === 1 && !dims.length && measures.length <= 8) return "card";
  return "table";
}
