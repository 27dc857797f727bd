import { ActionIcon, Group, Text, TextInput } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fn } from "../api/types";
import { Icon } from "../ui/Icon";
import type { choicesOf } from "./fields";
import type { Draft, PlanEditor } from "./usePlanDraft";

const Fields = lazy(() => import("./SchemaField").then((part) => ({ default: part.Fields })));

interface LineProps {
  step: Draft;
  place: number;
  last: boolean;
  fn: Fn | undefined;
  problems: string[];
  choices: ReturnType<typeof choicesOf>;
  /** Whether the step lacks what it needs, and that is told. */
  lacking: boolean;
  editor: PlanEditor;
  /** What the step would change. */
  children?: ReactNode;
}

/** One step of a plan: its sentence, its parameters as fields, and what moves or removes it. */
export function StepLine({ step, place, last, fn, problems, choices, lacking, editor, children }: LineProps) {
  const { t } = useTranslation();
  const [chosen, setOpen] = useState(step.added === true);
  const open = chosen || lacking;
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
        <span className={step.outdated ? "plan-words outdated" : "plan-words"}>
          {step.description || fn?.label || step.function}
        </span>
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
      {children}
      {open && (
        <div className="plan-form">
          <TextInput
            label={t("plan.description")}
            value={step.description}
            onChange={(event) => editor.word(step.key, event.currentTarget.value)}
          />
          {fn && (
            <Suspense fallback={null}>
              <Fields
                schema={fn.parameters}
                root={fn.parameters}
                values={step.parameters}
                choices={choices}
                checked={lacking}
                onChange={(parameters) => editor.fill(step.key, parameters)}
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
