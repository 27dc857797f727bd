// @vitest-environment jsdom
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { speak } from "../i18n";
import { Elapsed } from "./Elapsed";

beforeAll(() => speak("en"));
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("counts the seconds of what takes longer than one", () => {
  const { container } = render(<Elapsed />);
  expect(container.textContent).toBe("");
  act(() => vi.advanceTimersByTime(999));
  expect(container.textContent).toBe("");
  act(() => vi.advanceTimersByTime(2001));
  expect(container.textContent).toBe("3 s");
});
