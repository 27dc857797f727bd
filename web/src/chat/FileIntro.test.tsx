// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { client } from "../api/queries";
import type { StoredFile } from "../api/types";
import { speak } from "../i18n";
import { FileIntro } from "./FileIntro";

const PATIENCE = { timeout: 20_000 };
const EDITED = { id: "f1", name: "sales.xlsx", sheets: [] } as unknown as StoredFile;
const TABLE = { id: "d1", name: "Orders", rows: 0, columns: [], quality: [] };

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  client.clear();
  vi.unstubAllGlobals();
});

it("counts the tables that a file has now, also after an edit", async () => {
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.endsWith("/profile") ? { datasets: [TABLE, { ...TABLE, id: "d2", name: "Prices" }] } : {}),
  );
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <FileIntro file={EDITED} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(await screen.findByText("2 sheets", {}, PATIENCE)).toBeTruthy();
});
