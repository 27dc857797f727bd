// Charts and pictures of the workbook, over the cells that they cover. A view in another order has those in cells alone.
import { Text } from "@mantine/core";
import { id } from "../api/client";
import { ChartFrame } from "../charts/ChartFrame";
import { optionOfSheetChart, tableOfSheetChart } from "../charts/option";
import type { SheetModel } from "./model";
import { areaOf } from "./refs";
import { useSheetWords } from "./words";

const LEAST_WIDTH = 220;
const LEAST_HEIGHT = 140;

function placed(model: SheetModel, range: string) {
  const area = areaOf(range);
  if (!area) return null;
  const { rows, columns } = model;
  return {
    top: rows.offset(area.top),
    left: columns.offset(area.left),
    width: Math.max(columns.offset(area.right + 1) - columns.offset(area.left), LEAST_WIDTH),
    height: Math.max(rows.offset(area.bottom + 1) - rows.offset(area.top), LEAST_HEIGHT),
  };
}

/** Where a picture is that is the value of a cell: within it, in whatever order the view has its rows. */
function placedIn(model: SheetModel, range: string) {
  const area = areaOf(range);
  const row = area && model.placeOf(area.top);
  if (!area || row === null) return null;
  const { rows, columns } = model;
  const [width, height] = [columns.size(area.left), rows.size(row)];
  if (!width || !height) return null;
  const corner = { top: rows.offset(row), left: columns.offset(area.left) };
  return { ...corner, width: width - 1, height: height - 1 };
}

export function Floats({ model }: { model: SheetModel }) {
  const words = useSheetWords();
  const charts = (model.isOrdered ? [] : model.layout.charts).map((chart) => {
    const place = placed(model, chart.range);
    const option = optionOfSheetChart(chart);
    if (!place) return null;
    return (
      <div key={`${chart.name}${chart.range}`} className="tw-float" style={place}>
        {option ? (
          <ChartFrame
            bare
            option={option}
            table={tableOfSheetChart(chart)}
            title={chart.title || chart.name || words.bookChart}
            height={place.height - 2}
          />
        ) : (
          <Text size="sm" p="sm">{`${chart.title || chart.name}: ${words.notDrawn}`}</Text>
        )}
      </div>
    );
  });
  const images = model.layout.images.map((image) => {
    const place = image.in_cell ? placedIn(model, image.range) : model.isOrdered ? null : placed(model, image.range);
    if (!place) return null;
    const source = `/api/v1/workbooks/${id(model.book)}/images/${id(image.image)}`;
    return (
      <div
        key={`${image.image}${image.range}`}
        className={image.in_cell ? "tw-float tw-incell" : "tw-float"}
        style={place}
      >
        {image.image ? (
          <img src={source} alt={image.name || words.picture} loading="lazy" />
        ) : (
          <span>{words.notShown(image.name)}</span>
        )}
      </div>
    );
  });
  return (
    <>
      {charts}
      {images}
    </>
  );
}
