import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { client } from "./queries";

afterEach(() => client.clear());

/** Looks at a list that is answered when the test says so; each answer is what the server had when it was asked. */
function watched(key: string[]) {
  const answers: (() => void)[] = [];
  const server = { files: 0 };
  const queryFn = () => {
    const found = server.files;
    return new Promise<number>((resolve) => {
      answers.push(() => resolve(found));
    });
  };
  const observer = new QueryObserver<number>(client, { queryKey: key, queryFn, retry: false });
  const end = observer.subscribe(() => {});
  return { answers, server, observer, end };
}

test("a list that was on its way when a file came has the file", async () => {
  const { answers, server, observer, end } = watched(["files", "c-1"]);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  server.files = 1;
  void client.invalidateQueries({ queryKey: ["files"] });
  answers[0]?.();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
  end();
});

test("a list of something else goes on", async () => {
  const { answers, observer, end } = watched(["messages", "c-1"]);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await client.invalidateQueries({ queryKey: ["files"] });
  answers[0]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(0));
  expect(answers).toHaveLength(1);
  end();
});
