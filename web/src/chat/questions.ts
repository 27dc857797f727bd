import type { Dataset } from "../api/types";
import type { Language } from "../i18n";

const NUMBERS = new Set(["number", "integer", "float"]);
const DATES = new Set(["date", "datetime"]);
const GROUPS = 2;
const MOST_GROUPS = 60;

/** Up to five questions that a table answers, by the kinds of its columns. */
export function questionsFor(table: Dataset, language: Language): string[] {
  const measure = table.columns.filter(
    (column) => NUMBERS.has(column.kind) && !/(^|[ _])(id|no|number)$|编号|号$/i.test(column.name),
  );
  const group = table.columns.filter(
    (column) => column.kind === "text" && (column.distinct ?? 0) >= GROUPS && (column.distinct ?? 0) <= MOST_GROUPS,
  );
  const date = table.columns.find((column) => DATES.has(column.kind));
  const [value, other] = [measure.at(-1)?.name, measure.at(0)?.name];
  const [first, second] = [group[0]?.name, (group[1] ?? group[0])?.name];
  const zh = language === "zh";
  const made: (string | null | undefined | false)[] = [
    value &&
      first &&
      (zh
        ? `各${first}的${value}合计是多少？画一个柱状图。`
        : `What is the total ${value} by ${first}? Draw a bar chart.`),
    value &&
      date &&
      (zh
        ? `每月的${value}合计是多少？用折线图展示。`
        : `How does the total ${value} develop by month? Show it as a line chart.`),
    value &&
      second &&
      (zh
        ? `${value}平均值最高的3个${second}是哪些？`
        : `Which 3 values of ${second} have the highest average ${value}?`),
    value &&
      (zh
        ? `按${value}从高到低排序，并标出前3行。`
        : `Sort by ${value} from high to low and highlight the top 3 rows.`),
    other &&
      other !== value &&
      (zh
        ? `${other}的平均值、最小值和最大值是多少？`
        : `What are the average, the minimum and the maximum of ${other}?`),
    zh ? "一共有多少行？" : "How many rows are there?",
  ];
  return made.filter((question): question is string => Boolean(question)).slice(0, 5);
}
