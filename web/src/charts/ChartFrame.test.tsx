// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, cleanup, render } from "@testing-library/react";
import { lazy, type ReactNode, Suspense } from "react";
import { afterEach, expect, it } from "vitest";
import "../i18n";
import type { Chart } from "../api/types";
import { ChartFrame } from "./ChartFrame";

afterEach(cleanup);
const CHART: Chart = { kind: "bar", x: ["tea"], y: [3], labels: {} };

function shown(beside: ReactNode) {
  return (
    <MantineProvider env="test">
      <Suspense fallback={<p>loading</p>}>
        <ChartFrame chart={CHART} title="Sales">
          {beside}
        </ChartFrame>
      </Suspense>
    </MantineProvider>
  );
}

it("hears what the frame says while something beside it still loads", async () => {
  let load: (part: { default: () => ReactNode }) => void = () => {};
  const Late = lazy(() => new Promise<{ default: () => ReactNode }>((done) => (load = done)));
  const { container, rerender, getByText } = render(shown(null));
  const frame = container.querySelector("iframe") as HTMLIFrameElement;
  const says = (type: string) =>
    act(() => {
      const data = JSON.stringify({ type });
      window.dispatchEvent(new MessageEvent("message", { data, source: frame.contentWindow }));
    });
  rerender(shown(<Late />));
  getByText("loading");
  says("ready");
  says("drawn");
  await act(async () => load({ default: () => <p>use it</p> }));
  getByText("use it");
  expect(container.querySelector("iframe")).toBe(frame);
  expect(frame.dataset.state).toBe("drawn");
});
