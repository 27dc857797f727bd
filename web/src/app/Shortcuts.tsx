import { Kbd, Modal, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";

const KEYS = [
  ["/", "focus"],
  ["Alt+N", "fresh"],
  ["Alt+K", "search"],
  ["Alt+B", "pane"],
  ["Alt+.", "stop"],
  ["?", "sheet"],
] as const;

/** In the grid of a workbook. */
const GRID = [
  ["↑ ↓ ← →", "go"],
  ["Ctrl+↑ ↓ ← →", "edge"],
  ["Shift+↑ ↓ ← →", "extend"],
  ["Ctrl+Home / Ctrl+End", "ends"],
  ["Ctrl+A", "all"],
  ["Ctrl+Space / Shift+Space", "lines"],
  ["F2 / Enter", "edit"],
  ["Delete", "clear"],
  ["Ctrl+C / X / V", "clipboard"],
  ["Ctrl+Z / Y", "undo"],
  ["Ctrl+F", "find"],
] as const;

/** What the keyboard does. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t("keys.title")} closeButtonProps={{ "aria-label": t("app.close") }}>
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
          <Table.Tr>
            <Table.Th colSpan={2} scope="colgroup">
              {t("keys.grid.title")}
            </Table.Th>
          </Table.Tr>
          {GRID.map(([key, name]) => (
            <Table.Tr key={key}>
              <Table.Td>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{t(`keys.grid.${name}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
