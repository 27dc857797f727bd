// @vitest-environment jsdom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyView, type RunView } from "../run/view";
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
function Log({ view }: { view?: RunView }) {
  const scrolling = useScrolling(1, view);
  stay = scrolling.stay;
  return (
    <div ref={scrolling.place} data-testid="log">
      <article className="turn" data-testid="turn" />
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

it("follows what grew before the browser told of the scroll", () => {
  const { log, scroll, size } = told();
  size.height = 1500;
  scroll(900);
  grown();
  expect(log.scrollTop).toBe(1500);
});

it("leaves who goes up where they are, and follows again who comes back", () => {
  const { log, scroll, size } = told();
  scroll(900);
  scroll(200);
  size.height = 1500;
  grown();
  expect(log.scrollTop).toBe(200);
  scroll(1350);
  size.height = 1600;
  grown();
  expect(log.scrollTop).toBe(1600);
});

it("keeps in view what a person opens at the end, and follows again once they have agreed to it", () => {
  const waiting: RunView = { ...emptyView("r1"), state: "waiting" };
  const { log, size, rerender } = told(waiting);
  grown();
  expect(log.scrollTop).toBe(1000);
  fireEvent.click(log.firstElementChild as Element);
  size.height = 1500;
  grown();
  expect(log.scrollTop).toBe(1000);
  rerender(<Log view={{ ...waiting, state: "running" }} />);
  grown();
  expect(log.scrollTop).toBe(1500);
});

it("shows an answer from its beginning when what comes late makes it longer than the page", () => {
  const { log, size, turn } = told({ ...emptyView("r1"), state: "finished" });
  grown();
  expect(log.scrollTop).toBe(1000);
  Object.defineProperties(turn, { offsetHeight: { value: 400 }, offsetTop: { value: 708 } });
  size.height = 1100;
  grown();
  expect(log.scrollTop).toBe(700);
});

/** A log of 100 px whose content has `size.height`; the browser tells of scrolling only where `scroll` is called. */
function told(view?: RunView) {
  const { getByTestId, rerender } = render(view ? <Log view={view} /> : <Log />);
  const log = getByTestId("log");
  const turn = getByTestId("turn");
  const size = { height: 1000 };
  Object.defineProperty(log, "scrollHeight", { get: () => size.height });
  Object.defineProperty(log, "clientHeight", { get: () => 100 });
  const scroll = (top: number) => {
    log.scrollTop = top;
    fireEvent.scroll(log);
  };
  return { log, scroll, size, turn, rerender };
}
