// Drives a service with AG-UI's own client and writes what the client has made of each run, as JSON lines.
// argv: the url, then one JSON step after another: {"say": text} | {"answer": payload} | {"cancel": true}.
import { HttpAgent } from "@ag-ui/client";

const [url, ...steps] = process.argv.slice(2);
const agent = new HttpAgent({ url, threadId: "thread-1" });
let number = 0;

for (const step of steps.map((text) => JSON.parse(text))) {
  const events = [];
  const given = { runId: `run-${++number}` };
  if (step.say !== undefined) {
    agent.addMessage({ id: `user-${number}`, role: "user", content: step.say });
  } else {
    const status = step.cancel ? "cancelled" : "resolved";
    given.resume = agent.pendingInterrupts.map((one) => ({ interruptId: one.id, status, payload: step.answer }));
  }
  let result;
  let error = null;
  try {
    ({ result } = await agent.runAgent(given, { onEvent: ({ event }) => void events.push(event) }));
  } catch (failure) {
    error = String(failure.message ?? failure);
  }
  const interrupts = agent.pendingInterrupts;
  console.log(JSON.stringify({ events, messages: agent.messages, state: agent.state, interrupts, result, error }));
}
