import i18n from "i18next";
import { call, id } from "../api/client";
import { client, keys } from "../api/queries";
import type { Conversation } from "../api/types";
import type { RunView } from "../run/view";
import { add } from "./useAsking";

interface Started {
  run_id: string;
  conversation_id: string;
}
interface Wanted {
  text: string;
  conversation_id?: string;
}

/** Begins a run of a workflow, in a conversation of its own where none is named: its files are what it works on. */
export async function runFlow(flow: string, wanted: Wanted): Promise<Started> {
  const started = await call<Started>("POST", `workflows/${id(flow)}/run`, { ...wanted, language: i18n.language });
  client.invalidateQueries({ queryKey: keys.conversations });
  return started;
}

/** A conversation for a run that is given files first. */
export const flowConversation = (title: string) =>
  call<Conversation>("POST", "conversations", { title, language: i18n.language });

/** Runs the workflow of a run again, in its conversation and with what has been brought to it meanwhile. */
export async function rerunFlow(view: RunView): Promise<void> {
  const { workflow_id } = await call<{ workflow_id: string }>("GET", `runs/${id(view.id)}/workflow`);
  const started = await runFlow(workflow_id, { text: view.question, conversation_id: view.conversation });
  add(started.conversation_id, started.run_id, view.question);
  location.hash = `#/c/${started.conversation_id}`;
}
