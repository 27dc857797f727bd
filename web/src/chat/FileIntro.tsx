import { Badge, Button, Group, Paper, Skeleton, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useProfile, useQuestions, useShapes } from "../api/queries";
import type { ColumnFacts, ColumnShape, Dataset, StoredFile } from "../api/types";
import { count, shown, tableSize } from "../ui/format";
import { Icon } from "../ui/Icon";
import { Shape } from "./Shape";

interface Props {
  file: StoredFile;
  onAsk?: (text: string) => void;
  onReport?: (file: string) => void;
}

/** What a file holds: its tables with their columns and how good they are, questions that it answers, and a report. */
export function FileIntro({ file, onAsk, onReport }: Props) {
  const { t } = useTranslation();
  const profile = useProfile(file.id);
  const tables = profile.data?.datasets ?? [];
  const largest = [...tables].sort((one, other) => other.rows - one.rows)[0];
  return (
    <Paper withBorder p="md" component="section" aria-label={t("files.about", { name: file.name })}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{file.name}</Text>
        {tables.length > 0 && <Badge variant="light">{t("files.sheets", { count: tables.length })}</Badge>}
      </Group>
      {profile.isPending && <Text c="dimmed">{t("app.loading")}</Text>}
      {tables.slice(0, 6).map((table) => (
        <DatasetIntro key={table.id} file={file.id} table={table} first={table === largest} />
      ))}
      {onAsk && largest && <Questions file={file.id} onAsk={onAsk} />}
      {onReport && largest && (
        <Button
          mt="sm"
          variant="default"
          leftSection={<Icon name="file" size={15} />}
          onClick={() => onReport(file.id)}
        >
          {t("composer.report")}
        </Button>
      )}
    </Paper>
  );
}

/** What can be asked about a file; nothing where it answers none of what was tried. */
function Questions({ file, onAsk }: { file: string; onAsk: (text: string) => void }) {
  const { t, i18n } = useTranslation();
  const found = useQuestions(file, i18n.language);
  if (found.isError || found.data?.questions.length === 0) return null;
  return (
    <>
      <Text size="sm" c="dimmed" mt="sm" mb={4}>
        {t("start.askThis")}
      </Text>
      <div className="questions" aria-busy={found.isPending}>
        {found.isPending && <Skeleton height={34} width="60%" animate={false} aria-hidden="true" />}
        {found.data?.questions.map((question) => (
          <Button key={question} variant="default" className="wrapping question" onClick={() => onAsk(question)}>
            {question}
          </Button>
        ))}
      </div>
    </>
  );
}

function DatasetIntro({ file, table, first }: { file: string; table: Dataset; first: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(first);
  const shapes = useShapes(file, table.id, open);
  const shapeOf = new Map(shapes.data?.columns.map((shape) => [shape.column, shape]));
  const [all, setAll] = useState(false);
  const columns = all ? table.columns : table.columns.slice(0, 12);
  return (
    <details open={open} className="dataset" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {table.name} <span className="quiet">{tableSize(table.rows, table.columns.length, t)}</span>
      </summary>
      <div className="scroll" tabIndex={0} role="group" aria-label={table.name}>
        <Table className="profile" withRowBorders={false} verticalSpacing={3} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("files.column")}</Table.Th>
              <Table.Th>{t("files.kind")}</Table.Th>
              <Table.Th>{t("files.distribution")}</Table.Th>
              <Table.Th className="range">{t("files.range")}</Table.Th>
              <Table.Th>{t("files.missing")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column) => (
              <ColumnRow key={column.name} column={column} rows={table.rows} shape={shapeOf.get(column.name)} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {columns.length < table.columns.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {t("run.more")}
        </Button>
      )}
      <Quality table={table} />
    </details>
  );
}

function ColumnRow({ column, rows, shape }: { column: ColumnFacts; rows: number; shape?: ColumnShape }) {
  const { t, i18n } = useTranslation();
  const kind = i18n.exists(`files.kinds.${column.kind}`)
    ? t(`files.kinds.${column.kind}` as "files.kinds.text")
    : column.kind;
  const range =
    column.minimum !== null && column.maximum !== null
      ? `${shown(column.minimum)} – ${shown(column.maximum)}`
      : column.samples.slice(0, 3).map(shown).join(", ");
  const filled = rows ? 1 - column.missing / rows : 1;
  return (
    <Table.Tr>
      <Table.Td fw={500} className="whole">
        {column.name}
      </Table.Td>
      <Table.Td className="whole kind">
        {kind}
        {column.unit && ` (${column.unit})`}
        {column.distinct !== null && <span className="quiet"> · {count(column.distinct)}</span>}
      </Table.Td>
      <Table.Td className="cut">
        <Shape shape={shape} />
        <span className="quiet instead">{range}</span>
      </Table.Td>
      <Table.Td className="cut range">{range}</Table.Td>
      <Table.Td className="whole">
        <span className="fill-bar" aria-hidden="true">
          <span style={{ width: `${Math.round(filled * 100)}%` }} />
        </span>{" "}
        {count(column.missing)}
      </Table.Td>
    </Table.Tr>
  );
}

function Quality({ table }: { table: Dataset }) {
  const { t } = useTranslation();
  const found = [
    ...table.columns
      .filter((column) => column.missing > 0)
      .map((column) =>
        t("files.missingIn", { column: column.name, count: column.missing, values: count(column.missing) }),
      ),
    ...table.columns
      .filter((column) => column.irregular.length > 0)
      .map((column) => t("files.irregularIn", { column: column.name })),
    ...(table.repeated ? [t("files.repeated")] : []),
  ];
  return (
    <Text size="sm" mt={4}>
      <strong>{t("files.quality")}</strong>: {found.length ? found.slice(0, 4).join(" · ") : t("files.clean")}
    </Text>
  );
}
