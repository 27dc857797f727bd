// A report by the typed blocks that the server has read it into: the page writes all of its markup itself.
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createElement, lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { call, fileUrl, id } from "../api/client";

const ChartFrame = lazy(() => import("../charts/ChartFrame").then((part) => ({ default: part.ChartFrame })));

interface Span {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  strike?: boolean;
  href?: string | null;
}
type Block =
  | { type: "heading"; level: number; content: Span[] }
  | { type: "paragraph"; content: Span[] }
  | { type: "list"; items: Block[][]; ordered: boolean; start: number }
  | { type: "quote"; blocks: Block[] }
  | { type: "code"; text: string; language: string }
  | { type: "saved_code"; code_id: string; description: string }
  | { type: "table"; header: Span[][]; rows: Span[][][]; total_rows: number }
  | { type: "chart"; option: Record<string, unknown>; dropped: string[] }
  | { type: "isolated"; html: string; reason: string }
  | { type: "image"; artifact_id: string; alt: string }
  | { type: "rule" };
interface ReportView {
  blocks: Block[];
  cut: boolean;
}

/** The report of a run that ended; in its place `children` where it cannot be had. */
export function ReportBlocks({ run, children }: { run: string; children: ReactNode }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: ["report", run],
    queryFn: () => call<ReportView>("GET", `runs/${id(run)}/report`),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  if (found.isError) return children;
  if (!found.data)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t("app.loading")}
      </Text>
    );
  return (
    <div className="words report">
      <Blocks blocks={found.data.blocks} />
      {found.data.cut && (
        <Text size="sm" c="dimmed">
          {t("report.cut")}
        </Text>
      )}
    </div>
  );
}

function Blocks({ blocks }: { blocks: Block[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a report that ended stay as they are
  return blocks.map((block, place) => <One key={place} block={block} />);
}

function One({ block }: { block: Block }) {
  const { t } = useTranslation();
  switch (block.type) {
    case "heading":
      // The question is a heading of the third level: what answers it lies below.
      return createElement(
        `h${Math.min(6, block.level + 3)}`,
        { "data-level": block.level },
        <Spans spans={block.content} />,
      );
    case "paragraph":
      return (
        <p className="as-written">
          <Spans spans={block.content} />
        </p>
      );
    case "list": {
      const items = block.items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <li key={place}>
          <Blocks blocks={item} />
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "code":
      return <pre>{block.text}</pre>;
    case "saved_code":
      return <p className="quiet">{t("report.saved", { name: block.description })}</p>;
    case "table":
      return <ReportTable block={block} />;
    case "chart":
      return (
        <Suspense fallback={<div className="chart-place" />}>
          <ChartFrame option={block.option} title={titleOf(block.option)} />
        </Suspense>
      );
    case "isolated":
      return <p className="quiet">{t("report.isolated")}</p>;
    case "image":
      return <img className="picture" src={fileUrl(block.artifact_id)} alt={block.alt} />;
    case "rule":
      return <hr />;
  }
}

function ReportTable({ block }: { block: Extract<Block, { type: "table" }> }) {
  const { t } = useTranslation();
  const row = (cells: Span[][], scope?: "col") =>
    cells.map((cell, place) => createElement(scope ? "th" : "td", { key: place, scope }, <Spans spans={cell} />));
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t("table.table")}>
      <table className="plain">
        {block.header.some((cell) => cell.length > 0) && (
          <thead>
            <tr>{row(block.header, "col")}</tr>
          </thead>
        )}
        <tbody>
          {block.rows.map((cells, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={place}>{row(cells)}</tr>
          ))}
        </tbody>
      </table>
      {block.total_rows > block.rows.length && (
        <Text size="sm" c="dimmed">
          {t("table.rows", { total: block.total_rows, shown: block.rows.length })}
        </Text>
      )}
    </div>
  );
}

function Spans({ spans }: { spans: Span[] }) {
  return spans.map((span, place) => {
    let made: ReactNode = span.text;
    if (span.code) made = <code>{made}</code>;
    if (span.strike) made = <s>{made}</s>;
    if (span.italic) made = <em>{made}</em>;
    if (span.bold) made = <strong>{made}</strong>;
    if (span.href)
      made = (
        <a href={span.href} target="_blank" rel="noopener noreferrer nofollow">
          {made}
        </a>
      );
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return <span key={place}>{made}</span>;
  });
}

function titleOf(option: Record<string, unknown>): string {
  const title = option.title as { text?: unknown } | { text?: unknown }[] | undefined;
  const first = Array.isArray(title) ? title[0] : title;
  return typeof first?.text === "string" ? first.text : "";
}
