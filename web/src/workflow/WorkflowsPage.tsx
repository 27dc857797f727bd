import { ActionIcon, Anchor, Badge, Button, FileButton, Group, Paper, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { call, id } from "../api/client";
import { client, useTemplates, useWorkflows } from "../api/queries";
import type { WorkflowLine } from "../api/types";
import { KINDS } from "../chat/Composer";
import { flowConversation, runFlow } from "../chat/flows";
import { useUploads } from "../chat/uploads";
import { inLanguage } from "../ui/bilingual";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";

const again = () => client.invalidateQueries({ queryKey: ["workflows"] });

/** Workflows: one's own and public ones, and templates to begin with; a run of one is a conversation. */
export function WorkflowsPage() {
  const { t, i18n } = useTranslation();
  const own = useWorkflows();
  const templates = useTemplates(i18n.language);
  return (
    <div className="screen-scroll">
      <main className="screen">
        <Title order={2}>{t("workflows.title")}</Title>
        <Text c="dimmed" mb="md">
          {t("workflows.intro")}
        </Text>
        <Title order={3} size="h4" mb="xs">
          {t("workflows.mine")}
        </Title>
        {own.isSuccess && own.data.items.length === 0 && <Text c="dimmed">{t("workflows.none")}</Text>}
        {own.data?.items.map((line) => (
          <WorkflowCard key={line.id} line={line} template={false} />
        ))}
        <Title order={3} size="h4" mt="xl" mb="xs">
          {t("workflows.templates")}
        </Title>
        {templates.data?.items.map((line) => (
          <WorkflowCard key={line.id} line={line} template />
        ))}
      </main>
    </div>
  );
}

function WorkflowCard({ line, template }: { line: WorkflowLine; template: boolean }) {
  const { t, i18n } = useTranslation();
  const [, go] = useLocation();
  const name = inLanguage(line.name, i18n.language);
  const uploads = useUploads();
  const text = line.examples[0] ?? line.name;
  const run = async (conversation?: string) => {
    const started = await tried(runFlow(line.id, { text, conversation_id: conversation }));
    if (started || conversation) go(`/c/${started?.conversation_id ?? conversation}`);
  };
  const runOn = async (files: File[]) => {
    if (!files.length) return;
    const made = await tried(flowConversation(name));
    if (made && (await uploads.send(files, made.id)).length === files.length) await run(made.id);
  };
  const publish = async () => {
    if ((await tried(call("POST", `workflows/${id(line.id)}/publish`, {}))) !== null) again();
  };
  const remove = async () => {
    if (!confirm(t("workflows.removeSure", { name }))) return;
    await tried(call("DELETE", `workflows/${id(line.id)}`));
    again();
  };
  const begin = async () => {
    if ((await tried(call("POST", "workflows", { template: line.id }))) !== null) again();
  };
  const runs = template || line.published !== null;
  return (
    <Paper withBorder p="sm" mb="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>
            <Anchor href={`#/workflows/${id(line.id)}`} inherit>
              {name}
            </Anchor>{" "}
            {!template && (
              <Badge variant="default" size="sm">
                {line.published ? t("workflows.version", { number: line.published }) : t("workflows.draft")}
              </Badge>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {inLanguage(line.description, i18n.language)}
          </Text>
          <Text role="status" size="sm" c="dimmed">
            {uploads.progress}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {runs && (
            <Button size="compact-sm" onClick={() => run()} aria-label={`${t("workflows.run")}: ${name}`}>
              {t("workflows.run")}
            </Button>
          )}
          {runs && (
            <FileButton onChange={runOn} accept={KINDS} multiple>
              {(button) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={uploads.progress !== ""}
                  aria-label={`${t("workflows.runOn")}: ${name}`}
                  {...button}
                >
                  {t("workflows.runOn")}
                </Button>
              )}
            </FileButton>
          )}
          {template && (
            <Button size="compact-sm" variant="default" onClick={begin}>
              {t("workflows.use")}
            </Button>
          )}
          {!template && line.mine && (
            <>
              <Button size="compact-sm" variant="default" onClick={publish}>
                {t("workflows.publish")}
              </Button>
              <ActionIcon variant="subtle" color="gray" aria-label={t("files.remove", { name })} onClick={remove}>
                <Icon name="trash" size={16} />
              </ActionIcon>
            </>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
