import { Button, Loader, Text, UnstyledButton } from "@mantine/core";
import { lazy, memo, Suspense, useContext, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import type { Run } from "../api/types";
import { Words } from "../md/Words";
import { useLink, useRun, watch } from "../run/store";
import { openAsks, type RunView, workedSeconds } from "../run/view";
import { seconds } from "../ui/format";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";
import { Answer, Ending } from "./Answer";
import { Asks } from "./Asks";
import { rerunFlow } from "./flows";
import { NodeList } from "./NodeList";
import { Rounds } from "./Rounds";
import { Reveal, type Revealed, RevealedStep, Stay } from "./reveal";
import { TaskList } from "./TaskList";
import type { Asked } from "./useAsking";
import { Work } from "./Work";

const AnswerTools = lazy(() => import("./AnswerTools").then((part) => ({ default: part.AnswerTools })));
const Routed = lazy(() => import("./Routed").then((part) => ({ default: part.Routed })));

interface Props {
  run: string;
  question: string;
  onAsk: (text: string, asked?: Asked) => void;
  onEdit: (text: string) => void;
}

/** One question with what came of it. */
export const Turn = memo(function Turn({ run, question, onAsk, onEdit }: Props) {
  const view = useRun(run);
  useEffect(() => watch(run, question), [run, question]);
  return (
    <article className="turn" data-run={run} data-outcome={view?.outcome ?? undefined} data-state={view?.state}>
      <div className="user-turn">
        <h3>{question}</h3>
      </div>
      {view && <AgentTurn view={view} onAsk={onAsk} onEdit={onEdit} />}
    </article>
  );
});

function AgentTurn({
  view,
  onAsk,
  onEdit,
}: {
  view: RunView;
  onAsk: (text: string, asked?: Asked) => void;
  onEdit: (text: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const stay = useContext(Stay);
  const message = useFailure(view);
  const over = view.state === "finished";
  const reveal = (step: string) => {
    stay();
    setOpen(true);
    setRevealed({ step });
  };
  const toggle = () => {
    setOpen(!open);
    setRevealed(null);
  };
  // What a person began as a workflow is that workflow again: its words alone may lead elsewhere.
  const again = () => {
    if (view.mode === "workflow" && !view.routed) tried(rerunFlow(view));
    else onAsk(view.question, view.mode === "report" ? { mode: "report" } : {});
  };
  const worked = view.items.length > 0 || view.thinking !== "";
  return (
    <Reveal.Provider value={reveal}>
      <div className="agent-turn">
        {over && worked && <WorkedLine view={view} open={open} onToggle={toggle} />}
        {(!over || open || view.outcome !== "completed") && (
          <RevealedStep.Provider value={revealed}>
            <Thinking view={view} />
            <Work view={view} />
          </RevealedStep.Provider>
        )}
        {view.routed && (
          <Suspense fallback={null}>
            <Routed view={view} onAsk={onAsk} />
          </Suspense>
        )}
        <TaskList view={view} />
        <NodeList view={view} />
        <Rounds view={view} />
        {!over && view.draft && <Words text={view.draft} />}
        <Asks view={view} />
        <Answer view={view} onAsk={onAsk} onFill={onEdit} />
        <Ending view={view} message={message} onAsk={again} onEdit={() => onEdit(view.question)} />
        <Suspense fallback={null}>{over && <AnswerTools view={view} />}</Suspense>
        {!over && <Progress view={view} />}
        <LinkNote run={view.id} />
      </div>
    </Reveal.Provider>
  );
}

/** Why a run ended, in words: its event carries a code only. */
function useFailure(view: RunView): string {
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!view.failure) return;
    call<Run>("GET", `runs/${id(view.id)}`).then(
      (run) => setMessage(run.failure?.message ?? ""),
      () => setMessage(view.failure?.code ?? ""),
    );
  }, [view.failure, view.id]);
  return message;
}

function WorkedLine({ view, open, onToggle }: { view: RunView; open: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const steps = Object.keys(view.steps).length + Object.keys(view.tools).length + Object.keys(view.children).length;
  const took = seconds(workedSeconds(view, Date.now()));
  return (
    <UnstyledButton className="worked" aria-expanded={open} onClick={onToggle}>
      <Icon name={open ? "up" : "down"} size={14} />{" "}
      {steps ? t("run.worked", { seconds: took, count: steps }) : t("run.workedShort", { seconds: took })}
      {view.workflow && ` · ${t("run.workflow", { name: view.workflow })}`}
    </UnstyledButton>
  );
}

function Thinking({ view }: { view: RunView }) {
  const { t } = useTranslation();
  const writing = view.state === "running" && !view.items.length && !view.draft;
  if (!view.thinking) return null;
  return (
    <details className="thinking" open={writing}>
      <summary>{t("run.thought")}</summary>
      <p className="as-written">{view.thinking}</p>
    </details>
  );
}

/** What a run is at, and for how long, once that is more than a second. */
function Progress({ view }: { view: RunView }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const waits = openAsks(view).length > 0;
  const since = workedSeconds(view, now);
  const words = waits
    ? t("run.waiting")
    : view.state === "starting"
      ? t("run.starting")
      : view.items.length
        ? t("run.working")
        : t("run.thinking");
  return (
    <Text size="sm" c="dimmed" className="progress" role="status">
      {!waits && <Loader size={12} aria-hidden="true" />} <span>{words}</span>
      {since > 1 && !waits && <span aria-hidden="true"> {t("run.seconds", { seconds: Math.round(since) })}</span>}
    </Text>
  );
}

function LinkNote({ run }: { run: string }) {
  const { t } = useTranslation();
  const link = useLink(run);
  if (link?.state === "gone")
    return (
      <Text size="sm" className="red">
        {t("run.gone")}
      </Text>
    );
  if (link?.state !== "lost") return null;
  return (
    <Text size="sm" className="amber" role="status">
      {t("run.lost", { attempt: link.attempt })}{" "}
      {link.attempt > 6 && (
        <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
          {t("run.reconnect")}
        </Button>
      )}
    </Text>
  );
}
