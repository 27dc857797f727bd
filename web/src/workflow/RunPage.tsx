import { Anchor, Group, Text, Title } from "@mantine/core";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { id } from "../api/client";
import { Turn } from "../chat/Turn";
import { useFlowWords } from "../i18n/flow";
import { useRun, watch } from "../run/store";
import type { RunView } from "../run/view";
import { useRunDefinition } from "./queries";
import "./flow.css";

const FlowCanvas = lazy(() => import("./FlowCanvas").then((part) => ({ default: part.FlowCanvas })));

/** How far each node is: that of its last turn, where it is in a loop. */
const statesOf = (view: RunView | undefined): Record<string, string> =>
  Object.fromEntries((view?.nodes ?? []).map((node) => [node.id, node.state]));

/** A run of a workflow: its nodes, the one that waits, and what it asks. */
export function RunPage({ flow, run }: { flow: string; run: string }) {
  const words = useFlowWords();
  const begun = useRunDefinition(run);
  const view = useRun(run);
  useEffect(() => watch(run, ""), [run]);
  const states = useMemo(() => statesOf(view), [view]);
  const again = (text: string) => {
    location.hash = `#/c/${view?.conversation ?? ""}`;
    return text;
  };
  const definition = begun.data?.definition;
  const waiting = definition && view?.nodes.find((node) => node.state === "waiting");
  return (
    <div className="screen-scroll">
      <main className="screen flow-run">
        <Group gap="md">
          <Anchor href={`#/workflows/${id(flow)}`} size="sm">
            ← {words.toWorkflow}
          </Anchor>
          {view?.conversation && (
            <Anchor href={`#/c/${view.conversation}`} size="sm">
              {words.conversation}
            </Anchor>
          )}
        </Group>
        <Title order={2} mt="xs">
          {words.runOf(definition?.name ?? "")}
        </Title>
        {begun.isError && <Text c="dimmed">{begun.error.message}</Text>}
        {definition && (
          <section className="flow-picture" aria-label={words.picture}>
            <Suspense fallback={<Text c="dimmed">{words.loading}</Text>}>
              <FlowCanvas definition={definition} states={states} />
            </Suspense>
          </section>
        )}
        {waiting && (
          <Text role="status" className="amber">
            {waiting.name}: {words.waitsHere}
          </Text>
        )}
        <Turn run={run} question={view?.question ?? ""} onAsk={again} onEdit={again} />
      </main>
    </div>
  );
}
