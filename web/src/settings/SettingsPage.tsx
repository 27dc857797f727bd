import { Group, SegmentedControl, Text, Title, useMantineColorScheme } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadiness } from "../api/queries";
import { keep, kept, type Language, speak } from "../i18n";
import { Models } from "./Models";
import { Notes } from "./Notes";
import { Part } from "./Part";
import { Words } from "./Words";
import { Workflows } from "./Workflows";

const GB = 1024 ** 3;

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
