// @vitest-environment jsdom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useScrolling } from "./useScrolling";

let grown: () => void = () => {};

beforeEach(() => {
  class Growing {
    constructor(told: () => void) {
      grown = told;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", Growing);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let stay: () => void = () => {};
function Log() {
  const scrolling = useScrolling(1, undefined);
  stay = scrolling.stay;
  return (
    <div ref={scrolling.place} data-testid="log">
      <div />
    </div>
  );
}

/** A log that is 1000 px high, of which 100 are seen. */
function opened(): HTMLElement {
  const log = render(<Log />).getByTestId("log");
  let top = 0;
  Object.defineProperties(log, {
    scrollHeight: { value: 1000 },
    clientHeight: { value: 100 },
    scrollTop: {
      get: () => top,
      set: (value: number) => {
        top = Math.min(value, 900);
        fireEvent.scroll(log);
      },
    },
  });
  return log;
}

it("follows the end as it grows", () => {
  const log = opened();
  grown();
  expect(log.scrollTop).toBe(900);
});

it("stays where a person was led to, near the end too, until they scroll themselves", () => {
  const log = opened();
  stay();
  log.scrollTop = 850;
  grown();
  expect(log.scrollTop).toBe(850);
  fireEvent.wheel(log);
  log.scrollTop = 860;
  grown();
  expect(log.scrollTop).toBe(900);
});
