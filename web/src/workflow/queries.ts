import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call, id } from "../api/client";
import { useTemplates } from "../api/queries";
import type { Page, Schema } from "../api/types";
import type { Definition, RunLine, Schedule, StoredFlow } from "./types";

const SHOWN = 20;
const LOOK_MS = 5000;

export const flowKey = (flow: string) => ["workflow", flow];

/** A stored workflow; a template, which is not stored, is found among the templates. */
export function useFlow(flow: string, language: string) {
  const templates = useTemplates(language);
  const template = templates.data?.items.find((each) => each.id === flow);
  const own = useQuery({
    queryKey: flowKey(flow),
    queryFn: () => call<StoredFlow>("GET", `workflows/${id(flow)}`),
    enabled: templates.isFetched && !template,
    retry: false,
  });
  return { flow: own.data ?? null, template: template ?? null, absent: own.isError };
}

export const useFlowRuns = (flow: string) =>
  useInfiniteQuery({
    queryKey: [...flowKey(flow), "runs"],
    queryFn: ({ pageParam }) =>
      call<Page<RunLine>>("GET", `workflows/${id(flow)}/runs?limit=${SHOWN}${pageParam && `&cursor=${id(pageParam)}`}`),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((run) => run.state !== "finished")) ? LOOK_MS : false,
  });

export const useSchedules = () =>
  useQuery({ queryKey: ["schedules"], queryFn: () => call<{ items: Schedule[] }>("GET", "schedules") });

/** What a run began with: its workflow may have changed since. */
export const useRunDefinition = (run: string) =>
  useQuery({
    queryKey: ["run-definition", run],
    queryFn: () => call<{ workflow_id: string; definition: Definition }>("GET", `runs/${id(run)}/workflow`),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useDefinitionSchema = () =>
  useQuery({
    queryKey: ["definition-schema"],
    queryFn: () => call<Schema>("GET", "workflows/schema"),
    staleTime: Number.POSITIVE_INFINITY,
  });
