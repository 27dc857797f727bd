import { createParser } from "eventsource-parser";
import i18n from "i18next";
import type { Envelope } from "./events";

const SILENCE_MS = 45_000;
const AGAIN_MS = [500, 1000, 2000, 4000];

export type Link =
  | { state: "open" }
  | { state: "lost"; attempt: number }
  | { state: "gone"; status: number }
  | { state: "ended" };

export interface Following {
  run: string;
  after: () => number;
  take: (events: Envelope[]) => void;
  link: (link: Link) => void;
  signal: AbortSignal;
}

/** Follows a run until its end: what was, then what comes. A connection that breaks, or falls silent, is made anew after
 * the last event that was seen. */
export async function follow(following: Following): Promise<void> {
  for (let attempt = 0; !following.signal.aborted; attempt += 1) {
    const end = await once(following, () => {
      attempt = 0;
    });
    if (end === "ended" || following.signal.aborted) return;
    following.link({ state: "lost", attempt: attempt + 1 });
    await pause(AGAIN_MS[Math.min(attempt, AGAIN_MS.length - 1)] ?? 4000, following.signal);
  }
}

async function once({ run, after, take, link, signal }: Following, opened: () => void): Promise<"ended" | "broken"> {
  const silence = new AbortController();
  let watch = setTimeout(() => silence.abort(), SILENCE_MS);
  let over = false;
  try {
    const response = await fetch(`/api/v1/runs/${encodeURIComponent(run)}/events?after=${after()}`, {
      headers: { accept: "text/event-stream", "accept-language": i18n.language },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 204) return ended(link);
    if (response.status >= 400 && response.status < 500) {
      link({ state: "gone", status: response.status });
      return "ended";
    }
    if (!response.ok || !response.body) return "broken";
    opened();
    link({ state: "open" });
    const batch = batched(take);
    const parser = createParser({
      onEvent: ({ data }) => {
        const event = JSON.parse(data) as Envelope;
        over ||= event.run_id === run && event.body.type === "run.finished";
        batch.add(event);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done && !over; part = await reader.read()) {
      clearTimeout(watch);
      watch = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(part.value);
      if (over) break;
    }
    batch.flush();
    return over ? ended(link) : "broken";
  } catch {
    return "broken";
  } finally {
    clearTimeout(watch);
    silence.abort();
  }
}

function ended(link: Following["link"]): "ended" {
  link({ state: "ended" });
  return "ended";
}

/** Hands events on once per moment of drawing: a model writes faster than anybody reads. */
function batched(take: (events: Envelope[]) => void) {
  let waiting: Envelope[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const events = waiting;
    waiting = [];
    if (events.length) take(events);
  };
  return {
    flush,
    add: (event: Envelope) => {
      waiting.push(event);
      timer ??= setTimeout(flush, 40);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
