// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { speak } from "../i18n";
import { Composer } from "./Composer";

const PATIENCE = { timeout: 20_000 };

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

function composer() {
  const onSend = vi.fn(async () => true);
  const nothing = () => {};
  render(
    <MantineProvider env="test">
      <Composer
        conversation="c1"
        field={createRef<HTMLTextAreaElement>()}
        waitsFor="nothing"
        running={false}
        stopping={false}
        sending={false}
        offline={false}
        onSend={onSend}
        onStop={nothing}
        onFiles={nothing}
      />
    </MantineProvider>,
  );
  return onSend;
}
const button = (name: string) => screen.getByRole("button", { name }) as HTMLButtonElement;

it("asks for a report once it is chosen, without a question too, and then for answers again", async () => {
  const onSend = composer();
  expect(button("Send").disabled).toBe(true);
  fireEvent.click(button("Write a report"));
  fireEvent.click(button("Send"));
  await waitFor(() => expect(button("Write a report").getAttribute("aria-pressed")).toBe("false"), PATIENCE);
  fireEvent.change(screen.getByLabelText("Your message"), { target: { value: "How many?" } });
  fireEvent.click(button("Send"));
  await waitFor(() => expect(onSend).toHaveBeenCalledTimes(2), PATIENCE);
  expect(onSend.mock.calls).toEqual([
    ["", "report"],
    ["How many?", undefined],
  ]);
});
