import {
  ActionIcon,
  Alert,
  Button,
  FileButton,
  Group,
  PasswordInput,
  Table,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client, useConnections, useFiles } from "../api/queries";
import type { Connection } from "../api/types";
import { KINDS } from "../chat/Composer";
import { DropZone } from "../chat/DropZone";
import { useUploads } from "../chat/uploads";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";
import { FileLine } from "./FileLine";

/** Everything that can be asked about: files with what is in them, and connections to databases. */
export function DataPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const files = useFiles("");
  const uploads = useUploads();
  const send = (chosen: File[]) => {
    uploads.send(chosen, "");
  };
  const known = (files.data?.items ?? []).filter((file) =>
    file.name.toLowerCase().includes(query.trim().toLowerCase()),
  );
  return (
    <div className="screen-scroll">
      <main className="screen">
        <DropZone onFiles={send} />
        <Title order={2} mb="md">
          {t("data.title")}
        </Title>
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h4">
            {t("data.files")}
          </Title>
          <Group>
            <TextInput
              type="search"
              size="sm"
              aria-label={t("data.search")}
              placeholder={t("data.search")}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <FileButton onChange={send} accept={KINDS} multiple>
              {(button) => (
                <Button size="sm" leftSection={<Icon name="plus" />} {...button}>
                  {t("data.upload")}
                </Button>
              )}
            </FileButton>
          </Group>
        </Group>
        <p role="status" className="quiet">
          {uploads.progress}
        </p>
        {files.isSuccess && known.length === 0 && <Text c="dimmed">{t("files.none")}</Text>}
        {known.map((file) => (
          <FileLine key={file.id} file={file} />
        ))}
        <Connections />
      </main>
    </div>
  );
}

function Connections() {
  const { t } = useTranslation();
  const known = useConnections();
  return (
    <section>
      <Title order={3} size="h4" mt="xl" mb="xs">
        {t("data.connections")}
      </Title>
      {known.isError && <Alert color="orange">{known.error.message}</Alert>}
      {known.isSuccess && known.data.items.length === 0 && <Text c="dimmed">{t("data.none")}</Text>}
      {(known.data?.items.length ?? 0) > 0 && (
        <Table>
          <Table.Tbody>
            {known.data?.items.map((connection) => (
              <ConnectionLine key={connection.name} connection={connection} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <NewConnection />
    </section>
  );
}

interface Tested {
  ok: boolean;
  tables: number;
  elapsed_s: number;
  error: { message: string } | null;
}

function ConnectionLine({ connection }: { connection: Connection }) {
  const { t } = useTranslation();
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setTested(await tried(call<Tested>("POST", `connections/${id(connection.name)}/test`, {})));
    setBusy(false);
  };
  const remove = async () => {
    if (!confirm(t("data.removeSure", { name: connection.name }))) return;
    await tried(call("DELETE", `connections/${id(connection.name)}`));
    client.invalidateQueries({ queryKey: ["connections"] });
  };
  return (
    <Table.Tr>
      <Table.Td fw={500}>{connection.name}</Table.Td>
      <Table.Td>{connection.address}</Table.Td>
      <Table.Td role="status">
        {tested &&
          (tested.ok ? (
            t("data.ok", { tables: tested.tables, seconds: tested.elapsed_s.toFixed(1) })
          ) : (
            <span className="red">{tested.error?.message}</span>
          ))}
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button size="compact-sm" variant="default" loading={busy} onClick={test}>
            {t("data.test")}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("files.remove", { name: connection.name })}
            onClick={remove}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function NewConnection() {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const add = async () => {
    if ((await tried(call("POST", "connections", { name, url }))) === null) return;
    setName("");
    setUrl("");
    client.invalidateQueries({ queryKey: ["connections"] });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Group align="flex-end" mt="sm">
        <TextInput
          label={t("data.name")}
          required
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("data.url")}
          placeholder={t("data.urlHint")}
          required
          autoComplete="off"
          className="grow"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t("data.add")}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {t("data.secret")}
      </Text>
    </form>
  );
}
