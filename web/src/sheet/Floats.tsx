// Charts and pictures of the workbook, over the cells that they cover.
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

export function Floats({ model }: { model: SheetModel }) {
  const words = useSheetWords();
  const charts = model.layout.charts.map((chart) => {
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
    const place = placed(model, image.range);
    if (!place) return null;
    return (
      <div key={`${image.image}${image.range}`} className="tw-float" style={place}>
        <img src={`/api/v1/workbooks/${id(model.book)}/images/${id(image.image)}`} alt={image.name || words.picture} />
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
