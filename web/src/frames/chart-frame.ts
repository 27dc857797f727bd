// The document that draws a chart: it has no origin, no network and no way out but messages to the page around it.
import {
  BarChart,
  BoxplotChart,
  CandlestickChart,
  FunnelChart,
  GaugeChart,
  GraphChart,
  HeatmapChart,
  LineChart,
  PieChart,
  RadarChart,
  SankeyChart,
  ScatterChart,
  SunburstChart,
  TreeChart,
  TreemapChart,
} from "echarts/charts";
import {
  AriaComponent,
  CalendarComponent,
  DatasetComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  PolarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { dressed } from "./dress";
import { sieved } from "./sieve";

use([BarChart, BoxplotChart, CandlestickChart, FunnelChart, GaugeChart, GraphChart, HeatmapChart, LineChart, PieChart]);
use([RadarChart, SankeyChart, ScatterChart, SunburstChart, TreeChart, TreemapChart, AriaComponent, CalendarComponent]);
use([DatasetComponent, DataZoomComponent, GridComponent, LegendComponent, PolarComponent, TitleComponent]);
use([TooltipComponent, VisualMapComponent, LabelLayout, CanvasRenderer, SVGRenderer]);

interface Asked {
  type: "draw" | "picture";
  option?: unknown;
  dark?: boolean;
  locale?: string;
  kind?: "png" | "svg";
}

const place = document.getElementById("chart") as HTMLDivElement;
const answer = (message: object) => window.parent.postMessage(JSON.stringify(message), "*");
let chart: EChartsType | null = null;
let shown: Record<string, unknown> = {};
let dark = false;

function draw(asked: Asked): void {
  dark = asked.dark === true;
  shown = dressed(sieved(asked.option), { dark, locale: asked.locale ?? "en" });
  chart ??= init(place, null, { renderer: "canvas" });
  chart.setOption(shown as never, { notMerge: true });
  answer({ type: "drawn" });
}
function picture(kind: "png" | "svg"): void {
  const backgroundColor = dark ? "#1a1b1e" : "#ffffff";
  if (kind === "png") {
    answer({ type: "picture", kind, data: chart?.getDataURL({ type: "png", pixelRatio: 2, backgroundColor }) ?? "" });
    return;
  }
  const size = { width: place.clientWidth, height: place.clientHeight };
  const drawn = init(null, null, { renderer: "svg", ssr: true, ...size });
  drawn.setOption({ ...shown, backgroundColor } as never);
  answer({ type: "picture", kind, data: drawn.renderToSVGString() });
  drawn.dispose();
}

window.addEventListener("message", (event) => {
  if (event.source !== window.parent || typeof event.data !== "string") return;
  try {
    const asked = JSON.parse(event.data) as Asked;
    if (asked.type === "draw") draw(asked);
    else if (asked.type === "picture" && chart) picture(asked.kind === "svg" ? "svg" : "png");
  } catch (error) {
    answer({ type: "failed", message: String(error).slice(0, 300) });
  }
});
new ResizeObserver(() => chart?.resize()).observe(place);
answer({ type: "ready" });
