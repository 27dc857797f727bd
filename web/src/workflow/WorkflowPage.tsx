import { Anchor, Button, Group, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import { useFlowWords } from "../i18n/flow";
import { inLanguage } from "../ui/bilingual";
import { seconds, when } from "../ui/format";
import { tried } from "../ui/say";
import { useFlow, useFlowRuns, useSchedules } from "./queries";
import type { RunLine, Schedule, StoredFlow } from "./types";
import "./flow.css";

/** One workflow: its runs, its versions and its schedules. */
export function WorkflowPage({ flow }: { flow: string }) {
  const words = useFlowWords();
  const { i18n } = useTranslation();
  const known = useFlow(flow, i18n.language);
  const shown = known.flow ?? known.template;
  return (
    <div className="screen-scroll">
      <main className="screen">
        <Anchor href="#/workflows" size="sm">
          ← {words.back}
        </Anchor>
        {!shown && <Text c="dimmed">{known.absent ? words.absent : words.loading}</Text>}
        {shown && (
          <>
            <Group justify="space-between" mt="xs">
              <Title order={2}>{inLanguage(shown.name, i18n.language)}</Title>
              {known.flow?.mine && (
                <Button component="a" href={`#/workflows/${id(flow)}/edit`} variant="default">
                  {words.edit}
                </Button>
              )}
            </Group>
            <Text c="dimmed">{inLanguage(shown.description ?? "", i18n.language)}</Text>
            <Runs flow={flow} />
            {known.flow && <Versions flow={known.flow} />}
            <Schedules flow={known.flow?.id ?? flow} />
          </>
        )}
      </main>
    </div>
  );
}

function Runs({ flow }: { flow: string }) {
  const words = useFlowWords();
  const runs = useFlowRuns(flow);
  const lines = runs.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section>
      <Title order={3} size="h4" mt="lg" mb="xs">
        {words.history}
      </Title>
      {runs.isSuccess && lines.length === 0 && <Text c="dimmed">{words.noRuns}</Text>}
      {lines.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table className="flow-runs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.began}</Table.Th>
                <Table.Th>{words.state}</Table.Th>
                <Table.Th>{words.took}</Table.Th>
                <Table.Th>{words.trigger}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((run) => (
                <RunRow key={run.id} run={run} flow={flow} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {runs.hasNextPage && (
        <Button variant="subtle" size="compact-sm" onClick={() => runs.fetchNextPage()}>
          {words.moreRuns}
        </Button>
      )}
    </section>
  );
}

function RunRow({ run, flow }: { run: RunLine; flow: string }) {
  const words = useFlowWords();
  const state = run.state === "finished" ? (run.outcome ?? "completed") : run.state;
  return (
    <Table.Tr data-run={run.id} data-state={state}>
      <Table.Td>
        <Anchor href={`#/workflows/${id(flow)}/runs/${id(run.id)}`} aria-label={words.open(when(run.created_at))}>
          {when(run.created_at)}
        </Anchor>
      </Table.Td>
      <Table.Td className={`flow-state ${state}`}>{words.states[state] ?? words.outcomes[state]}</Table.Td>
      <Table.Td>{run.state === "finished" ? words.seconds(seconds(run.worked_s)) : "…"}</Table.Td>
      <Table.Td>{words.triggers[run.trigger]}</Table.Td>
    </Table.Tr>
  );
}

function Versions({ flow }: { flow: StoredFlow }) {
  const words = useFlowWords();
  return (
    <section>
      <Title order={3} size="h4" mt="lg" mb="xs">
        {words.versions}
      </Title>
      {flow.versions.length === 0 && <Text c="dimmed">{words.noVersions}</Text>}
      <ul className="flow-list">
        {[...flow.versions]
          .sort((one, other) => other.number - one.number)
          .map((version) => (
            <li key={version.number}>
              {words.version(version.number)} <span className="quiet">{when(version.created_at)}</span>
              {version.number === flow.published && <strong> {words.current}</strong>}
            </li>
          ))}
      </ul>
    </section>
  );
}

function Schedules({ flow }: { flow: string }) {
  const words = useFlowWords();
  const known = useSchedules();
  const own = known.data?.items.filter((each) => each.workflow_id === flow) ?? [];
  return (
    <section>
      <Title order={3} size="h4" mt="lg" mb="xs">
        {words.schedules}
      </Title>
      {known.isSuccess && own.length === 0 && <Text c="dimmed">{words.noSchedules}</Text>}
      <ul className="flow-list">
        {own.map((schedule) => (
          <ScheduleLine key={schedule.id} schedule={schedule} />
        ))}
      </ul>
    </section>
  );
}

function ScheduleLine({ schedule }: { schedule: Schedule }) {
  const words = useFlowWords();
  const act = schedule.paused ? "resume" : "pause";
  const turn = async () => {
    await tried(call("POST", `schedules/${id(schedule.id)}/${act}`));
    client.invalidateQueries({ queryKey: ["schedules"] });
  };
  const [next] = schedule.next_times;
  return (
    <li>
      {schedule.name}{" "}
      <span className="quiet">
        {schedule.when} ({schedule.time_zone}) · {next ? words.next(when(next)) : words.paused}
      </span>{" "}
      <Button size="compact-xs" variant="default" onClick={turn} aria-label={`${words[act]}: ${schedule.name}`}>
        {words[act]}
      </Button>
    </li>
  );
}
