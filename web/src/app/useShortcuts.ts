import { useHotkeys } from "@mantine/hooks";

export function useShortcuts(does: { fresh: () => void; pane: () => void; sheet: () => void }): void {
  const press = (name: string) => document.getElementById(name)?.click();
  const focus = (name: string) => document.getElementById(name)?.focus();
  useHotkeys([
    ["/", () => focus("message")],
    ["shift+?", does.sheet],
  ]);
  // These work while somebody writes, too.
  useHotkeys(
    [
      ["alt+N", does.fresh],
      ["alt+K", () => focus("search")],
      ["alt+B", does.pane],
      ["alt+.", () => press("stop")],
    ],
    [],
  );
}
