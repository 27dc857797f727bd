// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const PATIENCE = { timeout: 60_000 };
const QUESTION = "What sold best?";

beforeEach(() => {
  vi.stubGlobal("fetch", async (url: string, sent?: RequestInit) => {
    const path = url.replace("/api/v1/", "");
    if (sent?.method === "POST" && path === "conversations") return Response.json({ id: "c9" });
    if (sent?.method === "POST") return new Promise(() => {}); // the file is on its way
    if (path === "samples") return Response.json({ files: ["a.csv"], questions: [QUESTION] });
    return Response.json({ items: [], next_cursor: null });
  });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

/** The start of the page, loaded anew. */
async function loaded() {
  cleanup();
  vi.resetModules();
  await import("../i18n");
  const { client } = await import("../api/queries");
  const { ConversationPage } = await import("./ConversationPage");
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <ConversationPage conversation="" pane={false} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it("keeps the question of a sample whose file is on its way when the page is loaded anew", async () => {
  await loaded();
  fireEvent.click((await screen.findAllByText(QUESTION, {}, PATIENCE))[0] as HTMLElement);
  await waitFor(() => expect(localStorage.getItem("draft:c9")).toBe(QUESTION), PATIENCE);
  await loaded();
  await waitFor(() => expect(location.pathname).toBe("/c/c9"), PATIENCE);
  expect(localStorage.getItem("draft:c9")).toBe(QUESTION);
});

it("begins anew where nothing had been begun", async () => {
  await loaded();
  await screen.findAllByText(QUESTION, {}, PATIENCE);
  expect(location.pathname).toBe("/");
});
