const zh = {
  chart: "图表",
  table: "表格",
  view: "显示方式",
  failed: "此图表无法绘制，请查看表格。",
  save: (kind: string) => `保存为 ${kind}`,
  copy: "复制",
  copied: "已复制",
  csv: "CSV",
  saveCsv: "保存为 CSV",
  sort: (column: string) => `按“${column}”排序`,
  rows: (shown: string, total: string) => (shown === total ? `${total} 行` : `显示前 ${shown} 行，共 ${total} 行`),
  empty: "没有数据",
};
const en: typeof zh = {
  chart: "Chart",
  table: "Table",
  view: "View",
  failed: "This chart cannot be drawn; the table has its numbers.",
  save: (kind) => `Save as ${kind}`,
  copy: "Copy",
  copied: "Copied",
  csv: "CSV",
  saveCsv: "Save as CSV",
  sort: (column) => `Sort by ${column}`,
  rows: (shown, total) => (shown === total ? `${total} rows` : `first ${shown} of ${total} rows`),
  empty: "No data",
};
export const chartWords = (language: string) => (language.startsWith("zh") ? zh : en);
