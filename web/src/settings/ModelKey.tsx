import { ActionIcon, Button, Group, PasswordInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import { tried } from "../ui/say";

const KEYS = ["model-keys"];

/** The key of the provider that a model's name begins with: written to the server, and never shown again. */
export function ModelKey({ model }: { model: string }) {
  const { t } = useTranslation();
  const [key, setKey] = useState("");
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: () => call<{ providers: string[]; kept: string[] }>("GET", "model-keys"),
  });
  const [provider = "", named] = model.trim().split(":", 2);
  if (named === undefined || !keys.data?.providers.includes(provider)) return null;
  const changed = async (done: Promise<unknown>) => {
    await tried(done);
    setKey("");
    client.invalidateQueries({ queryKey: KEYS });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    return changed(call("PUT", `model-keys/${id(provider)}`, { key }));
  };
  const remove = () => changed(call("DELETE", `model-keys/${id(provider)}`));
  return (
    <form onSubmit={save}>
      <Group align="flex-end" mt="sm">
        <PasswordInput
          label={t("settings.key", { provider })}
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          className="grow"
        />
        <Button type="submit" variant="default" disabled={!key.trim()}>
          {t("settings.keySave")}
        </Button>
      </Group>
      {keys.data.kept.includes(provider) && (
        <Group gap="xs" mt="xs">
          <Text size="sm">{t("settings.keyKept", { provider })}</Text>
          <ActionIcon variant="subtle" color="gray" aria-label={t("settings.keyRemove", { provider })} onClick={remove}>
            ✕
          </ActionIcon>
        </Group>
      )}
    </form>
  );
}
