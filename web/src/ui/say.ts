import { notifications } from "@mantine/notifications";
import i18n from "i18next";

/** Tells what went wrong, in the corner, until the person has read it. */
export function fault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  notifications.show({
    // One that is shown already is not shown again.
    id: `fault:${message}`,
    title: i18n.t("error.title"),
    message,
    color: "red",
    autoClose: 12_000,
    closeButtonProps: { "aria-label": i18n.t("app.close") },
  });
}
/** Does what may fail and tells it if it does; returns null then. */
export async function tried<T>(doing: Promise<T>): Promise<T | null> {
  try {
    return await doing;
  } catch (error) {
    fault(error);
    return null;
  }
}
export const note = (message: string) =>
  notifications.show({ message, autoClose: 4000, closeButtonProps: { "aria-label": i18n.t("app.close") } });
