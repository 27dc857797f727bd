// A chart in a frame of its own, which has no origin: what its option says cannot touch the page.
import { ActionIcon, Box, Group, Loader, SegmentedControl, Text, Tooltip, useComputedColorScheme } from "@mantine/core";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chart } from "../api/types";
import { saved } from "./download";
import { type DataTable, type Option, optionOf, tableOf } from "./option";
import { TableResult } from "./TableResult";
import { chartWords } from "./words";

export interface ChartFrameProps {
  /** A chart event's chart, or in its place an option, which the server has checked, with the table of its numbers. */
  chart?: Chart;
  option?: Option;
  table?: DataTable;
  title: string;
  height?: number | string;
  /** Without the buttons around it, as for a chart over the cells of a sheet. */
  bare?: boolean;
  /** What else can be done with it, beside the buttons. */
  children?: ReactNode;
}
interface Told {
  type: "ready" | "drawn" | "failed" | "picture";
  kind?: "png" | "svg";
  data?: string;
}

function told(event: MessageEvent, frame: HTMLIFrameElement | null): Told | null {
  if (!frame || event.source !== frame.contentWindow || typeof event.data !== "string") return null;
  try {
    return JSON.parse(event.data) as Told;
  } catch {
    return null;
  }
}
function keep(answer: Told, title: string): void {
  const data = answer.data ?? "";
  const name = title.trim() || "chart";
  if (answer.kind === "svg" && data.startsWith("<svg")) saved(`${name}.svg`, "image/svg+xml", data);
  const start = "data:image/png;base64,";
  if (answer.kind === "png" && data.startsWith(start)) {
    saved(
      `${name}.png`,
      "image/png",
      Uint8Array.from(atob(data.slice(start.length)), (sign) => sign.charCodeAt(0)),
    );
  }
}

export function ChartFrame({ chart, option, table, title, height = 340, bare = false, children }: ChartFrameProps) {
  const { i18n } = useTranslation();
  const words = chartWords(i18n.language);
  const dark = useComputedColorScheme("light") === "dark";
  const frame = useRef<HTMLIFrameElement | null>(null);
  // React takes a ref away while something beside it loads, but the frame goes on and says things meanwhile.
  const hold = useCallback((it: HTMLIFrameElement | null) => {
    if (it) frame.current = it;
  }, []);
  const [state, setState] = useState<"waiting" | "ready" | "drawn" | "failed">("waiting");
  const [shown, setShown] = useState("chart");
  const wanted = useMemo(() => option ?? (chart ? optionOf(chart) : null), [option, chart]);
  const rows = useMemo(() => table ?? (chart ? tableOf(chart) : null), [table, chart]);
  const ask = (message: object) => frame.current?.contentWindow?.postMessage(JSON.stringify(message), "*");

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const answer = told(event, frame.current);
      if (!answer) return;
      if (answer.type === "picture") keep(answer, title);
      else if (answer.type === "ready" || answer.type === "drawn" || answer.type === "failed") setState(answer.type);
    };
    window.addEventListener("message", listen);
    return () => window.removeEventListener("message", listen);
  }, [title]);
  const awake = state !== "waiting";
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` reads the frame that is there when it is called
  useEffect(() => {
    if (awake && wanted) ask({ type: "draw", option: wanted, dark, locale: i18n.language });
  }, [awake, wanted, dark, i18n.language]);

  const drawing = (
    <Box h={height} display={shown === "chart" ? "block" : "none"} pos="relative">
      <iframe
        ref={hold}
        title={title || words.chart}
        src="/frames/chart.html"
        sandbox="allow-scripts"
        data-state={state}
        style={{ border: 0, width: "100%", height: "100%", colorScheme: dark ? "dark" : "light" }}
      />
      {(state === "waiting" || state === "ready") && (
        <Group className="drawing" role="status" gap={6} justify="center">
          <Loader size={14} aria-hidden="true" /> {words.drawing}
        </Group>
      )}
      {state === "failed" && <Text role="status">{words.failed}</Text>}
    </Box>
  );
  if (bare) return drawing;
  const views = [
    { value: "chart", label: words.chart },
    { value: "table", label: words.table },
  ];
  return (
    <Box component="section" aria-label={title || words.chart}>
      {drawing}
      {shown === "table" && rows && (
        <TableResult table={{ ...rows, total_rows: rows.rows.length, title }} height={height} />
      )}
      <Group gap="xs" mt={4}>
        <SegmentedControl size="xs" value={shown} onChange={setShown} data={views} aria-label={words.view} />
        {(["png", "svg"] as const).map((kind) => (
          <Tooltip key={kind} label={words.save(kind.toUpperCase())}>
            <ActionIcon
              variant="default"
              size="md"
              w={44}
              aria-label={words.save(kind.toUpperCase())}
              disabled={state !== "drawn" || shown !== "chart"}
              onClick={() => ask({ type: "picture", kind })}
            >
              <Text size="xs">{kind.toUpperCase()}</Text>
            </ActionIcon>
          </Tooltip>
        ))}
        {children}
      </Group>
    </Box>
  );
}
