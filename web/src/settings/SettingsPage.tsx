import {
  Alert,
  Autocomplete,
  Button,
  Group,
  SegmentedControl,
  Text,
  Title,
  useMantineColorScheme,
} from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client, useReadiness } from "../api/queries";
import type { Conversation, Run } from "../api/types";
import { keep, kept, type Language, speak } from "../i18n";
import { tried } from "../ui/say";
import { ModelKey } from "./ModelKey";
import { Notes } from "./Notes";
import { Part } from "./Part";
import { Words } from "./Words";
import { Workflows } from "./Workflows";

const GB = 1024 ** 3;
const TEST_MS = 60_000;

/** What a person chooses: the model that answers, how the page looks, whether changes are confirmed. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <div className="screen-scroll">
      <main className="screen">
        <Title order={2} mb="md">
          {t("settings.title")}
        </Title>
        <Models />
        <Look />
        <Approvals />
        <Words />
        <Notes />
        <Workflows />
        <Status />
      </main>
    </div>
  );
}

function Models() {
  const { t } = useTranslation();
  const ready = useReadiness().data;
  const [model, setModel] = useState(kept("model") ?? "");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; text: string } | null>(null);
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
    setResult(await tried(tested(model || ready?.model || "", t)));
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
            {result.text}
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

/** Asks the model something small in a conversation of its own, which is gone afterwards. */
async function tested(
  model: string,
  t: ReturnType<typeof useTranslation>["t"],
): Promise<{ ok: boolean; text: string }> {
  const began = performance.now();
  const talk = await call<Conversation>("POST", "conversations", { title: t("settings.testing") });
  try {
    const body = { text: "hello", mode: "chat", approvals: "auto", ...(model ? { model } : {}) };
    const { run_id } = await call<{ run_id: string }>("POST", `conversations/${id(talk.id)}/messages`, body);
    for (;;) {
      const run = await call<Run>("GET", `runs/${id(run_id)}`);
      const took = (performance.now() - began) / 1000;
      if (run.failure) return { ok: false, text: run.failure.message };
      if (run.state === "finished") return { ok: true, text: t("settings.works", { model, seconds: took.toFixed(1) }) };
      if (took * 1000 > TEST_MS) return { ok: false, text: `> ${TEST_MS / 1000} s` };
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  } finally {
    await call("DELETE", `conversations/${id(talk.id)}`).catch(() => null);
    client.invalidateQueries({ queryKey: ["conversations"] });
  }
}

function Look() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Part title={t("settings.look")}>
      <Group>
        <SegmentedControl
          aria-label={t("settings.language")}
          value={i18n.language}
          onChange={(value) => speak(value as Language)}
          data={[
            { value: "zh", label: "中文" },
            { value: "en", label: "English" },
          ]}
        />
        <SegmentedControl
          aria-label={t("settings.theme")}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as "auto" | "dark" | "light")}
          data={(["auto", "light", "dark"] as const).map((value) => ({ value, label: t(`settings.${value}`) }))}
        />
      </Group>
    </Part>
  );
}

function Approvals() {
  const { t } = useTranslation();
  const [value, setValue] = useState(kept("approvals") ?? "ask");
  return (
    <Part title={t("settings.approvals")}>
      <SegmentedControl
        aria-label={t("settings.approvals")}
        value={value}
        onChange={(chosen) => {
          setValue(chosen);
          keep("approvals", chosen === "auto" ? "auto" : null);
        }}
        data={[
          { value: "ask", label: t("settings.approvalsAsk") },
          { value: "auto", label: t("settings.approvalsAuto") },
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t("settings.approvalsNote")}
      </Text>
    </Part>
  );
}

function Status() {
  const { t } = useTranslation();
  const ready = useReadiness().data;
  if (!ready) return null;
  const lines = [
    [t("settings.sandbox"), ready.sandbox.ok, ready.sandbox.detail],
    [t("settings.database"), ready.database.ok, ready.database.detail],
    [t("settings.disk"), ready.disk.ok, t("settings.free", { size: Math.floor(ready.disk.free_bytes / GB) })],
  ] as const;
  return (
    <Part title={t("settings.status")}>
      <ul className="status">
        {lines.map(([name, ok, detail]) => (
          <li key={name} className={ok ? "" : "red"}>
            {name}: {detail || (ok ? "✓" : "✗")}
          </li>
        ))}
      </ul>
    </Part>
  );
}
