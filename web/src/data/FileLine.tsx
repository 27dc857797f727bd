import { ActionIcon, Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { call, fileUrl, id } from "../api/client";
import { client, keys } from "../api/queries";
import type { Conversation, StoredFile } from "../api/types";
import { FileIntro } from "../chat/FileIntro";
import { bytes, rowsOf } from "../ui/format";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";

/** A file, with what can be done with it. */
export function FileLine({ file }: { file: StoredFile }) {
  const { t, i18n } = useTranslation();
  const [, go] = useLocation();
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    const made = await tried(
      call<Conversation>("POST", "conversations", { language: i18n.language, files: [file.id] }),
    );
    setAsking(false);
    if (!made) return;
    client.invalidateQueries({ queryKey: keys.conversations });
    go(`/c/${made.id}`);
  };
  const rows = file.sheets.reduce((sum, sheet) => sum + sheet.rows, 0);
  const remove = async () => {
    if (!confirm(t("files.removeSure", { name: file.name }))) return;
    await tried(call("DELETE", `files/${id(file.id)}`));
    client.invalidateQueries({ queryKey: ["files"] });
  };
  return (
    <Paper withBorder p="xs" mb="xs">
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text fw={500}>{file.name}</Text>
          <Text size="sm" c="dimmed">
            {file.sheets.length > 0
              ? `${t("files.sheets", { count: file.sheets.length })} · ${rowsOf(rows, t)}`
              : (file.name.split(".").at(-1) ?? file.kind).toUpperCase()}{" "}
            · {bytes(file.size_bytes)}
            {file.run_id && ` · ${t("files.made")}`}
          </Text>
        </div>
        <Group gap={4} justify="flex-end">
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<Icon name="chat" size={14} />}
            aria-label={`${t("data.ask")}: ${file.name}`}
            loading={asking}
            onClick={ask}
          >
            {t("data.ask")}
          </Button>
          {file.sheets.length > 0 && (
            <Button size="compact-sm" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t("files.profile")}
            </Button>
          )}
          <ActionIcon
            component="a"
            href={fileUrl(file.id)}
            download={file.name}
            variant="subtle"
            color="gray"
            aria-label={`${t("files.download")}: ${file.name}`}
          >
            <Icon name="download" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("files.remove", { name: file.name })}
            onClick={remove}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {open && <FileIntro file={file} />}
    </Paper>
  );
}
