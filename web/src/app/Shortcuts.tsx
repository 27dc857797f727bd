import { Kbd, Table } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

const KEYS = [
  ["/", "focus"],
  ["Alt+N", "fresh"],
  ["Alt+K", "search"],
  ["Alt+B", "pane"],
  ["Alt+.", "stop"],
  ["?", "sheet"],
] as const;

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

/** What the keyboard does. */
export function Shortcuts() {
  const { t } = useTranslation();
  return (
    <Table>
      <Table.Tbody>
        {KEYS.map(([key, name]) => (
          <Table.Tr key={key}>
            <Table.Td>
              <Kbd>{key}</Kbd>
            </Table.Td>
            <Table.Td>{t(`keys.${name}`)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
