import { useCallback, useEffect, useState } from "react";
import { keep, kept } from "../i18n";

const nameOf = (conversation: string) => `draft:${conversation}`;

export const putDraft = (conversation: string, text: string) => keep(nameOf(conversation), text || null);

/** Puts the beginning of a question before what is being written. */
export const beginDraft = (conversation: string, text: string) =>
  putDraft(conversation, text + (kept(nameOf(conversation)) ?? ""));

/** Takes what is being written along to the conversation that it has begun, but for what was sent. */
export function moveDraft(from: string, to: string, sent: string): void {
  const words = kept(nameOf(from)) ?? "";
  if (words.trim() && words.trim() !== sent) putDraft(to, words);
  putDraft(from, "");
}

/** Takes away of a draft what was sent. */
export function sentDraft(conversation: string, sent: string): void {
  if ((kept(nameOf(conversation)) ?? "").trim() === sent) putDraft(conversation, "");
}

/** What is being written in a conversation, how it is changed, and how what was sent of it is taken away. */
export function useDraft(conversation: string) {
  const name = nameOf(conversation);
  const [draft, setDraft] = useState(() => ({ name, text: kept(name) ?? "" }));
  useEffect(() => {
    setDraft((before) => (before.name === name ? before : { name, text: kept(name) ?? "" }));
  }, [name]);
  const write = useCallback(
    (text: string) => {
      keep(name, text || null);
      setDraft({ name, text });
    },
    [name],
  );
  /** What was written meanwhile stays. */
  const clear = useCallback(
    (sent: string) => {
      sentDraft(conversation, sent);
      setDraft((before) => (before.text.trim() === sent ? { name, text: "" } : before));
    },
    [name, conversation],
  );
  return { text: draft.name === name ? draft.text : "", write, clear };
}
