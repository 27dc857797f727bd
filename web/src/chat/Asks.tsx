import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import type { Decision, Schema } from "../api/types";
import { type Ask, openAsks, type RunView, repliesOf } from "../run/view";
import { tried } from "../ui/say";
import { Readings } from "./Readings";

const PlanBox = lazy(() => import("./PlanBox").then((part) => ({ default: part.PlanBox })));
const Fields = lazy(() => import("./SchemaField").then((part) => ({ default: part.Fields })));

/** Sends what a person has decided about a request of a run. */
export const decide = (run: string, ask: string, decision: Decision) =>
  tried(call("POST", `runs/${id(run)}/requests/${id(ask)}`, decision));

/** What a person replied, and everything that a run still asks: several may wait at once, each is answered by itself. */
export function Asks({ view }: { view: RunView }) {
  return (
    <>
      {repliesOf(view).map(({ ask, text }) => (
        <div key={ask.request_id} className="reply">
          <Text size="sm" c="dimmed" className="as-written">
            {ask.prompt}
          </Text>
          <div className="user-turn">
            <p>{text}</p>
          </div>
        </div>
      ))}
      {openAsks(view).map((ask) => (
        <OpenAsk key={ask.request_id} ask={ask} view={view} />
      ))}
    </>
  );
}

function OpenAsk({ ask, view }: { ask: Ask; view: RunView }) {
  const [busy, setBusy] = useState(false);
  const answer = async (decision: Decision) => {
    setBusy(true);
    await decide(view.id, ask.request_id, decision);
    setBusy(false);
  };
  const plan = view.plans[ask.request_id];
  if (plan && ask.kind === "approval")
    return (
      <Suspense fallback={null}>
        <PlanBox plan={plan} conversation={view.conversation} busy={busy} onDecide={answer} />
      </Suspense>
    );
  return (
    <Paper withBorder p="md" className="ask" role="group" aria-label={ask.prompt}>
      <Text fw={600} className="as-written">
        {ask.prompt}
      </Text>
      {ask.kind === "question" ? (
        <Question ask={ask} busy={busy} onAnswer={answer} />
      ) : (
        <YesNo ask={ask} busy={busy} onAnswer={answer} />
      )}
    </Paper>
  );
}

interface AskProps {
  ask: Ask;
  busy: boolean;
  onAnswer: (decision: Decision) => void;
}

function YesNo({ ask, busy, onAnswer }: AskProps) {
  const { t } = useTranslation();
  const goesOn = ask.kind === "continue";
  return (
    <Group gap="xs" mt="sm">
      <Button disabled={busy} onClick={() => onAnswer({ decision: "approve" })}>
        {t(goesOn ? "ask.goOn" : "ask.approve")}
      </Button>
      <Button variant="default" disabled={busy} onClick={() => onAnswer({ decision: "reject" })}>
        {t(goesOn ? "ask.enough" : "ask.reject")}
      </Button>
    </Group>
  );
}

function Question({ ask, busy, onAnswer }: AskProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(ask.default ?? "");
  const [values, setValues] = useState<Record<string, unknown>>({});
  const form = ask.schema?.properties ? (ask.schema as Schema) : null;
  const options = ask.options ?? [];
  const readings = ask.readings ?? [];
  const said = (words: string) => onAnswer({ decision: "answer", text: words });
  const send = () =>
    onAnswer(form ? { decision: "answer", text: text || undefined, values } : { decision: "answer", text });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {readings.length > 0 && (
        <Readings readings={readings} onChoose={(reading, place) => said(options[place] ?? reading.text)} />
      )}
      {readings.length === 0 && options.length > 0 && (
        <Group gap="xs" mt="sm">
          {options.map((option) => (
            <Button key={option} variant="default" className="wrapping" disabled={busy} onClick={() => said(option)}>
              {option}
            </Button>
          ))}
        </Group>
      )}
      {form ? (
        <Suspense fallback={null}>
          <Fields
            schema={form}
            root={form}
            values={values}
            choices={{ sheets: [], columns: [] }}
            onChange={setValues}
          />
        </Suspense>
      ) : (
        <TextInput
          mt="sm"
          aria-label={ask.prompt}
          placeholder={options.length ? t("ask.other") : undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Button mt="xs" type="submit" disabled={busy || (!form && !text.trim())}>
        {t("ask.send")}
      </Button>
    </form>
  );
}
