import { NativeSelect, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../api/client";
import { client, useTemplates, useWorkflows } from "../api/queries";
import type { WorkflowLine } from "../api/types";
import { inLanguage } from "../ui/bilingual";
import { tried } from "../ui/say";
import { Part } from "./Part";

const KEY = ["workflow-settings"];
const BUILTIN = "builtin";
const NOBODY = "none";

interface Shared {
  default: string | null;
  enabled: boolean | null;
}
interface Choices {
  own: ("user" | "tenant" | "system")[];
  fallback: string | null;
  tenant: Shared;
  system: Shared;
  effective: { enabled: boolean; workflow: string | null };
}

/** Whether workflows take questions, and who answers where none fits: for oneself, and for all by operators. */
export function Workflows() {
  const { t, i18n } = useTranslation();
  const chosen = useQuery({ queryKey: KEY, queryFn: () => call<Choices>("GET", "workflows/settings") });
  const stored = useWorkflows().data?.items ?? [];
  const templates = useTemplates(i18n.language).data?.items ?? [];
  if (!chosen.data) return null;
  const { own, fallback, tenant, system, effective } = chosen.data;
  const change = async (wanted: object) => {
    await tried(call("PUT", "workflows/settings", wanted));
    client.invalidateQueries({ queryKey: KEY });
  };
  const published = stored.filter((line) => line.published !== null);
  const shared = published.filter((line) => line.visibility === "public");
  return (
    <Part title={t("nav.workflows")}>
      <Stack gap="sm">
        <Switch
          label={t("settings.workflows")}
          checked={effective.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <Responder
          label={t("settings.fallback")}
          open={t("settings.fallbackOpen")}
          value={fallback}
          lines={[...published, ...templates]}
          onChange={(value) => change({ fallback: value })}
        />
        {own.includes("tenant") && (
          <Responder
            label={t("settings.tenantDefault")}
            open={t("settings.tenantOpen")}
            value={tenant.default}
            lines={[...shared, ...templates]}
            nobody
            onChange={(value) => change({ tenant: { default: value } })}
          />
        )}
        {own.includes("system") && (
          <Responder
            label={t("settings.systemDefault")}
            open={t("settings.systemOpen")}
            value={system.default}
            lines={templates}
            nobody
            onChange={(value) => change({ system: { default: value } })}
          />
        )}
      </Stack>
    </Part>
  );
}

function Responder(props: {
  label: string;
  /** What it means that nothing is chosen here. */
  open: string;
  value: string | null;
  lines: WorkflowLine[];
  /** Whether it can be said that nobody answers. */
  nobody?: boolean;
  onChange: (value: string | null) => void;
}) {
  const { t, i18n } = useTranslation();
  const data = [
    { value: "", label: props.open },
    { value: BUILTIN, label: t("settings.builtinWorkflow") },
    ...props.lines.map((line) => ({ value: line.id, label: inLanguage(line.name, i18n.language) })),
    ...(props.nobody ? [{ value: NOBODY, label: t("settings.nobody") }] : []),
  ];
  // A choice may be of a workflow that is not there any more.
  const gone = props.value !== null && !data.some((each) => each.value === props.value);
  if (gone) data.push({ value: props.value ?? "", label: t("settings.goneWorkflow") });
  return (
    <NativeSelect
      label={props.label}
      data={data}
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  );
}
