// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { client } from "../api/queries";
import { speak } from "../i18n";
import { Models } from "./Models";

const PATIENCE = { timeout: 20_000 };

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  client.clear();
  vi.unstubAllGlobals();
});

function serving(test: object): string[] {
  const called: string[] = [];
  vi.stubGlobal("fetch", async (path: string, given?: RequestInit) => {
    called.push(`${given?.method ?? "GET"} ${path} ${given?.body ?? ""}`.trim());
    if (path.endsWith("/models/test")) return Response.json(test);
    if (path.endsWith("/model-keys")) return Response.json({ providers: [], kept: [] });
    return Response.json({ model: "openai:gpt-5", models: [] });
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Models />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Test this model" }));
  return called;
}

it("has the service call the model, and says how long it took", async () => {
  const called = serving({ ok: true, model: "openai:gpt-5", elapsed_ms: 412, error: null });
  await screen.findByText(/openai:gpt-5 works.*412 ms/, {}, PATIENCE);
  expect(called).toContain("POST /api/v1/models/test {}");
  expect(called.some((each) => each.includes("conversations"))).toBe(false);
});

it("says what is wrong with the model, and where its key goes", async () => {
  const error = { code: "model_rejected", message: "It refused: 401." };
  serving({ ok: false, model: "openai:gpt-5", elapsed_ms: 30, error });
  expect((await screen.findByText(/It refused: 401\./, {}, PATIENCE)).textContent).toContain("entered below");
});
