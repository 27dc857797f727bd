// The changed cells: how many, going from each to the next, and all of them with what was there before.
import { Button, Popover, ScrollArea, Table } from "@mantine/core";
import { type ChangeList, changedCount, following } from "./changes";
import { useSheetWords } from "./words";

interface ChangeProps {
  list: ChangeList;
  at: number;
  sheet: string;
  onGo: (at: number) => void;
  onHide: () => void;
}
const MOST_LISTED = 300;

export function ChangeBar({ list, at, sheet, onGo, onHide }: ChangeProps) {
  const words = useSheetWords();
  const now = list.places[at];
  const here = list.changes.filter((one) => one.sheet === sheet && one.cells.length > 0);
  const count = changedCount(here.length ? here : list.changes).words;
  const home = here.length ? sheet : (list.places[0]?.sheet ?? sheet);
  return (
    <div className="tw-note" role="status">
      <strong>{(list.preview ? words.wouldChange : words.changed)(count, home)}</strong>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={words.lastChange}
        onClick={() => onGo(following(list, at, -1))}
      >
        ↑
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={words.nextChange}
        onClick={() => onGo(following(list, at, 1))}
      >
        ↓
      </Button>
      {now && <span>{`${now.ref}: ${now.before} → ${now.after}`}</span>}
      <Popover shadow="md" width={420} withinPortal>
        <Popover.Target>
          <Button size="compact-xs" variant="default">
            {words.showChanges}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <ScrollArea.Autosize mah={320}>
            <Table fz="sm" captionSide="bottom">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.cell}</Table.Th>
                  <Table.Th>{words.before}</Table.Th>
                  <Table.Th>{words.after}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.places.slice(0, MOST_LISTED).map((one, place) => (
                  <Table.Tr key={`${one.sheet}!${one.ref}`}>
                    <Table.Td>
                      <Button size="compact-xs" variant="subtle" onClick={() => onGo(place)}>
                        {one.sheet === sheet ? one.ref : `${one.sheet}!${one.ref}`}
                      </Button>
                    </Table.Td>
                    <Table.Td>{one.before}</Table.Td>
                    <Table.Td>{one.after}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
              {(list.truncated || list.places.length > MOST_LISTED) && <Table.Caption>{words.more}</Table.Caption>}
            </Table>
          </ScrollArea.Autosize>
        </Popover.Dropdown>
      </Popover>
      <Button size="compact-xs" variant="subtle" onClick={onHide}>
        {words.hideChanges}
      </Button>
    </div>
  );
}
