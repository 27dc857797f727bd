// How an option looks in the frame: theme, room for titles and legends, numbers with separators.
type Part = Record<string, unknown>;
export interface Dress {
  dark: boolean;
  locale: string;
}

const COLORS = ["#3b6fd4", "#e0823d", "#2f9e75", "#b14fb0", "#c9a227", "#5a9bd5", "#d1495b", "#6f7d8c"];
const list = (value: unknown): Part[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter(
    (one) => typeof one === "object" && one !== null,
  ) as Part[];

/** From here on numbers of an axis are shortened, all of them: 80K beside 100K. */
const LARGE = 100_000;

/** The largest number of some data, whatever its form. */
function largest(data: unknown): number {
  if (typeof data === "number") return Math.abs(data);
  if (Array.isArray(data)) return data.reduce((most: number, one) => Math.max(most, largest(one)), 0);
  if (typeof data === "object" && data !== null) return largest((data as Part).value);
  return 0;
}

/** Numbers as people write them; on an axis that reaches `most`, shortened where that is large. */
export function numbers(locale: string, most = 0) {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 2 });
  return {
    full: (value: unknown): string => (typeof value === "number" ? whole.format(value) : String(value ?? "–")),
    axis: (value: unknown): string =>
      typeof value === "number"
        ? (Math.max(most, Math.abs(value)) >= LARGE ? short : whole).format(value)
        : String(value),
  };
}

/** A name below the ticks: beside the last one it would be cut off. */
const BELOW = { nameLocation: "middle", nameGap: 28 };
/** So many names are all written, as far as they do not overlap; of more, as many as ECharts thinks fit. */
const FEW = 16;

function axisOf(axis: Part, dress: Dress, ink: string, line: string, most: number): Part {
  const few = axis.type === "category" && Array.isArray(axis.data) && axis.data.length <= FEW;
  const every = few ? { interval: 0 } : {};
  const label: Part = { color: ink, hideOverlap: true, ...every, ...(axis.axisLabel as Part | undefined) };
  const numeric = axis.type === "value" || axis.type === "log";
  return {
    nameTextStyle: { color: ink },
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line }, show: numeric },
    ...axis,
    axisLabel: numeric && !label.formatter ? { ...label, formatter: numbers(dress.locale, most).axis } : label,
  };
}

/** The wheel alone scrolls the page. */
const WHEEL = { zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false };

/** Returns the option with what its writer left open. `option` has come through the sieve. */
export function dressed(option: Part, dress: Dress): Part {
  const ink = dress.dark ? "#c9ccd1" : "#4a4f57";
  const line = dress.dark ? "#3a3f47" : "#e3e5e8";
  const title = list(option.title).map((one) => ({
    left: "center",
    textStyle: { color: dress.dark ? "#eceef1" : "#1d2025", fontSize: 15 },
    ...one,
  }));
  const legend = list(option.legend).map((one) => ({ bottom: 4, type: "scroll", textStyle: { color: ink }, ...one }));
  const zoom = list(option.dataZoom);
  const slider = zoom.some((one) => one.type !== "inside");
  const named = list(option.xAxis).some((axis) => axis.name);
  const below = (legend.length ? 30 : 8) + (slider ? 34 : 0) + (named ? 22 : 0);
  const made: Part = {
    color: COLORS,
    animation: false,
    ...option,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "system-ui, sans-serif", color: ink },
    // Drawn by ECharts itself: as HTML it could be the chart's writer who draws.
    tooltip: {
      valueFormatter: numbers(dress.locale).full,
      confine: true,
      ...(list(option.tooltip)[0] ?? {}),
      renderMode: "richText",
    },
    aria: { enabled: true },
  };
  if (title.length) made.title = title;
  if (legend.length) made.legend = legend;
  if (zoom.length)
    made.dataZoom = zoom.map((one) =>
      one.type === "inside" ? { ...one, ...WHEEL } : { bottom: legend.length ? 28 : 6, height: 22, ...one },
    );
  const most = Math.max(0, ...list(option.series).map((one) => largest(one.data)));
  for (const key of ["xAxis", "yAxis"]) {
    if (option[key])
      made[key] = list(option[key]).map((axis) =>
        axisOf({ ...(key === "xAxis" ? BELOW : {}), ...axis }, dress, ink, line, most),
      );
  }
  if ((option.xAxis || option.yAxis) && !option.grid) {
    made.grid = { left: 12, right: 24, top: title.length ? 54 : 34, bottom: below, containLabel: true };
  }
  return made;
}
