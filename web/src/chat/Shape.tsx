import { useTranslation } from "react-i18next";
import type { ColumnShape } from "../api/types";
import { count, percent } from "../ui/format";

const HEIGHT = 18;
const BAR = 5;
const NAMED = 2;
const TELLING = 0.08;
/** The most frequent value of a column of names or numbers of things says nothing. */

/** A column's distribution: bars over its range, or its most frequent values. */
export function Shape({ shape }: { shape: ColumnShape | undefined }) {
  const { t } = useTranslation();
  if (!shape) return null;
  if (shape.parts.length > 1) {
    const most = Math.max(...shape.parts);
    const said = t("files.shape", { counts: shape.parts.map(count).join(", ") });
    return (
      <svg className="shape" width={shape.parts.length * BAR} height={HEIGHT} role="img" aria-label={said}>
        <title>{said}</title>
        {shape.parts.map((cells, place) => {
          const tall = cells ? Math.max(1, (cells / most) * HEIGHT) : 0;
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are places of a range
          return <rect key={place} x={place * BAR} y={HEIGHT - tall} width={BAR - 1} height={tall} />;
        })}
      </svg>
    );
  }
  const cells = shape.common.reduce((sum, [, number]) => sum + number, shape.others);
  const telling = shape.common.filter(([, number]) => number > 1 && number / cells >= TELLING).slice(0, NAMED);
  return <span>{telling.map(([value, number]) => `${value} ${percent(number / cells)}`).join(" · ")}</span>;
}
