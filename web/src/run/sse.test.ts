import { afterEach, expect, it, vi } from "vitest";
import answer from "../test/streams/answer.json";
import type { Envelope } from "./events";
import { reduce } from "./reduce";
import { follow, type Link } from "./sse";
import { emptyView } from "./view";

const events = answer as unknown as Envelope[];
const run = events[0]?.run_id ?? "";
afterEach(() => vi.unstubAllGlobals());

/** A server that cuts its stream after `cut` events, within the next one, and sends what is left to who comes back. */
function serving(cut: number): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    const after = Number(new URL(url, "http://x").searchParams.get("after"));
    const left = events
      .filter((event) => event.seq > after)
      .map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
    const sent = asked.length === 1 ? left.slice(0, cut).join("") + (left[cut] ?? "").slice(0, 25) : left.join("");
    return new Response(sent, { status: 200 });
  });
  return asked;
}

it.each([0, 1, 7])("goes on after event %i where the connection broke", async (cut) => {
  const asked = serving(cut);
  let view = emptyView(run);
  const links: Link["state"][] = [];
  await follow({
    run,
    signal: new AbortController().signal,
    after: () => view.seq,
    take: (batch) => {
      view = batch.reduce(reduce, view);
    },
    link: (link) => links.push(link.state),
  });
  expect(view).toEqual(events.reduce(reduce, emptyView(run)));
  expect(asked.map((url) => url.split("after=")[1])).toEqual(["0", String(cut)]);
  expect(links.at(-1)).toBe("ended");
  expect(links).toContain("lost");
});

it("says that a run is gone", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 404 }));
  const links: Link[] = [];
  await follow({
    run,
    signal: new AbortController().signal,
    after: () => 0,
    take: () => {},
    link: (link) => links.push(link),
  });
  expect(links).toEqual([{ state: "gone", status: 404 }]);
});
