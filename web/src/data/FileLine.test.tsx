// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { client } from "../api/queries";
import { HeaderTools } from "../app/Shell";
import { speak } from "../i18n";
import { FileLine } from "./FileLine";

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("begins a conversation about a file", async () => {
  const { hook, history } = memoryLocation({ path: "/data", record: true });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, given?: { method?: string; body?: string }) => {
    if (given?.method === "POST") asked.push(`${url} ${given.body}`);
    return Response.json({ id: "c9" });
  });
  const file = { id: "f1", name: "a.csv", kind: "csv", mime: "", size_bytes: 9, run_id: null, sheets: [] };
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Router hook={hook}>
          <FileLine file={file} />
        </Router>
      </QueryClientProvider>
    </MantineProvider>,
  );
  screen.getByRole("button", { name: "Ask about this file: a.csv" }).click();
  await waitFor(() => expect(history?.at(-1)).toBe("/c/c9"), { timeout: 20_000 });
  expect(asked).toEqual(['/api/v1/conversations {"language":"en","files":["f1"]}']);
});

it("shows what the keyboard does on a click, too", () => {
  const onShortcuts = vi.fn();
  render(
    <MantineProvider env="test">
      <HeaderTools pane onPane={null} onShortcuts={onShortcuts} />
    </MantineProvider>,
  );
  screen.getByRole("button", { name: "Keyboard shortcuts" }).click();
  expect(onShortcuts).toHaveBeenCalledOnce();
});
