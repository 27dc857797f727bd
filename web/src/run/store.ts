import { create } from "zustand";
import { client, keys } from "../api/queries";
import type { Envelope } from "./events";
import { reduce } from "./reduce";
import { follow, type Link } from "./sse";
import { emptyView, type RunView } from "./view";

interface Runs {
  views: Record<string, RunView>;
  links: Record<string, Link>;
}

export const useRuns = create<Runs>(() => ({ views: {}, links: {} }));
export const useRun = (run: string) => useRuns((state) => state.views[run]);
export const useLink = (run: string) => useRuns((state) => state.links[run]);

const followed = new Map<string, AbortController>();

/** Follows a run, unless that is done already; what it tells is found with `useRun`. */
export function watch(run: string, question: string): void {
  if (followed.has(run)) return;
  const stop = new AbortController();
  followed.set(run, stop);
  useRuns.setState(({ views }) => ({ views: { ...views, [run]: views[run] ?? emptyView(run, question) } }));
  follow({
    run,
    signal: stop.signal,
    after: () => useRuns.getState().views[run]?.seq ?? 0,
    take: (events) => take(run, events),
    link: (link) => useRuns.setState(({ links }) => ({ links: { ...links, [run]: link } })),
  }).finally(() => {
    // What ended is shown from its view; what broke off may be followed again.
    if (stop.signal.aborted && followed.get(run) === stop) followed.delete(run);
  });
}

/** Ends the watching of every run; the runs go on. */
export function leaveAll(): void {
  for (const [run, stop] of followed) {
    if (useRuns.getState().views[run]?.state === "finished") continue;
    stop.abort();
    followed.delete(run);
  }
}

function take(run: string, events: Envelope[]): void {
  const before = useRuns.getState().views[run] ?? emptyView(run);
  const view = events.reduce(reduce, before);
  useRuns.setState(({ views }) => ({ views: { ...views, [run]: view } }));
  if (view.workbookVersion !== before.workbookVersion) {
    client.invalidateQueries({ queryKey: ["workbook"] });
    client.invalidateQueries({ queryKey: ["files"] });
  }
  if (view.state === "finished") {
    client.invalidateQueries({ queryKey: ["files"] });
    client.invalidateQueries({ queryKey: keys.conversations });
  }
}
