// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { afterEach, expect, it } from "vitest";
import "../i18n";
import { fault } from "./say";

afterEach(() => notifications.clean());

it("tells the same fault once, and another beside it", () => {
  for (const words of ["No answer.", "No answer.", "Refused.", "No answer."]) fault(new Error(words));
  const shown = notificationsStore.getState().notifications.map((each) => each.message);
  expect(shown).toEqual(["No answer.", "Refused."]);
});
