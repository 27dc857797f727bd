// Sorting and filtering what is shown: the workbook stays as it is.
import { Button, Menu, TextInput } from "@mantine/core";
import { useState } from "react";
import { call, id } from "../api/client";
import type { Order, SheetModel } from "./model";
import { areaOf, letters, type Place } from "./refs";
import { useSheetWords } from "./words";

interface Wanted {
  sort?: number;
  descending?: boolean;
  tests?: { column: number; contains?: string; values?: string[] }[];
}
interface MenuProps {
  model: SheetModel;
  active: Place;
  shown: string;
  onOrder: (order: Order | null) => void;
  onFault: (error: unknown) => void;
}

/** The first row that is sorted: the one after the header, which is what is frozen or has filter buttons. */
export function firstRow(model: SheetModel): number {
  const filtered = model.layout.filter ? areaOf(model.layout.filter) : null;
  return Math.max(model.frozen.row, filtered?.top ?? 1) + 1;
}

export function ViewMenu({ model, active, shown, onOrder, onFault }: MenuProps) {
  const words = useSheetWords();
  const [contains, setContains] = useState("");
  const column = active.column;
  const ask = async (wanted: Wanted) => {
    const first = firstRow(model);
    const path = `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/order`;
    try {
      const found = await call<{ runs: [number, number][] }>("POST", path, { first_row: first, ...wanted });
      onOrder({ first, runs: found.runs });
    } catch (error) {
      onFault(error);
    }
  };
  return (
    <Menu shadow="md" width={260} withinPortal>
      <Menu.Target>
        <Button size="compact-sm" variant={model.isOrdered ? "light" : "default"}>
          {words.view}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.viewOf(letters(column))}</Menu.Label>
        <Menu.Item onClick={() => ask({ sort: column })}>{words.ascending}</Menu.Item>
        <Menu.Item onClick={() => ask({ sort: column, descending: true })}>{words.descending}</Menu.Item>
        <Menu.Item disabled={shown === ""} onClick={() => ask({ tests: [{ column, values: [shown] }] })}>
          {words.only(shown.slice(0, 24))}
        </Menu.Item>
        <Menu.Divider />
        <TextInput
          size="xs"
          px="sm"
          label={words.contains}
          value={contains}
          onChange={(event) => setContains(event.currentTarget.value)}
          onKeyDown={(event) =>
            event.key === "Enter" &&
            !event.nativeEvent.isComposing &&
            contains &&
            ask({ tests: [{ column, contains }] })
          }
        />
        <Menu.Item disabled={!contains} onClick={() => ask({ tests: [{ column, contains }] })}>
          {words.apply}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item disabled={!model.isOrdered} onClick={() => onOrder(null)}>
          {words.clear}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
