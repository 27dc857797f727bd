// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atRest, counted } from "./rest";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function resting(): Promise<{ done: boolean }> {
  const state = { done: false };
  void atRest().then(() => {
    state.done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return state;
}

test("a page that does nothing is soon at rest", async () => {
  const state = await resting();
  expect(state.done).toBe(false);
  await vi.advanceTimersByTimeAsync(600);
  expect(state.done).toBe(true);
});

test("what is waited for comes first", async () => {
  let answer: (value: number) => void = () => {};
  const asked = counted(
    new Promise<number>((resolve) => {
      answer = resolve;
    }),
  );
  const state = await resting();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state.done).toBe(false);
  answer(7);
  expect(await asked).toBe(7);
  await vi.advanceTimersByTimeAsync(600);
  expect(state.done).toBe(true);
});

test("a call that fails is waited for no more", async () => {
  await expect(counted(Promise.reject(new Error("no")))).rejects.toThrow("no");
  const state = await resting();
  await vi.advanceTimersByTimeAsync(600);
  expect(state.done).toBe(true);
});

test("nothing begins while somebody scrolls, but for 20 seconds at most", async () => {
  const state = await resting();
  for (let at = 0; at < 190; at++) {
    dispatchEvent(new Event("scroll"));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(state.done).toBe(false);
  for (let at = 0; at < 15; at++) {
    dispatchEvent(new Event("scroll"));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(state.done).toBe(true);
});
