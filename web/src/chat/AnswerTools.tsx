import { Button, Group, Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import type { RunView } from "../run/view";
import { Icon } from "../ui/Icon";
import { note, tried } from "../ui/say";

/** What can be done with an answer: copy it, take it away, keep it as a workflow. */
export function AnswerTools({ view }: { view: RunView }) {
  const { t } = useTranslation();
  if (view.outcome !== "completed" || !view.answer) return null;
  const run = `/api/v1/runs/${id(view.id)}`;
  const coded = Object.values(view.steps).some((step) => step.code);
  const copy = async () => {
    await navigator.clipboard.writeText(view.answer?.text ?? "");
    note(t("run.copied"));
  };
  const workflow = async () => {
    const made = await tried(call("POST", `conversations/${id(view.conversation)}/workflow`, {}));
    if (made) note(t("run.asWorkflowDone"));
  };
  return (
    <Group gap={4} className="answer-tools">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<Icon name="copy" size={14} />}
        onClick={copy}
      >
        {t("run.copy")}
      </Button>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-xs" variant="subtle" color="gray" leftSection={<Icon name="download" size={14} />}>
            {t("run.export")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {coded && (
            <>
              <Menu.Item component="a" href={`${run}/export.ipynb`} download="">
                {t("run.notebook")}
              </Menu.Item>
              <Menu.Item component="a" href={`${run}/export.py`} download="">
                {t("run.script")}
              </Menu.Item>
            </>
          )}
          <Menu.Item component="a" href={`${run}/export.html`} download="">
            {t("run.webPage")}
          </Menu.Item>
          <Menu.Item component="a" href={`${run}/report.docx`} download="">
            {t("run.reportWord")}
          </Menu.Item>
          <Menu.Item component="a" href={`${run}/report.pdf`} download="">
            {t("run.reportPdf")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<Icon name="flow" size={14} />}
        onClick={workflow}
      >
        {t("run.asWorkflow")}
      </Button>
    </Group>
  );
}
