// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { speak } from "../i18n";
import { emptyView, type Step } from "../run/view";
import { type Revealed, RevealedStep } from "./reveal";
import { Work } from "./Work";

const step = (id: string, name: string): Step => ({
  id,
  name,
  status: "ok",
  elapsed: 0,
  code: "",
  outputs: [{ kind: "text", text: `out of ${name}` }],
  progress: "",
});
const view = {
  ...emptyView("r1"),
  items: [
    { kind: "step" as const, id: "s1" },
    { kind: "step" as const, id: "s2" },
  ],
  steps: { s1: step("s1", "Look"), s2: step("s2", "Compute") },
};
const shown = (revealed: Revealed | null, worked = true) => (
  <MantineProvider env="test">
    <RevealedStep.Provider value={revealed}>{worked && <Work view={view} />}</RevealedStep.Provider>
  </MantineProvider>
);
const line = (name: RegExp) => screen.getByRole("button", { name });

beforeAll(() => speak("en"));
beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(cleanup);

it("leads to a step that is asked for, also where the work is drawn only after that, and as often as it is", () => {
  const page = render(shown({ step: "s2" }, false));
  page.rerender(shown({ step: "s2" }));
  expect(document.activeElement).toBe(line(/Compute/));
  expect(screen.getByText("out of Compute")).toBeTruthy();
  expect(screen.queryByText("out of Look")).toBeNull();
  fireEvent.click(line(/Compute/));
  line(/Look/).focus();
  page.rerender(shown({ step: "s2" }));
  expect(document.activeElement).toBe(line(/Compute/));
  expect(screen.getByText("out of Compute")).toBeTruthy();
});

it("leaves the lines closed while nothing is asked for", () => {
  render(shown(null));
  expect(line(/Compute/).getAttribute("aria-expanded")).toBe("false");
});
