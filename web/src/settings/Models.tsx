import { Alert, Autocomplete, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../api/client";
import { useReadiness } from "../api/queries";
import { keep, kept } from "../i18n";
import { tried } from "../ui/say";
import { ModelKey } from "./ModelKey";
import { Part } from "./Part";

/** What came of a call of a model: see the server's `ModelTestOut`. */
interface ModelTest {
  ok: boolean;
  model: string;
  elapsed_ms: number;
  error: { code: string; message: string } | null;
}
/** Errors that another key may mend. */
const KEYED = new Set(["model_not_set_up", "model_rejected"]);

/** The model that answers: chosen, tried, and given its key. */
export function Models() {
  const { t } = useTranslation();
  const ready = useReadiness().data;
  const [model, setModel] = useState(kept("model") ?? "");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<ModelTest | null>(null);
  // `openai:…` says that a model of that provider can be named: its beginning is offered.
  const known = [...(ready ? [ready.model] : []), ...(ready?.models ?? [])].map((name) => name.replace("…", ""));
  const names = [...new Set(known)].filter(Boolean);
  const choose = (name: string) => {
    const full = name.trim();
    setModel(name);
    keep("model", full && !full.endsWith(":") ? full : null);
    setResult(null);
  };
  const test = async () => {
    setBusy(true);
    const named = model.trim() ? { model: model.trim() } : {};
    setResult(await tried(call<ModelTest>("POST", "models/test", named)));
    setBusy(false);
  };
  return (
    <Part title={t("settings.models")}>
      <Group align="flex-end">
        <Autocomplete
          label={t("settings.model")}
          description={t("settings.modelForm")}
          placeholder={ready?.model === "builtin" ? t("settings.builtin") : ready?.model}
          value={model}
          data={names}
          onChange={choose}
          className="grow"
        />
        <Button variant="default" loading={busy} onClick={test}>
          {t("settings.test")}
        </Button>
      </Group>
      <div role="status">
        {result && (
          <Alert mt="sm" color={result.ok ? "green" : "red"}>
            {result.error
              ? `${result.error.message}${KEYED.has(result.error.code) ? ` ${t("settings.keyBelow")}` : ""}`
              : t("settings.works", { model: result.model, ms: result.elapsed_ms })}
          </Alert>
        )}
      </div>
      <ModelKey model={model || ready?.model || ""} />
      <Text size="sm" c="dimmed" mt="sm">
        {t("settings.keyFrom")}
      </Text>
    </Part>
  );
}
