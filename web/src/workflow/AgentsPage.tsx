import { Anchor, Badge, Loader, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { all } from "../api/queries";
import type { Conversation, Message, Page, Run } from "../api/types";
import { useFlowWords } from "../i18n/flow";
import { useRun, watch } from "../run/store";
import { openAsks } from "../run/view";

const LOOKED_AT = 12;

interface Lane {
  run: Run;
  title: string;
}

/** The newest run of each of the newest conversations: those that still work come first. */
async function lanes(): Promise<Lane[]> {
  const known = (await call<Page<Conversation>>("GET", `conversations?limit=${LOOKED_AT}`)).items;
  const found = await Promise.all(
    known.map(async (entry): Promise<Lane | null> => {
      const messages = await all<Message>(`conversations/${id(entry.id)}/messages?limit=200`);
      const last = messages.findLast((message) => message.author === "user" && message.run_id);
      return last ? { title: entry.title, run: await call<Run>("GET", `runs/${id(last.run_id ?? "")}`) } : null;
    }),
  );
  return found.filter((lane): lane is Lane => lane !== null);
}

/** What is worked on right now, each task as a lane that can be opened. */
export function AgentsPage() {
  const { t } = useTranslation();
  const words = useFlowWords();
  const found = useQuery({ queryKey: ["lanes"], queryFn: lanes, refetchInterval: 5000, staleTime: 0 });
  const live = found.data?.filter(({ run }) => run.state !== "finished") ?? [];
  const over = found.data?.filter(({ run }) => run.state === "finished").slice(0, 6) ?? [];
  return (
    <div className="screen-scroll">
      <main className="screen">
        <Title order={2} mb="md">
          {t("agents.title")}
        </Title>
        {found.isPending && <Text c="dimmed">{t("app.loading")}</Text>}
        {found.isSuccess && live.length === 0 && <Text c="dimmed">{t("agents.none")}</Text>}
        <div className="lanes">
          {live.map((lane) => (
            <LaneCard key={lane.run.id} lane={lane} />
          ))}
        </div>
        {over.length > 0 && (
          <>
            <Title order={3} size="h4" mt="xl" mb="xs">
              {t("agents.recent")}
            </Title>
            <div className="lanes">
              {over.map(({ run }) => (
                <Paper key={run.id} withBorder p="sm">
                  <Text lineClamp={2}>{run.question}</Text>
                  <Text size="sm" c="dimmed">
                    {run.outcome && words.outcomes[run.outcome]}
                  </Text>
                  <Open run={run} />
                </Paper>
              ))}
            </div>
          </>
        )}
      </main>
    </div>
  );
}

function Open({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <Anchor href={`#/c/${run.conversation_id}`} size="sm" aria-label={`${t("agents.open")}: ${run.question}`}>
      {t("agents.open")}
    </Anchor>
  );
}

function LaneCard({ lane: { run } }: { lane: Lane }) {
  const { t } = useTranslation();
  useEffect(() => watch(run.id, run.question), [run.id, run.question]);
  const view = useRun(run.id);
  const waits = view ? openAsks(view).length > 0 : run.state === "waiting";
  const children = Object.values(view?.children ?? {});
  const now = Object.values(view?.steps ?? {}).findLast((step) => step.status === "running");
  return (
    <Paper withBorder p="sm" role="group" aria-label={run.question}>
      <Text fw={500} lineClamp={2}>
        {run.question}
      </Text>
      <Text size="sm" component="div">
        {waits ? <Badge variant="default">{t("run.waiting")}</Badge> : <Loader size={12} aria-hidden="true" />}{" "}
        {now?.name ?? (waits ? "" : t("run.working"))}
      </Text>
      {children.length > 0 && <Text size="sm">{t("agents.lanes", { count: children.length })}</Text>}
      <ul className="status">
        {children.map((child) => (
          <li key={child.id}>
            {child.question}{" "}
            <span className="quiet">{t(`run.status.${child.state === "finished" ? "ok" : "running"}`)}</span>
          </li>
        ))}
      </ul>
      <Open run={run} />
    </Paper>
  );
}
