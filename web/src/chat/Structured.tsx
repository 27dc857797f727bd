import { Button, Group, Loader } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, fileUrl, id } from "../api/client";
import type { ArtifactRef } from "../api/types";
import { Words } from "../md/Words";
import { analysisOf, type RunView } from "../run/view";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";
import { QuestionChips } from "./QuestionChips";
import { ReportBlocks } from "./ReportBlocks";

const CodeView = lazy(() => import("../code/CodeView"));
/** What makes a report HTML, as the server tells it on its wire. */
const HTML = /<div|<script|echarts/i;

interface Props {
  view: RunView;
  files: ArtifactRef[];
  questions: string[];
  /** The report in words, whose numbers lead to their steps. */
  children: ReactNode;
  onFill: (text: string) => void;
}

/** A round of the analyst that answers in typed rounds: seven parts in their order, each in its colour. */
export function Structured({ view, files, questions, children, onFill }: Props) {
  const { t } = useTranslation();
  const round = analysisOf(view);
  if (!round) return children;
  const over = view.state === "finished";
  const html = over && view.answer !== null && HTML.test(view.answer.text);
  return (
    <div className="structured">
      {round.task && (
        <details className="sr-box sr-analysis" open={!over}>
          <summary>{t("report.analysis")}</summary>
          <Words text={round.task} />
        </details>
      )}
      {round.plan && (
        <section className="sr-box sr-plan" aria-label={t("report.plan")}>
          <strong>{t("report.plan")}</strong>
          <Words text={round.plan} />
        </section>
      )}
      <ToolStatus view={view} />
      {html ? <ReportBlocks run={view.id}>{children}</ReportBlocks> : children}
      {view.saved.map((code) => (
        <SavedCode key={code.id} code={code} />
      ))}
      {questions.length > 0 && (
        <section className="sr-box sr-grey" aria-label={t("report.questions")}>
          <QuestionChips questions={questions} title={t("report.questions")} onAsk={onFill} />
        </section>
      )}
      <Downloads view={view} files={files} />
    </div>
  );
}

/** Which tools run now. */
function ToolStatus({ view }: { view: RunView }) {
  const { t } = useTranslation();
  const names = Object.values(view.tools)
    .filter((tool) => tool.state === "running")
    .map((tool) => tool.name);
  if (view.state === "finished" || !names.length) return null;
  return (
    <div className="sr-box sr-tools" role="status">
      <Loader size={14} aria-hidden="true" /> {t("report.running", { names: [...new Set(names)].join(", ") })}
    </div>
  );
}

function SavedCode({ code }: { code: RunView["saved"][number] }) {
  const { t } = useTranslation();
  const [text, setText] = useState<string | null>(null);
  const turn = async () => {
    if (text !== null) return setText(null);
    const found = await tried(call<{ content: string }>("GET", `code/${id(code.id)}`));
    if (found) setText(found.content);
  };
  return (
    <section className="sr-box sr-grey" aria-label={t("run.saved")}>
      <Group gap="xs">
        <Icon name="file" size={15} />
        <span>{t("report.saved", { name: code.description || code.path })}</span>
        <Button size="compact-xs" variant="default" aria-expanded={text !== null} onClick={turn}>
          {t(text === null ? "report.view" : "report.hide")}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          component="a"
          href={`/api/v1/code/${id(code.id)}/download`}
          download=""
        >
          {t("report.download")}
        </Button>
      </Group>
      {text !== null && (
        <Suspense fallback={<pre>{text}</pre>}>
          <CodeView code={text} label={code.description || code.path} />
        </Suspense>
      )}
    </section>
  );
}

function Downloads({ view, files }: { view: RunView; files: ArtifactRef[] }) {
  const { t } = useTranslation();
  const known = new Set(files.map((file) => file.name));
  const named = view.links.filter((name) => !known.has(name));
  if (!files.length && !named.length) return null;
  const other = (name: string) => `/api/v1/files/download/${id(name)}?conversation_id=${id(view.conversation)}`;
  const all = [
    ...files.map((file) => ({ key: file.id, name: file.name, href: fileUrl(file.id) })),
    ...named.map((name) => ({ key: name, name, href: other(name) })),
  ];
  return (
    <Group gap="xs" role="group" aria-label={t("run.files")}>
      {all.map(({ key, name, href }) => (
        <Button
          key={key}
          component="a"
          href={href}
          download={name}
          size="compact-md"
          className="sr-download"
          leftSection={<Icon name="download" size={15} />}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
