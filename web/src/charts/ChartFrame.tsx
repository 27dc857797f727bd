import type { Chart } from "../api/types";

/** A chart in a frame of its own. */
export function ChartFrame({ title }: { chart: Chart; title: string }) {
  return <figure aria-label={title} />;
}
