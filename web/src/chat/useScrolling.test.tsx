// @vitest-environment jsdom
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useScrolling } from "./useScrolling";

let grown: () => void = () => {};

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        grown = told;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Pane() {
  const place = useScrolling(1, undefined);
  return (
    <div ref={place} data-testid="pane">
      <div />
    </div>
  );
}

/** A pane of 400 pixels whose content has `height`; the browser tells of scrolling when `scrolled` is called. */
function pane() {
  const element = render(<Pane />).getByTestId("pane");
  const size = { height: 1000 };
  Object.defineProperty(element, "scrollHeight", { get: () => size.height });
  Object.defineProperty(element, "clientHeight", { get: () => 400 });
  const scrolled = (top: number) => {
    element.scrollTop = top;
    act(() => element.dispatchEvent(new Event("scroll")));
  };
  return { element, size, scrolled };
}

test("what grows before the browser tells of the scroll is followed", () => {
  const { element, size, scrolled } = pane();
  size.height = 1500;
  scrolled(600);
  act(() => grown());
  expect(element.scrollTop).toBe(1500);
});

test("who goes up is left there, and who comes back follows again", () => {
  const { element, size, scrolled } = pane();
  scrolled(600);
  scrolled(200);
  size.height = 1500;
  act(() => grown());
  expect(element.scrollTop).toBe(200);
  scrolled(1050);
  size.height = 1600;
  act(() => grown());
  expect(element.scrollTop).toBe(1600);
});
