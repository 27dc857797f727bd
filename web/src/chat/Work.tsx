import { Code, Loader, Text, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Words } from "../md/Words";
import { analysisOf, type Item, type Output, type RunView, type Step, type StepStatus, type Tool } from "../run/view";
import { shown } from "../ui/format";
import { Icon, type IconName } from "../ui/Icon";
import { told } from "../ui/notices";
import { useRevealed } from "./reveal";

const CodeView = lazy(() => import("../code/CodeView"));
const SIGNS: Record<StepStatus, IconName> = {
  announced: "dots",
  running: "dots",
  ok: "check",
  error: "cross",
  interrupted: "stop",
  dropped: "dots",
};

/** What was done, in its order: steps with their code and outputs, calls of tools, remarks. */
export function Work({ view }: { view: RunView }) {
  const { t } = useTranslation();
  return (
    <ol className="work" aria-label={t("run.steps")}>
      {view.items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever appended
        <WorkItem key={place} item={item} view={view} />
      ))}
    </ol>
  );
}

function WorkItem({ item, view }: { item: Item; view: RunView }) {
  const { t } = useTranslation();
  switch (item.kind) {
    case "step": {
      const step = view.steps[item.id];
      return step ? <StepRow step={step} /> : null;
    }
    case "tool": {
      const tool = view.tools[item.id];
      return tool ? <ToolRow tool={tool} /> : null;
    }
    case "repair":
      return (
        <li className="remark amber">
          <Icon name="retry" size={15} /> <span>{t("run.repair", { attempt: item.attempt, error: item.error })}</span>
        </li>
      );
    case "warning":
      return (
        <li className="remark amber">
          <Icon name="alert" size={15} /> <span>{told(item.notice)}</span>
        </li>
      );
    case "analysis":
      // The newest round is shown with the report.
      return item === analysisOf(view) ? null : (
        <li className="remark">
          <div>
            <Text size="sm" fw={600}>
              {t("run.analysis", { round: item.round })}
            </Text>
            <Words text={item.task} />
            {item.plan && <Words text={item.plan} />}
          </div>
        </li>
      );
    case "child": {
      const child = view.children[item.id];
      return child ? <ChildRow child={child} /> : null;
    }
    case "text":
      return view.answer?.text.trim() === item.text.trim() || view.report ? null : (
        <li className="remark">
          <Words text={item.text} />
        </li>
      );
  }
}

interface RowProps {
  title: string;
  status: StepStatus;
  after: string;
  step?: string;
  open?: boolean;
  children?: React.ReactNode;
}

function Row(props: RowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(props.open ?? false);
  const line = useRevealed(props.step, () => setOpen(true));
  const sign =
    props.status === "running" ? (
      <Loader size={14} aria-hidden="true" />
    ) : (
      <Icon name={SIGNS[props.status]} size={15} />
    );
  return (
    <li className={`step ${props.status}`}>
      <UnstyledButton ref={line} className="step-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="sign">{sign}</span>
        <span className="step-name">{props.title}</span>
        <span className="quiet">
          {t(`run.status.${props.status}`)}
          {props.after && ` · ${props.after}`}
        </span>
      </UnstyledButton>
      {open && <div className="step-inside">{props.children}</div>}
    </li>
  );
}

function StepRow({ step }: { step: Step }) {
  const { t } = useTranslation();
  const failed = step.outputs.find((output) => output.kind === "error");
  const after = step.progress || (step.elapsed >= 0.05 ? t("run.seconds", { seconds: step.elapsed.toFixed(1) }) : "");
  return (
    <>
      <Row title={step.name || t("run.code")} status={step.status} after={after} step={step.id}>
        {step.code && (
          <Suspense fallback={<Code block>{step.code}</Code>}>
            <CodeView code={step.code} label={t("run.code")} />
          </Suspense>
        )}
        {step.outputs.map((output, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: outputs are only ever appended
          <OutputView key={place} output={output} />
        ))}
      </Row>
      {failed?.kind === "error" && step.status === "error" && (
        <li className="remark red">
          <Icon name="cross" size={15} /> <span>{`${failed.name}: ${failed.message}`}</span>
        </li>
      )}
    </>
  );
}

function OutputView({ output }: { output: Output }) {
  const { t } = useTranslation();
  if (output.kind === "text")
    return (
      <pre className="printed" tabIndex={0} role="group" aria-label={t("run.output")}>
        {output.text}
      </pre>
    );
  if (output.kind === "error")
    return (
      <pre className="printed red" tabIndex={0} role="group" aria-label={t("run.output")}>
        {output.traceback || `${output.name}: ${output.message}`}
      </pre>
    );
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={output.table.title ?? t("table.table")}>
      <table className="plain">
        <thead>
          <tr>
            {output.table.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {output.table.rows.slice(0, 10).map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
            <tr key={place}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name of their own
                <td key={column} className={typeof cell === "number" ? "number" : ""}>
                  {shown(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ToolRow({ tool }: { tool: Tool }) {
  const { t } = useTranslation();
  const after = tool.elapsed >= 0.05 ? t("run.seconds", { seconds: tool.elapsed.toFixed(1) }) : "";
  const title = `${t("run.tool")}: ${tool.name}`;
  return (
    <Row title={title} status={tool.state} after={after}>
      <Code block>{JSON.stringify(tool.arguments, null, 2)}</Code>
      {tool.text && <OutputView output={{ kind: "text", text: tool.text }} />}
    </Row>
  );
}

/** A task that another agent works on: a lane of its own within the run. */
function ChildRow({ child }: { child: RunView }) {
  const { t } = useTranslation();
  const status: StepStatus = child.state !== "finished" ? "running" : child.outcome === "completed" ? "ok" : "error";
  return (
    <Row title={child.question || t("run.agent")} status={status} after="" open={child.state !== "finished"}>
      <Work view={child} />
      {child.draft && <Words text={child.draft} />}
      {child.answer && <Words text={child.answer.text} />}
    </Row>
  );
}
