// @vitest-environment jsdom
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import "../i18n";
import { client, messagesQuery } from "../api/queries";
import type { Message } from "../api/types";
import { add } from "./useAsking";

const PATIENCE_MS = 30_000;

afterEach(() => {
  vi.unstubAllGlobals();
  client.clear();
});

it("keeps a question although a list comes that was read before it was asked", async () => {
  const asked = { id: "m1", ordinal: 1, author: "user", text: "Who?", run_id: "r1", created_at: "" };
  const page = (items: object[]) => Response.json({ items, next_cursor: null });
  let late: (response: Response) => void = () => {};
  const fetched = vi.fn(async () => page([asked]));
  fetched.mockReturnValueOnce(new Promise<Response>((done) => (late = done)));
  vi.stubGlobal("fetch", fetched);
  const lists: (Message[] | undefined)[] = [];
  const leave = new QueryObserver(client, messagesQuery("c1")).subscribe(({ data }) => lists.push(data));
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1), PATIENCE_MS);
  add("c1", "r1", "Who?");
  late(page([]));
  await vi.waitFor(() => expect(lists.at(-1)?.[0]?.id).toBe("m1"), PATIENCE_MS);
  leave();
  expect(lists.filter(Boolean).every((list) => list?.[0]?.run_id === "r1")).toBe(true);
});
