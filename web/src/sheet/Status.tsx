// What the selection adds up to: from the cells that are here, else from the server.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call, id } from "../api/client";
import type { SheetModel } from "./model";
import { type Area, cellsIn } from "./refs";
import { useSheetWords } from "./words";

interface Sum {
  filled: number;
  numbers: number;
  sum: number | null;
  mean: number | null;
}
const MOST_HERE = 20_000;

/** Adds up the cells of an area that are here; null where some are not. */
export function addedUp(model: SheetModel, area: Area): Sum | null {
  const bottom = Math.min(area.bottom, model.used.row);
  const right = Math.min(area.right, model.used.column);
  if ((bottom - area.top + 1) * (right - area.left + 1) > MOST_HERE) return null;
  let [filled, numbers, sum] = [0, 0, 0];
  for (let row = area.top; row <= bottom; row++) {
    for (let column = area.left; column <= right; column++) {
      if (!model.tiles.isKnown(row, column)) return null;
      const value = model.cell({ row, column })?.[1] ?? null;
      if (value !== null) filled++;
      if (typeof value === "number") {
        numbers++;
        sum += value;
      }
    }
  }
  return { filled, numbers, sum: numbers ? sum : null, mean: numbers ? sum / numbers : null };
}

export function Status({
  model,
  area,
  stamp,
  locale,
  note,
}: {
  model: SheetModel;
  area: Area;
  stamp: number;
  locale: string;
  note: string;
}) {
  const words = useSheetWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp tells that cells have come
  const here = useMemo(() => addedUp(model, area), [model, area, stamp]);
  const several = cellsIn(area) > 1;
  const range = model.name(area);
  const asked = useQuery({
    queryKey: ["summary", model.book, model.version, model.layout.sheet, range],
    queryFn: () =>
      call<Sum>("GET", `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/summary?range=${range}`),
    enabled: several && here === null && !model.isOrdered,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const sum = here ?? asked.data ?? null;
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  return (
    <div className="tw-status" role="status">
      <span>{note}</span>
      {several && sum && (
        <>
          {sum.sum !== null && <span>{`${words.sum} ${format.format(sum.sum)}`}</span>}
          {sum.mean !== null && <span>{`${words.mean} ${format.format(sum.mean)}`}</span>}
          <span>{`${words.count} ${format.format(sum.filled)}`}</span>
        </>
      )}
    </div>
  );
}
