import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { call, id } from "../api/client";
import { client, keys } from "../api/queries";
import type { Conversation, Message } from "../api/types";
import { kept, type Language } from "../i18n";
import { useRuns, watch } from "../run/store";
import { openAsks } from "../run/view";
import { fault, tried } from "../ui/say";
import { decide } from "./Asks";
import { type Saved, savedPlanOf } from "./savedPlans";
import { useUploads } from "./uploads";

/** What a person does in a conversation: ask, answer, stop, bring files. A conversation begins with the first of it. */
export function useAsking(conversation: string, turns: Message[]) {
  const { i18n } = useTranslation();
  const [, go] = useLocation();
  const [sending, setSending] = useState(false);
  const [stopped, setStopped] = useState("");
  const [saved, setSaved] = useState<Saved | null>(null);
  const uploads = useUploads();
  const beginning = useRef<Promise<string> | null>(null);
  const live = turns.at(-1)?.run_id ?? "";
  const view = useRuns((state) => state.views[live]);
  const running = view !== undefined && view.state !== "finished";
  const asks = useMemo(() => (view ? openAsks(view) : []), [view]);

  const ensured = useCallback(
    async (language?: Language): Promise<string> => {
      if (conversation) return conversation;
      beginning.current ??= call<Conversation>("POST", "conversations", { language: language ?? i18n.language })
        .then((made) => {
          client.invalidateQueries({ queryKey: keys.conversations });
          return made.id;
        })
        .finally(() => {
          beginning.current = null;
        });
      return beginning.current;
    },
    [conversation, i18n.language],
  );

  const ask = useCallback(
    async (text: string, target?: string): Promise<boolean> => {
      setSending(true);
      try {
        const place = target ?? (await ensured());
        const model = kept("model");
        const approvals = kept("approvals") === "auto" ? { approvals: "auto" } : {};
        const body = { text, ...(model ? { model } : {}), ...approvals };
        const { run_id } = await call<{ run_id: string }>("POST", `conversations/${id(place)}/messages`, body);
        watch(run_id, text);
        add(place, run_id, text);
        go(`/c/${place}`);
        client.invalidateQueries({ queryKey: keys.conversations });
        return true;
      } catch (error) {
        fault(error);
        client.invalidateQueries({ queryKey: ["messages"] });
        return false;
      } finally {
        setSending(false);
      }
    },
    [ensured, go],
  );

  /** What is written while something waits is the answer to it; a plan is rejected with it. */
  const say = useCallback(
    async (text: string): Promise<boolean> => {
      const open = asks.at(-1);
      if (!open || !running) return ask(text);
      const decision = open.kind === "question" ? "answer" : "reject";
      return (await decide(live, open.request_id, { decision, text })) !== null;
    },
    [ask, asks, live, running],
  );

  const addFiles = useCallback(
    async (files: File[]) => {
      if (!files.length) return;
      const place = await tried(ensured());
      if (!place) return;
      const plans = await Promise.all(files.map(savedPlanOf));
      await uploads.send(
        files.filter((_, at) => plans[at] === null),
        place,
      );
      go(`/c/${place}`);
      const plan = plans.find((each) => each !== null);
      if (plan) setSaved(plan);
    },
    [ensured, go, uploads.send],
  );

  const addSample = useCallback(
    async (language: Language, question: string) => {
      const place = await tried(ensured(language));
      if (!place || !(await tried(call("POST", "samples", { conversation_id: place }, language)))) return;
      client.invalidateQueries({ queryKey: ["files"] });
      if (question) await ask(question, place);
      else go(`/c/${place}`);
    },
    [ask, ensured, go],
  );

  const stop = useCallback(async () => {
    setStopped(live);
    if (!(await tried(call("POST", `runs/${id(live)}/cancel`, {})))) setStopped("");
  }, [live]);

  const waitsFor = !running || !asks.length ? "nothing" : asks.at(-1)?.kind === "question" ? "answer" : "plan";
  return {
    ask,
    say,
    stop,
    addFiles,
    addSample,
    view,
    running,
    sending,
    stopping: stopped === live && running,
    waitsFor: waitsFor as "nothing" | "answer" | "plan",
    progress: uploads.progress,
    saved,
    setSaved,
    live,
  };
}

function add(conversation: string, run: string, text: string): void {
  client.setQueryData<Message[]>(keys.messages(conversation), (known = []) => [
    ...known,
    {
      id: run,
      ordinal: (known.at(-1)?.ordinal ?? 0) + 1,
      author: "user",
      text,
      run_id: run,
      created_at: new Date().toISOString(),
    },
  ]);
}
