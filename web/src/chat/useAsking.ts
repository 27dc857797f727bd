import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { call, id } from "../api/client";
import { client, keys, useRunLine } from "../api/queries";
import type { Conversation, Message } from "../api/types";
import { kept, type Language } from "../i18n";
import { useRuns, watch } from "../run/store";
import { openAsks } from "../run/view";
import { fault, tried } from "../ui/say";
import { decide } from "./Asks";
import { setBegun, takeLeft } from "./begun";
import { moveDraft, putDraft, sentDraft } from "./drafts";
import { planFor, putPlan, type Saved, savedPlanOf } from "./savedPlans";
import { useUploads } from "./uploads";

/** A mode that a person chooses; without one the service finds out what is meant. */
export type Mode = "report";
export interface Asked {
  /** The conversation, where it is another than the one that is shown. */
  target?: string;
  mode?: Mode;
  /** The files that it is about; without them, all of the conversation. */
  files?: string[];
}

/** What a person does in a conversation: ask, answer, stop, bring files. A conversation begins with the first of it. */
export function useAsking(conversation: string, turns: Message[]) {
  const { i18n } = useTranslation();
  const [, go] = useLocation();
  const [sending, setSending] = useState(false);
  const [stopped, setStopped] = useState("");
  const [saved, setSaved] = useState<Saved | null>(() => planFor(conversation));
  const uploads = useUploads();
  const beginning = useRef<Promise<string> | null>(null);
  const arriving = useRef<Promise<boolean> | null>(null);
  const questions = useRef(0);
  const here = useRef(true);
  const live = turns.at(-1)?.run_id ?? "";
  const view = useRuns((state) => state.views[live]);
  const running = view !== undefined && view.state !== "finished";
  const asks = useMemo(() => (view ? openAsks(view) : []), [view]);
  const cancelling = useRunLine(live, running).data?.cancelling === true;
  useEffect(() => {
    const back = () => {
      here.current = true;
    };
    // A page that is left gives up what it was sending: that is no reason to turn to another conversation.
    const leave = () => {
      here.current = false;
    };
    back();
    addEventListener("pagehide", leave);
    addEventListener("pageshow", back);
    return () => {
      leave();
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", back);
    };
  }, []);

  const ensured = useCallback(
    async (language?: Language): Promise<string> => {
      if (conversation) return conversation;
      // It stays the one of everything that is done until the page turns to it.
      beginning.current ??= call<Conversation>("POST", "conversations", { language: language ?? i18n.language }).then(
        (made) => {
          client.invalidateQueries({ queryKey: keys.conversations });
          setBegun(made.id);
          return made.id;
        },
        (error) => {
          beginning.current = null;
          throw error;
        },
      );
      return beginning.current;
    },
    [conversation, i18n.language],
  );

  /** Turns to a conversation, unless the person has gone elsewhere meanwhile. */
  const show = useCallback(
    (place: string, sent = "") => {
      if (!here.current || place === conversation) return;
      setBegun(null);
      moveDraft(conversation, place, sent);
      go(`/c/${place}`);
    },
    [conversation, go],
  );

  useEffect(() => {
    const left = takeLeft();
    if (left && !conversation) show(left);
  }, [conversation, show]);

  /** Asks once the files that are on their way are there; where one of them did not arrive, the question stays. */
  const ask = useCallback(
    async (text: string, { target, mode, files }: Asked = {}): Promise<boolean> => {
      setSending(true);
      questions.current += 1;
      let place = target;
      let sent = false;
      try {
        if ((await arriving.current) === false) return false;
        place ??= await ensured();
        const model = kept("model");
        const approvals = kept("approvals") === "auto" ? { approvals: "auto" } : {};
        const body = { text, mode, files, ...(model ? { model } : {}), ...approvals };
        const { run_id } = await call<{ run_id: string }>("POST", `conversations/${id(place)}/messages`, body);
        sent = true;
        sentDraft(place, text);
        const shown = text || i18n.t("report.unasked");
        if (here.current) watch(run_id, shown);
        add(place, run_id, shown);
        client.invalidateQueries({ queryKey: keys.conversations });
      } catch (error) {
        fault(error);
        client.invalidateQueries({ queryKey: ["messages"] });
      } finally {
        questions.current -= 1;
        setSending(questions.current > 0);
        const begun = place ?? (await beginning.current?.catch(() => null));
        if (begun) show(begun, sent ? text : "");
      }
      return sent;
    },
    [ensured, i18n, show],
  );

  const report = useCallback((file: string) => ask("", { mode: "report", files: [file] }), [ask]);

  /** What is written while something waits is the answer to it; a plan is rejected with it. */
  const say = useCallback(
    async (text: string, mode?: Mode): Promise<boolean> => {
      const open = asks.at(-1);
      if (!open || !running) return ask(text, { mode });
      const decision = open.kind === "question" ? "answer" : "reject";
      return (await decide(live, open.request_id, { decision, text })) !== null;
    },
    [ask, asks, live, running],
  );

  /** Sends files and returns whether all of them arrived. */
  const bring = useCallback(
    async (files: File[]): Promise<boolean> => {
      const place = await tried(ensured());
      if (!place) return false;
      const plans = await Promise.all(files.map(savedPlanOf));
      const tables = files.filter((_, at) => plans[at] === null);
      const arrived = await uploads.send(tables, place);
      const plan = plans.find((each) => each !== null);
      if (plan) {
        putPlan(place, plan);
        setSaved(plan);
      }
      // A question that waits for them turns to the conversation when it has been asked.
      if (!questions.current) show(place);
      return arrived.length === tables.length;
    },
    [ensured, show, uploads.send],
  );

  const addFiles = useCallback(
    async (files: File[]) => {
      if (!files.length) return;
      const all = Promise.resolve(arriving.current).then((before) =>
        bring(files).then((arrived) => arrived && before !== false),
      );
      arriving.current = all;
      await all;
      if (arriving.current === all) arriving.current = null;
    },
    [bring],
  );

  const addSample = useCallback(
    async (language: Language, question: string) => {
      const place = await tried(ensured(language));
      if (!place) return;
      // A page that is left before the file is there has the question still to ask.
      if (question) putDraft(place, question);
      if (!(await tried(call("POST", "samples", { conversation_id: place }, language)))) return;
      client.invalidateQueries({ queryKey: ["files"] });
      if (question) await ask(question, { target: place });
      else show(place);
    },
    [ask, ensured, show],
  );

  const stop = useCallback(async () => {
    setStopped(live);
    if (!(await tried(call("POST", `runs/${id(live)}/cancel`, {})))) setStopped("");
  }, [live]);

  const waitsFor = !running || !asks.length ? "nothing" : asks.at(-1)?.kind === "question" ? "answer" : "plan";
  return {
    ask,
    report,
    say,
    stop,
    addFiles,
    addSample,
    view,
    running,
    sending,
    stopping: running && (stopped === live || cancelling),
    waitsFor: waitsFor as "nothing" | "answer" | "plan",
    progress: uploads.progress,
    saved,
    closeSaved: () => {
      putPlan(conversation, null);
      setSaved(null);
    },
    live,
  };
}

/** Shows a question that was taken, before the list of messages is there that has it. */
export function add(conversation: string, run: string, text: string): void {
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
  // A list that was asked for before the question would come without it, and take it away again.
  client.invalidateQueries({ queryKey: keys.messages(conversation) });
}
