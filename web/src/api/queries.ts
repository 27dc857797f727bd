import { QueryClient, useQuery } from "@tanstack/react-query";
import { ApiError, call, id } from "./client";
import { atRest } from "./rest";
import type {
  ColumnShape,
  Connection,
  Conversation,
  Dataset,
  Fn,
  Message,
  Page,
  Readiness,
  Run,
  StoredFile,
  Workbook,
  WorkflowLine,
} from "./types";

/** What is fetched for the first time when something changes may be from before the change: it is fetched anew too. */
class PageClient extends QueryClient {
  override async invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, type: "active", fetchStatus: "fetching" })
      .filter((query) => query.state.data === undefined);
    await Promise.all(first.map((query) => query.cancel({ revert: true, silent: true })));
    return super.invalidateQueries(filters, options);
  }
}

export const client = new PageClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => !(error instanceof ApiError && error.status >= 400 && error.status < 500) && count < 2,
    },
  },
});

export const keys = {
  conversations: ["conversations"],
  messages: (conversation: string) => ["messages", conversation],
  files: (conversation: string) => ["files", conversation],
  workbook: (name: string) => ["workbook", name],
};

/** Every entry of a paged list. */
export async function all<T>(path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page<T> = await call("GET", `${path}${cursor && `&cursor=${id(cursor)}`}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

export const useConversations = (query: string) =>
  useQuery({
    queryKey: [...keys.conversations, query],
    queryFn: () => call<Page<Conversation>>("GET", `conversations?limit=100${query && `&query=${id(query)}`}`),
    placeholderData: (before) => before,
  });
export const messagesQuery = (conversation: string) => ({
  queryKey: keys.messages(conversation),
  queryFn: () => all<Message>(`conversations/${id(conversation)}/messages?limit=200`),
  enabled: conversation !== "",
  staleTime: 0,
});
export const useMessages = (conversation: string) => useQuery(messagesQuery(conversation));
export const useFiles = (conversation: string, enabled = true) =>
  useQuery({
    queryKey: keys.files(conversation),
    queryFn: () =>
      call<Page<StoredFile>>("GET", `files?limit=100${conversation && `&conversation_id=${id(conversation)}`}`),
    enabled,
  });
/** A run that goes on, as it stood when this was looked at. */
export const useRunLine = (run: string, enabled: boolean) =>
  useQuery({ queryKey: ["run", run], queryFn: () => call<Run>("GET", `runs/${id(run)}`), enabled, staleTime: 0 });
export const useProfile = (file: string, enabled = true) =>
  useQuery({
    queryKey: ["profile", file],
    queryFn: () => call<{ datasets: Dataset[] }>("GET", `files/${id(file)}/profile`),
    enabled,
    staleTime: 60_000,
  });
/** Questions that a file answers, read and tried by the service. */
export const useQuestions = (file: string, language: string) =>
  useQuery({
    queryKey: ["questions", file, language],
    queryFn: async () => {
      await atRest();
      return call<{ questions: string[] }>("GET", `files/${id(file)}/questions?language=${id(language)}`);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
export const useShapes = (file: string, table: string, enabled: boolean) =>
  useQuery({
    queryKey: ["shapes", file, table],
    queryFn: async () => {
      await atRest();
      return call<{ columns: ColumnShape[] }>("GET", `files/${id(file)}/shapes?table=${id(table)}`);
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
export const useFunctions = (language: string) =>
  useQuery({
    queryKey: ["functions", language],
    queryFn: () => call<{ functions: Fn[] }>("GET", "excel/functions"),
    staleTime: Number.POSITIVE_INFINITY,
  });
export const workbookQuery = (name: string) => ({
  queryKey: keys.workbook(name),
  queryFn: () => call<Workbook>("GET", `workbooks/${id(name)}`),
});
export const useWorkbook = (name: string, enabled: boolean) => useQuery({ ...workbookQuery(name), enabled });
export const useConnections = () =>
  useQuery({ queryKey: ["connections"], queryFn: () => call<{ items: Connection[] }>("GET", "connections") });
export const useWorkflows = () =>
  useQuery({ queryKey: ["workflows"], queryFn: () => call<Page<WorkflowLine>>("GET", "workflows?limit=100") });
export const useTemplates = (language: string) =>
  useQuery({
    queryKey: ["templates", language],
    queryFn: () => call<{ items: WorkflowLine[] }>("GET", "workflows/templates"),
  });
export const useReadiness = () =>
  useQuery({
    queryKey: ["ready"],
    // Not ready is an answer too: 503 has the same body.
    queryFn: async () => (await (await fetch("/health/ready")).json()) as Readiness,
  });
export const useCatalogue = (language: string) =>
  useQuery({
    queryKey: ["words", language],
    queryFn: () => call<Record<string, string>>("GET", `/app/words/${language}.json`),
    staleTime: Number.POSITIVE_INFINITY,
  });
