// Asks a service as Genie's page does, and writes what the page has made of each answer, as JSON lines.
// argv: the address, then JSON steps: {"query", "deepThink", "sessionId", "requestId"} | {"chat"} | {"get"} | {"csv"}
// | {"feed": [frames], "deepThink"}; `headers` go with each request.
import { fetchEventSource } from "@microsoft/fetch-event-source";
import { chartOf, Page, parsedCsv } from "./page.mjs";

globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };

const [base, ...steps] = process.argv.slice(2);

async function streamed(path, body, headers, onmessage) {
  const raw = [];
  let error = null;
  let retries = 0;
  try {
    await fetchEventSource(base + path, {
      method: "POST",
      credentials: "include",
      headers: { "Content-Type": "application/json", "Cache-Control": "no-cache", Accept: "text/event-stream", ...headers },
      body: JSON.stringify(body),
      openWhenHidden: true,
      onmessage(message) {
        raw.push(message);
        onmessage(message.data);
      },
      onerror(problem) {
        retries += 1;
        throw problem;
      },
    });
  } catch (problem) {
    error = String(problem?.message ?? problem);
  }
  return { raw, error, retries };
}

function told(page, more) {
  const { shown, vanished } = page.shown();
  return { ...page, shown, vanished, ...more };
}

async function query({ query: words, deepThink = 0, sessionId = "session-1", requestId, outputStyle = "html", headers = {} }, number) {
  const page = new Page(Boolean(deepThink));
  const body = { sessionId, requestId: requestId ?? `${number}-abc`, query: words, deepThink, outputStyle };
  const heard = await streamed("/web/api/v1/gpt/queryAgentStreamIncr", body, headers, (data) => page.take(data));
  return told(page, heard);
}

async function chat({ chat: content, headers = {} }) {
  const answer = { events: [], thoughts: "", tables: [], charts: [], failed: false, loading: true };
  const take = {
    DEBUG() {},
    THINK: (data) => (answer.thoughts = data),
    CHART_DATA(data) {
      answer.tables.push(...data);
      answer.charts.push(...data.map(chartOf));
    },
    ERROR: () => (answer.failed = true),
    READY: () => (answer.loading = false),
  };
  const heard = await streamed("/data/chatQuery", { content }, headers, (data) => {
    if (data === "") return;
    const { eventType, data: given } = JSON.parse(data);
    answer.events.push(eventType);
    take[eventType](given);
  });
  return { ...answer, ...heard };
}

function fed({ feed, deepThink = 0 }) {
  const page = new Page(Boolean(deepThink));
  let error = null;
  try {
    feed.forEach((data) => page.take(data));
  } catch (problem) {
    error = String(problem?.message ?? problem);
  }
  return told(page, { error });
}

async function got({ get, headers = {} }) {
  const response = await fetch(get.startsWith("http") ? get : base + get, { headers });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

let number = 0;
for (const step of steps.map((text) => JSON.parse(text))) {
  number += 1;
  let made;
  if (step.feed !== undefined) made = fed(step);
  else if (step.chat !== undefined) made = await chat(step);
  else if (step.get !== undefined) made = await got(step);
  else if (step.csv !== undefined) made = { rows: parsedCsv((await got({ get: step.csv })).text) };
  else made = await query(step, number);
  console.log(JSON.stringify(made));
}
