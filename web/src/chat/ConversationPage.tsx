import { Button, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { client, useFiles, useMessages } from "../api/queries";
import { leaveAll, useLink } from "../run/store";
import type { RunView } from "../run/view";
import { bookQuery } from "../sheet/bookQuery";
import { Composer } from "./Composer";
import { DropZone } from "./DropZone";
import { beginDraft, putDraft } from "./drafts";
import { FilesBar } from "./FilesBar";
import { Stay } from "./reveal";
import { Start } from "./Start";
import { Turn } from "./Turn";
import { useAsking } from "./useAsking";
import { usePreviewed } from "./usePreview";
import { useScrolling } from "./useScrolling";

const FileIntro = lazy(() => import("./FileIntro").then((part) => ({ default: part.FileIntro })));
const NextQuestions = lazy(() => import("./NextQuestions").then((part) => ({ default: part.NextQuestions })));
const Panes = lazy(() => import("./Panes").then((part) => ({ default: part.Panes })));
const SavedPlan = lazy(() => import("./SavedPlan").then((part) => ({ default: part.SavedPlan })));
const workPane = () => import("../sheet/WorkPane").then((part) => ({ default: part.WorkPane }));
const WorkPane = lazy(workPane);
const WORKBOOKS = new Set(["xlsx", "csv", "xls", "ods", "tsv"]);
const SHOWN_TURNS = 10;
const IDLE_MS = 2_000;

/** A conversation: what was asked and answered, and beside it the workbook. */
export function ConversationPage({ conversation, pane }: { conversation: string; pane: boolean }) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 62em)", undefined, { getInitialValueInEffect: false });
  const [side, setSide] = useState<"chat" | "work">("chat");
  const [newest, setNewest] = useState<RunView>();
  const files = useFiles(conversation).data?.items ?? [];
  const own = conversation ? files.filter((file) => !file.run_id) : [];
  const books = own.filter((file) => WORKBOOKS.has(file.kind));
  const book = books[0]?.id ?? "";
  const previewed = usePreviewed(({ shown }) => (shown?.conversation === conversation ? shown.changes : null));
  useAhead(pane && !narrow ? book : "");
  useIdle(narrow && book !== "", workPane);
  const begin = useRef<(text: string) => void>(() => {});
  const ask = (text: string) => {
    setSide("chat");
    begin.current(text);
  };
  const chat = <Chat conversation={conversation} own={own} onView={setNewest} begin={begin} />;
  if (!book || (!pane && !narrow)) return chat;
  const work = (
    <Suspense fallback={<p className="quiet pad">{t("app.loading")}</p>}>
      <WorkPane files={books} rounds={newest?.rounds} previewed={previewed} onAsk={ask} />
    </Suspense>
  );
  if (narrow)
    return (
      <div className="one-pane">
        <SegmentedControl
          fullWidth
          value={side}
          onChange={(value) => setSide(value as "chat" | "work")}
          data={[
            { value: "chat", label: t("app.chat") },
            { value: "work", label: t("app.work") },
          ]}
        />
        <div className="pane-of-one" hidden={side !== "chat"}>
          {chat}
        </div>
        {side === "work" && <div className="pane-of-one">{work}</div>}
      </div>
    );
  return (
    <Suspense fallback={chat}>
      <Panes left={chat} right={work} />
    </Suspense>
  );
}

/** Asks for a workbook while the parts of the page that show it are still on their way. */
function useAhead(name: string): void {
  useEffect(() => {
    if (name) void client.prefetchQuery(bookQuery(name));
  }, [name]);
}

/** Gets a part of the page while nothing else is to be done: whoever turns to it does not wait for it then. */
function useIdle(wanted: boolean, get: () => Promise<unknown>): void {
  useEffect(() => {
    if (!wanted) return;
    // Safari has no idle callbacks.
    const soon = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, IDLE_MS));
    const cancel = window.cancelIdleCallback ?? clearTimeout;
    const waiting = soon(() => void get().catch(() => {}));
    return () => cancel(waiting);
  }, [wanted, get]);
}

interface ChatProps {
  conversation: string;
  own: NonNullable<ReturnType<typeof useFiles>["data"]>["items"];
  onView: (view: RunView | undefined) => void;
  /** Begins a question, which the person writes to its end. */
  begin: React.RefObject<(text: string) => void>;
}

function Chat({ conversation, own, onView, begin }: ChatProps) {
  const { t } = useTranslation();
  const messages = useMessages(conversation);
  const turns = useMemo(
    () => (messages.data ?? []).filter((entry) => entry.author === "user" && entry.run_id),
    [messages.data],
  );
  const [many, setMany] = useState(SHOWN_TURNS);
  const [edited, setEdited] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const asking = useAsking(conversation, turns);
  const link = useLink(asking.live);
  const { place, stay, settled } = useScrolling(turns.length, asking.view);
  useEffect(() => onView(asking.view), [asking.view, onView]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is watched belongs to the conversation that is left
  useEffect(() => leaveAll, [conversation]);
  useLookAgain(messages.refetch);
  /** Shows the draft that was put there, to be written on at its end. */
  const write = () => {
    setEdited((before) => before + 1);
    requestAnimationFrame(() => {
      const written = field.current;
      written?.focus();
      written?.setSelectionRange(written.value.length, written.value.length);
    });
  };
  const edit = (text: string) => {
    putDraft(conversation, text);
    write();
  };
  begin.current = (text) => {
    beginDraft(conversation, text);
    write();
  };
  const empty = turns.length === 0 && (!conversation || messages.isSuccess);
  const shown = turns.slice(-many);
  return (
    <div className="chat">
      <DropZone onFiles={asking.addFiles} />
      <Suspense fallback={null}>
        {asking.saved && conversation && (
          <SavedPlan saved={asking.saved} conversation={conversation} onClose={asking.closeSaved} />
        )}
      </Suspense>
      <div className="log-scroll" ref={place}>
        <div className="log" role="log" aria-label={t("app.chat")}>
          {empty && !own.length && <Start onFiles={asking.addFiles} onSample={asking.addSample} />}
          {/* Boundaries of their own: while what comes late loads, the turns beside it must not be taken away. */}
          <Suspense fallback={null}>
            {empty &&
              own.map((file) => <FileIntro key={file.id} file={file} onAsk={asking.ask} onReport={asking.report} />)}
          </Suspense>
          {turns.length > shown.length && (
            <Button variant="subtle" id="earlier" onClick={() => setMany(many + SHOWN_TURNS)}>
              {t("conv.earlier", { count: turns.length - shown.length })}
            </Button>
          )}
          <Stay.Provider value={stay}>
            {shown.map((entry) => (
              <Turn
                key={entry.run_id}
                run={entry.run_id ?? ""}
                question={entry.text}
                onAsk={asking.ask}
                onEdit={edit}
              />
            ))}
          </Stay.Provider>
          <Suspense fallback={null}>
            {settled && own[0] && alone(asking.view) && (
              <NextQuestions
                file={own[0].id}
                asked={turns.map((entry) => entry.text)}
                onAsk={asking.ask}
                onShown={stay}
              />
            )}
          </Suspense>
        </div>
      </div>
      <Composer
        key={`${conversation}:${edited}`}
        conversation={conversation}
        field={field}
        waitsFor={asking.waitsFor}
        running={asking.running}
        stopping={asking.stopping}
        sending={asking.sending}
        offline={link?.state === "lost"}
        onSend={asking.say}
        onStop={asking.stop}
        onFiles={asking.addFiles}
      >
        <FilesBar files={own} progress={asking.progress} />
      </Composer>
    </div>
  );
}

/** Whether a run was answered well and says nothing of what could be asked next. */
const alone = (view: RunView | undefined) =>
  view?.outcome === "completed" && !view.suggestions.length && !view.answer?.suggestions.length;

/** Looks for what was asked meanwhile elsewhere, once a person comes back to this window. */
function useLookAgain(look: () => void): void {
  useEffect(() => {
    const back = () => {
      if (!document.hidden) look();
    };
    document.addEventListener("visibilitychange", back);
    // Of two windows side by side neither is hidden.
    addEventListener("focus", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
    };
  }, [look]);
}
