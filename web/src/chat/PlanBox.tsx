import { ActionIcon, Button, Group, NativeSelect, Paper, Text, Textarea, TextInput } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { client, useFunctions, useWorkbook, workbookQuery } from "../api/queries";
import type { Decision, Fn, OperationPlan, PlanStep } from "../api/types";
import { Icon } from "../ui/Icon";
import { told } from "../ui/notices";
import { blankObject, choicesOf } from "./fields";

const Fields = lazy(() => import("./SchemaField").then((part) => ({ default: part.Fields })));

interface Draft extends PlanStep {
  key: number;
}
interface Props {
  plan: OperationPlan;
  conversation: string;
  busy: boolean;
  onDecide: (decision: Decision) => void;
}

/** A plan that waits for a person: numbered sentences, which can be changed, moved and left out before they are agreed to. */
export function PlanBox({ plan, conversation, busy, onDecide }: Props) {
  const { t } = useTranslation();
  const editor = useDraft(plan);
  const [words, setWords] = useState("");
  const book = useWorkbook(conversation, true).data;
  const functions = useFunctions().data?.functions ?? [];
  const touched = [
    ...new Set(editor.steps.map((step) => step.parameters.sheet).filter((sheet) => typeof sheet === "string")),
  ];
  const agree = async () => {
    // What a person has just edited by hand is known to them: their edit is no reason to plan anew.
    const now = await client
      .fetchQuery({ ...workbookQuery(conversation), staleTime: Number.POSITIVE_INFINITY })
      .catch(() => book);
    const values = now ? { values: { base_version: now.version } } : {};
    onDecide({
      decision: "approve",
      ...values,
      ...(editor.changed ? { plan: { execution_plan: editor.written() } } : {}),
    });
  };
  return (
    <Paper withBorder p="md" className="plan-box" component="section" aria-label={t("plan.title")}>
      <Text fw={600}>{t("plan.title")}</Text>
      <Text size="sm" c="dimmed">
        {t("plan.intro")} {touched.length > 0 && t("plan.touches", { sheets: touched.join(", ") })}
      </Text>
      <ol className="plan-steps">
        {editor.steps.map((step, place) => (
          <StepLine
            key={step.key}
            step={step}
            place={place}
            last={place === editor.steps.length - 1}
            fn={functions.find((each) => each.name === step.function)}
            problems={(plan.problems[step.key] ?? []).map(told)}
            choices={choicesOf(book)}
            editor={editor}
          />
        ))}
      </ol>
      {editor.steps.length === 0 && <Text size="sm">{t("plan.empty")}</Text>}
      <AddStep functions={functions} onAdd={editor.add} />
      <Group mt="sm" gap="xs">
        <Button onClick={agree} disabled={busy || editor.steps.length === 0} data-autofocus>
          {t("plan.run")}
        </Button>
        <Button variant="default" onClick={() => onDecide({ decision: "reject" })} disabled={busy}>
          {t("plan.reject")}
        </Button>
      </Group>
      <Group mt="sm" gap="xs" align="flex-end" className="replan">
        <Textarea
          label={t("plan.rejectWords")}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          autosize
          minRows={1}
          maxRows={4}
        />
        <Button
          variant="default"
          disabled={busy || !words.trim()}
          onClick={() => onDecide({ decision: "reject", text: words.trim() })}
        >
          {t("plan.replan")}
        </Button>
      </Group>
    </Paper>
  );
}

type Editor = ReturnType<typeof useDraft>;

function useDraft(plan: OperationPlan) {
  const [steps, setSteps] = useState<Draft[]>(() => plan.steps.map((step, key) => ({ ...step, key })));
  const [changed, setChanged] = useState(false);
  const next = useRef(plan.steps.length);
  const change = (made: Draft[]) => {
    setChanged(true);
    setSteps(made);
  };
  return {
    steps,
    changed,
    move(place: number, by: number) {
      const made = [...steps];
      made.splice(place + by, 0, ...made.splice(place, 1));
      change(made);
    },
    remove: (key: number) => change(steps.filter((step) => step.key !== key)),
    put: (key: number, part: Partial<PlanStep>) =>
      change(steps.map((step) => (step.key === key ? { ...step, ...part } : step))),
    add(fn: Fn) {
      const parameters = blankObject(fn.parameters, fn.parameters);
      const step = {
        step: steps.length + 1,
        function: fn.name,
        parameters,
        description: fn.description,
        key: next.current,
      };
      next.current += 1;
      change([...steps, step]);
    },
    written: (): PlanStep[] =>
      steps.map(({ function: name, parameters, description }, place) => ({
        step: place + 1,
        function: name,
        parameters,
        description,
      })),
  };
}

interface LineProps {
  step: Draft;
  place: number;
  last: boolean;
  fn: Fn | undefined;
  problems: string[];
  choices: ReturnType<typeof choicesOf>;
  editor: Editor;
}

function StepLine({ step, place, last, fn, problems, choices, editor }: LineProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const line = useRef<HTMLLIElement>(null);
  const number = place + 1;
  /** Who moves a step by keys moves it on by the same key, or back where it can go no further. */
  const move = (by: -1 | 1) => {
    editor.move(place, by);
    requestAnimationFrame(() => {
      const ways = [...(line.current?.querySelectorAll<HTMLButtonElement>(".move") ?? [])];
      (by < 0 ? ways : ways.reverse()).find((way) => !way.disabled)?.focus();
    });
  };
  return (
    <li ref={line}>
      <div className="plan-line">
        <span className="plan-words">{step.description || fn?.description || step.function}</span>
        <Group gap={2} wrap="nowrap">
          <Tool
            name="pencil"
            label={t("plan.change", { step: number })}
            onClick={() => setOpen(!open)}
            pressed={open}
          />
          <Tool
            name="up"
            label={t("plan.up", { step: number })}
            className="move"
            disabled={place === 0}
            onClick={() => move(-1)}
          />
          <Tool
            name="down"
            label={t("plan.down", { step: number })}
            className="move"
            disabled={last}
            onClick={() => move(1)}
          />
          <Tool name="trash" label={t("plan.remove", { step: number })} onClick={() => editor.remove(step.key)} />
        </Group>
      </div>
      {problems.map((problem) => (
        <Text key={problem} size="sm" className="red">
          {problem}
        </Text>
      ))}
      {open && (
        <div className="plan-form">
          <TextInput
            label={t("plan.description")}
            value={step.description}
            onChange={(event) => editor.put(step.key, { description: event.currentTarget.value })}
          />
          {fn && (
            <Suspense fallback={null}>
              <Fields
                schema={fn.parameters}
                root={fn.parameters}
                values={step.parameters}
                choices={choices}
                onChange={(parameters) => editor.put(step.key, { parameters })}
              />
            </Suspense>
          )}
        </div>
      )}
    </li>
  );
}

interface ToolProps {
  name: "pencil" | "up" | "down" | "trash";
  label: string;
  onClick: () => void;
  className?: string;
  disabled?: boolean;
  pressed?: boolean;
}
const Tool = ({ name, label, pressed, ...rest }: ToolProps) => (
  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} title={label} aria-pressed={pressed} {...rest}>
    <Icon name={name} size={15} />
  </ActionIcon>
);

function AddStep({ functions, onAdd }: { functions: Fn[]; onAdd: (fn: Fn) => void }) {
  const { t } = useTranslation();
  const data = functions.map((fn) => ({
    value: fn.name,
    label: `${fn.name.replace(/_/g, " ")} – ${fn.description.split(/[.;]/)[0]}`,
  }));
  return (
    <NativeSelect
      size="xs"
      className="add-step"
      aria-label={t("plan.add")}
      value=""
      data={[{ value: "", label: t("plan.add") }, ...data]}
      onChange={(event) => {
        const fn = functions.find((each) => each.name === event.currentTarget.value);
        if (fn) onAdd(fn);
      }}
    />
  );
}
