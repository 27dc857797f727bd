import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, call, id } from "../api/client";
import { client, workbookQuery } from "../api/queries";
import type { Chart } from "../api/types";
import { nativeChart } from "../charts/nativeChart";
import { note } from "../ui/say";

/** Makes a chart of an answer a native one of the conversation's workbook: one version, which can be undone. */
export function UseChart({ chart, title, conversation }: { chart: Chart; title: string; conversation: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const use = async () => {
    setBusy(true);
    try {
      const book = await client.fetchQuery(workbookQuery(conversation));
      const made = nativeChart(
        chart,
        title,
        book.outline.sheets.map((sheet) => sheet.name),
      );
      if ("why" in made) return note(t(`chart.not.${made.why}`));
      const body = { operations: made.operations, base_version: book.version, summary: t("chart.summary", { title }) };
      await call("POST", `workbooks/${id(conversation)}/edits`, body);
      note(t("chart.used", { sheet: made.sheet }));
      client.invalidateQueries({ queryKey: ["workbook"] });
      client.invalidateQueries({ queryKey: ["files"] });
    } catch (error) {
      const none = error instanceof ApiError && error.status === 404;
      note(none ? t("chart.not.book") : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="compact-sm" variant="default" loading={busy} onClick={use}>
      {t("chart.use")}
    </Button>
  );
}
