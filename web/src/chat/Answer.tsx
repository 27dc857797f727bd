import { Alert, Button, Group, Text } from "@mantine/core";
import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { fileUrl, id } from "../api/client";
import type { Answer as AnswerData, ArtifactRef, Table } from "../api/types";
import { literalsOf } from "../md/marks";
import { Words } from "../md/Words";
import { analysisOf, type RunView, rejected } from "../run/view";
import { Icon } from "../ui/Icon";
import { withoutOffered } from "./offered";
import { QuestionChips } from "./QuestionChips";
import { Readings } from "./Readings";
import { useReveal } from "./reveal";

const ChartFrame = lazy(() => import("../charts/ChartFrame").then((part) => ({ default: part.ChartFrame })));
const UseChart = lazy(() => import("./UseChart").then((part) => ({ default: part.UseChart })));
const TableResult = lazy(() => import("../charts/TableResult").then((part) => ({ default: part.TableResult })));
const Structured = lazy(() => import("./Structured").then((part) => ({ default: part.Structured })));
const PICTURES = new Set(["image/png", "image/jpeg", "image/webp"]);

type Said = (text: string) => void;

/** The answer of a run: words whose numbers lead to their step, charts, tables, files, and what to ask next. */
export function Answer({ view, onAsk, onFill }: { view: RunView; onAsk: Said; onFill: Said }) {
  const { t } = useTranslation();
  const answer = view.answer;
  const table = answer && wide(answer.table ?? answer.result);
  const charts = answer?.charts.length ? answer.charts : view.charts;
  const pictures = charts.length ? [] : view.images.filter((image) => PICTURES.has(image.mime));
  const files = unique([...view.files, ...(answer?.files ?? [])]).filter((file) => !PICTURES.has(file.mime));
  const next = answer?.suggestions.length ? answer.suggestions : view.suggestions;
  const structured = analysisOf(view) !== undefined;
  const words =
    view.report && view.report !== answer?.text ? (
      <Words text={view.report} />
    ) : (
      answer && <Sourced answer={answer} view={view} offered={next} />
    );
  return (
    <div className="answer">
      {structured ? (
        <Suspense fallback={words}>
          <Structured view={view} files={files} questions={next} onFill={onFill}>
            {words}
          </Structured>
        </Suspense>
      ) : (
        words
      )}
      {charts.map((chart, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: charts have no name of their own
        <Suspense key={place} fallback={<div className="chart-place" />}>
          <ChartFrame chart={chart} title={chart.title ?? view.question}>
            {view.state === "finished" && (
              // A boundary of its own: while this loads, the chart must not be taken away, which is drawn by messages.
              <Suspense fallback={null}>
                <UseChart chart={chart} title={chart.title ?? view.question} conversation={view.conversation} />
              </Suspense>
            )}
          </ChartFrame>
        </Suspense>
      ))}
      {pictures.map((image) => (
        <a key={image.id} href={fileUrl(image.id)} download={image.name}>
          <img className="picture" src={fileUrl(image.id)} alt={t("run.figure", { name: image.name })} />
        </a>
      ))}
      {table && (
        <Suspense fallback={null}>
          <TableResult
            table={table}
            workbook={view.state === "finished" ? `/api/v1/runs/${id(view.id)}/report.xlsx` : undefined}
          />
        </Suspense>
      )}
      {answer?.readings && answer.readings.length > 0 && (
        <Readings readings={answer.readings} onChoose={(reading) => onAsk(reading.text)} />
      )}
      {!structured && <FileList files={files} />}
      {!structured && next.length > 0 && (
        <div>
          <QuestionChips questions={next} onAsk={onAsk} />
        </div>
      )}
    </div>
  );
}

const wide = (table: Table | null) => (table && (table.rows.length > 1 || table.columns.length > 1) ? table : null);
const unique = (files: ArtifactRef[]) => [...new Map(files.map((file) => [file.id, file])).values()];

function Sourced({ answer, view, offered }: { answer: AnswerData; view: RunView; offered: string[] }) {
  const { t } = useTranslation();
  const reveal = useReveal();
  const marks = useMemo(
    () =>
      answer.sources.map(({ start, end, step_id }) => ({
        start,
        end,
        step: step_id && view.steps[step_id] ? step_id : null,
      })),
    [answer.sources, view.steps],
  );
  const literals = useMemo(
    () => literalsOf([...(answer.result?.rows ?? []), ...(answer.table?.rows ?? [])]),
    [answer.result, answer.table],
  );
  const characters = useMemo(() => [...answer.text], [answer.text]);
  const unproven = [
    ...new Set(
      marks.filter((mark) => mark.step === null).map(({ start, end }) => characters.slice(start, end).join("")),
    ),
  ];
  return (
    <>
      <Words
        text={withoutOffered(answer.text, offered, Math.max(0, ...marks.map((mark) => mark.end)))}
        marks={marks}
        literals={literals}
        onMark={(step) => reveal(step)}
        nameOf={(step) => view.steps[step]?.name ?? ""}
      />
      {unproven.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("run.unprovenAll", { numbers: unproven.join(", ") })}
        </Text>
      )}
    </>
  );
}

export function FileList({ files }: { files: ArtifactRef[] }) {
  const { t } = useTranslation();
  if (!files.length) return null;
  return (
    <ul className="files" aria-label={t("run.files")}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={fileUrl(file.id)} download={file.name}>
            <Icon name="download" size={15} /> {file.name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** How a run ended where it was not by an answer, and what can be done then. */
export function Ending({
  view,
  message,
  onAsk,
  onEdit,
}: {
  view: RunView;
  message: string;
  onAsk: () => void;
  onEdit: () => void;
}) {
  const { t } = useTranslation();
  if (!view.outcome || view.outcome === "completed") return null;
  const bad = view.outcome === "failed" || view.outcome === "limit";
  const change = (
    <Button size="compact-sm" variant="default" leftSection={<Icon name="pencil" size={14} />} onClick={onEdit}>
      {t("run.edit")}
    </Button>
  );
  // The answer says why there is none; asking the same again would say the same.
  if (view.outcome === "declined" && view.answer?.text && !rejected(view))
    return <div className="ending">{change}</div>;
  return (
    <Alert
      color={bad ? "red" : "gray"}
      variant="light"
      title={bad ? t(`run.outcome.${view.outcome}`) : undefined}
      role="note"
    >
      <p className="as-written">{message || (bad ? "" : t(`run.outcome.${view.outcome}`))}</p>
      {view.outcome !== "superseded" && (
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" leftSection={<Icon name="retry" size={14} />} onClick={onAsk}>
            {t("run.retry")}
          </Button>
          {change}
        </Group>
      )}
    </Alert>
  );
}
