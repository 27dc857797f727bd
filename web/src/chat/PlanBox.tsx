import { Button, Group, NativeSelect, Paper, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { client, useFunctions, useWorkbook, workbookQuery } from "../api/queries";
import type { Decision, Fn, OperationPlan, PlanStep } from "../api/types";
import { told } from "../ui/notices";
import { choicesOf, incomplete } from "./fields";
import { PreviewOffer, StepChanges } from "./PlanPreview";
import { StepLine } from "./PlanStepLine";
import { usePlanDraft } from "./usePlanDraft";
import { usePreview } from "./usePreview";

interface Props {
  plan: OperationPlan;
  conversation: string;
  busy: boolean;
  onDecide: (decision: Decision) => void;
}

/** A plan that waits for a person: numbered sentences, which can be changed, moved and left out before they are agreed to. */
export function PlanBox({ plan, conversation, busy, onDecide }: Props) {
  const { t, i18n } = useTranslation();
  const editor = usePlanDraft(plan, conversation);
  const [words, setWords] = useState("");
  const book = useWorkbook(conversation, true).data;
  const functions = useFunctions(i18n.language).data?.functions ?? [];
  const functionOf = (step: PlanStep) => functions.find((each) => each.name === step.function);
  const lacking = editor.steps.filter((step) => {
    const schema = functionOf(step)?.parameters;
    return schema !== undefined && incomplete(schema, schema, step.parameters);
  });
  const [checked, setChecked] = useState(false);
  const preview = usePreview(conversation, book?.version, lacking.length ? [] : editor.written());
  const touched = [
    ...new Set(editor.steps.map((step) => step.parameters.sheet).filter((sheet) => typeof sheet === "string")),
  ];
  const decide = (decision: Decision) => {
    editor.decided();
    onDecide(decision);
  };
  const agree = async () => {
    setChecked(true);
    if (lacking.length) return;
    // What a person has just edited by hand is known to them: their edit is no reason to plan anew.
    const now = await client
      .fetchQuery({ ...workbookQuery(conversation), staleTime: Number.POSITIVE_INFINITY })
      .catch(() => book);
    const values = now ? { values: { base_version: now.version } } : {};
    const plan = editor.changed ? { plan: { execution_plan: editor.written(await editor.sentences()) } } : {};
    decide({ decision: "approve", ...values, ...plan });
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
            fn={functionOf(step)}
            problems={(plan.problems[step.key] ?? []).map(told)}
            choices={choicesOf(book)}
            lacking={checked && lacking.includes(step)}
            editor={editor}
          >
            <StepChanges preview={preview} place={place} conversation={conversation} />
          </StepLine>
        ))}
      </ol>
      {editor.steps.length === 0 && <Text size="sm">{t("plan.empty")}</Text>}
      <PreviewOffer preview={preview} />
      {checked && lacking.length > 0 && (
        <Text size="sm" className="red" role="alert">
          {t("plan.lacks", { steps: lacking.map((step) => editor.steps.indexOf(step) + 1).join(", ") })}
        </Text>
      )}
      <AddStep functions={functions} onAdd={editor.add} />
      <Group mt="sm" gap="xs">
        <Button onClick={agree} disabled={busy || editor.steps.length === 0} data-autofocus>
          {t("plan.run")}
        </Button>
        <Button variant="default" onClick={() => decide({ decision: "reject" })} disabled={busy}>
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
          onClick={() => decide({ decision: "reject", text: words.trim() })}
        >
          {t("plan.replan")}
        </Button>
      </Group>
    </Paper>
  );
}

function AddStep({ functions, onAdd }: { functions: Fn[]; onAdd: (fn: Fn) => void }) {
  const { t } = useTranslation();
  const data = functions.map((fn) => ({ value: fn.name, label: `${fn.label} – ${fn.description}` }));
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
