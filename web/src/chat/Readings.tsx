import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Reading, Table } from "../api/types";
import { shown } from "../ui/format";

const brief = (table: Table | null | undefined): string => {
  if (!table?.rows.length) return "";
  const rows = table.rows.slice(0, 3).map((row) => row.map(shown).join(" "));
  return rows.join(" · ") + (table.total_rows > 3 ? " …" : "");
};

/** What a question may mean, each with what would be its answer: a person chooses one. */
export function Readings({
  readings,
  onChoose,
}: {
  readings: Reading[];
  onChoose: (reading: Reading, place: number) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="readings" role="group" aria-label={t("ask.meant")}>
      {readings.map((reading, place) => (
        <Button key={reading.text} variant="default" className="reading" onClick={() => onChoose(reading, place)}>
          <span>
            <strong>{reading.text}</strong>
            <Text component="span" size="sm" c="dimmed" className="reading-result">
              {brief(reading.result)}
            </Text>
          </span>
        </Button>
      ))}
    </div>
  );
}
