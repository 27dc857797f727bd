import { ActionIcon, Button, Menu, Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { call, id } from "../api/client";
import { all, client, keys, useConversations, useFiles } from "../api/queries";
import type { Conversation, Message } from "../api/types";
import { Icon } from "../ui/Icon";
import { tried } from "../ui/say";
import { Share } from "./Share";

/** The conversations there are: found, opened, renamed, pinned, exported, deleted. */
export function Conversations({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [query, setQuery] = useState("");
  const [wanted] = useDebouncedValue(query.trim(), 250);
  const [pinned, setPinned] = useLocalStorage<string[]>({ key: "pinned", defaultValue: [] });
  const [renaming, setRenaming] = useState<Conversation | null>(null);
  const [sharing, setSharing] = useState<Conversation | null>(null);
  const list = useConversations(wanted);
  const known = list.data?.items ?? [];
  const isPinned = (entry: Conversation) => pinned.includes(entry.id);
  const swap = (entry: Conversation) =>
    setPinned(isPinned(entry) ? pinned.filter((each) => each !== entry.id) : [...pinned, entry.id]);
  const part = (title: string, entries: Conversation[]) =>
    entries.length > 0 && (
      <section aria-label={title}>
        <h2 className="part-title">{title}</h2>
        <ul className="conversations">
          {entries.map((entry) => (
            <Line
              key={entry.id}
              entry={entry}
              pinned={isPinned(entry)}
              onChosen={onChosen}
              onPin={() => swap(entry)}
              onRename={() => setRenaming(entry)}
              onShare={() => setSharing(entry)}
            />
          ))}
        </ul>
      </section>
    );
  return (
    <>
      <div className="navbar-top">
        <Button
          id="fresh"
          fullWidth
          variant="light"
          leftSection={<Icon name="plus" />}
          onClick={() => {
            go("/");
            onChosen();
            requestAnimationFrame(() => document.getElementById("message")?.focus());
          }}
        >
          {t("app.newChat")}
        </Button>
        <TextInput
          id="search"
          type="search"
          size="sm"
          mt="xs"
          aria-label={t("conv.search")}
          placeholder={t("conv.search")}
          leftSection={<Icon name="search" size={15} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      <nav className="conversation-list" id="conversations" aria-label={t("nav.conversations")}>
        {part(t("conv.pinned"), known.filter(isPinned))}
        {part(
          t("conv.recent"),
          known.filter((entry) => !isPinned(entry)),
        )}
        {list.isSuccess && known.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {t(wanted ? "conv.notFound" : "conv.none")}
          </Text>
        )}
      </nav>
      {renaming && <Rename entry={renaming} onDone={() => setRenaming(null)} />}
      {sharing && <Share entry={sharing} onDone={() => setSharing(null)} />}
    </>
  );
}

interface LineProps {
  entry: Conversation;
  pinned: boolean;
  onChosen: () => void;
  onPin: () => void;
  onRename: () => void;
  onShare: () => void;
}

function Line({ entry, pinned, onChosen, onPin, onRename, onShare }: LineProps) {
  const { t } = useTranslation();
  const [path, go] = useLocation();
  // Until something is asked, what a conversation is about are its files.
  const files = useFiles(entry.id, entry.title === "").data?.items ?? [];
  const title = entry.title || files.map((file) => file.name).join(", ") || t("conv.untitled");
  const here = path === `/c/${entry.id}`;
  const remove = async () => {
    if (!confirm(t("conv.removeSure", { title }))) return;
    await tried(call("DELETE", `conversations/${id(entry.id)}`));
    client.invalidateQueries({ queryKey: keys.conversations });
    if (here) go("/");
  };
  return (
    <li className={here ? "here" : ""}>
      <a href={`#/c/${entry.id}`} aria-current={here ? "page" : undefined} title={title} onClick={onChosen}>
        {title}
      </a>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t("conv.more", { title })}>
            <Icon name="dots" size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="pencil" size={15} />} onClick={onRename}>
            {t("conv.rename")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="pin" size={15} />} onClick={onPin}>
            {t(pinned ? "conv.unpin" : "conv.pin")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="link" size={15} />} onClick={onShare}>
            {t("conv.share")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="download" size={15} />} onClick={() => tried(exported(entry, title))}>
            {t("conv.export")}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon name="trash" size={15} />} onClick={remove}>
            {t("conv.remove")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

function Rename({ entry, onDone }: { entry: Conversation; onDone: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(entry.title);
  const save = async () => {
    await tried(call("PATCH", `conversations/${id(entry.id)}`, { title }));
    client.invalidateQueries({ queryKey: keys.conversations });
    onDone();
  };
  return (
    <Modal opened onClose={onDone} title={t("conv.rename")} closeButtonProps={{ "aria-label": t("app.close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextInput
          label={t("conv.title")}
          value={title}
          maxLength={500}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" mt="md">
          {t("conv.save")}
        </Button>
      </form>
    </Modal>
  );
}

/** The conversation as a file of markdown: its questions as titles, the answers below. */
async function exported(entry: Conversation, title: string): Promise<void> {
  const messages = await all<Message>(`conversations/${id(entry.id)}/messages?limit=200`);
  const parts = messages.map((message) => (message.author === "user" ? `## ${message.text}` : message.text));
  const url = URL.createObjectURL(new Blob([`# ${title}\n\n${parts.join("\n\n")}\n`], { type: "text/markdown" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${title.replace(/[\\/:*?"<>|\n]+/g, " ").slice(0, 60)}.md`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
