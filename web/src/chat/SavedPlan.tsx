import { Alert, Button, Group, Modal, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import type { Notice, PlanStep, Round } from "../api/types";
import { told } from "../ui/notices";
import { tried } from "../ui/say";
import { Changes } from "./Rounds";
import type { Saved } from "./savedPlans";

interface Fitted {
  steps: PlanStep[];
  base_version: number;
  differences: Notice[];
  problems: Notice[][];
  losses: Notice[];
}

/** A plan that was saved before, as it would be done on the workbook of this conversation: shown first, then run. */
export function SavedPlan({
  saved,
  conversation,
  onClose,
}: {
  saved: Saved;
  conversation: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [fitted, setFitted] = useState<Fitted | null>(null);
  const [round, setRound] = useState<Round | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    call<Fitted>("POST", `workbooks/${id(conversation)}/fit`, { plan: saved.plan }).then(setFitted, (error: Error) =>
      setFault(error.message),
    );
  }, [conversation, saved.plan]);
  const run = async () => {
    const body = { plan: saved.plan, base_version: fitted?.base_version };
    setRound(await tried(call<Round>("POST", `workbooks/${id(conversation)}/apply`, body)));
    client.invalidateQueries({ queryKey: ["workbook"] });
    client.invalidateQueries({ queryKey: ["files"] });
  };
  const differs = fitted !== null && fitted.differences.length > 0;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("saved.title", { name: saved.name })}
      closeButtonProps={{ "aria-label": t("app.close") }}
    >
      {fault && <Alert color="red">{fault}</Alert>}
      {differs && <Alert color="orange">{t("saved.differs", { why: fitted.differences.map(told).join(" ") })}</Alert>}
      {fitted && !differs && (
        <>
          <ol className="plan-steps">
            {fitted.steps.map((step, place) => (
              <li key={step.step}>
                {step.description || step.function}
                {fitted.problems[place]?.map((problem) => (
                  <Text key={problem.code} size="sm" className="red">
                    {told(problem)}
                  </Text>
                ))}
              </li>
            ))}
          </ol>
          {fitted.losses.map((loss) => (
            <Text key={loss.code} size="sm" c="dimmed">
              {told(loss)}
            </Text>
          ))}
          <Group>
            <Button onClick={run} disabled={round !== null}>
              {t(round ? "saved.done" : "saved.run")}
            </Button>
          </Group>
        </>
      )}
      {round?.changes.map((changes) => (
        <Changes key={changes.sheet} changes={changes} />
      ))}
    </Modal>
  );
}
