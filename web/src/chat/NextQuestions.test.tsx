// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { client } from "../api/queries";
import { speak } from "../i18n";
import { NextQuestions } from "./NextQuestions";

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  client.clear();
});

it("offers up to three questions of the file that were not asked yet", () => {
  client.setQueryData(["questions", "f1", "en"], { questions: ["A?", "B?", "C?", "D?", "E?"] });
  const onAsk = vi.fn();
  const onShown = vi.fn();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <NextQuestions file="f1" asked={["B?"]} onAsk={onAsk} onShown={onShown} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual(["A?", "C?", "D?"]);
  expect(onShown).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole("button", { name: "C?" }));
  expect(onAsk).toHaveBeenCalledWith("C?");
});
