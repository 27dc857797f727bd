import { ActionIcon, Button, Group, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import { tried } from "../ui/say";
import { Part } from "./Part";

const KEY = ["notes"];

/** A note about the person's data. */
interface Note {
  id: string;
  text: string;
}

/** What the person allowed to be remembered: a list with add and delete. */
export function Notes() {
  const { t } = useTranslation();
  const notes = useQuery({ queryKey: KEY, queryFn: () => call<{ items: Note[] }>("GET", "notes") });
  const again = () => client.invalidateQueries({ queryKey: KEY });
  const remove = async (note: Note) => {
    await tried(call("DELETE", `notes/${id(note.id)}`));
    again();
  };
  return (
    <Part title={t("notes.title")}>
      <Text size="sm" c="dimmed" mb="sm">
        {t("notes.intro")}
      </Text>
      <NewNote added={again} />
      <ul className="status" aria-label={t("notes.title")}>
        {notes.data?.items.map((note) => (
          <li key={note.id}>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" className="grow">
                {note.text}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("notes.remove", { text: note.text })}
                onClick={() => remove(note)}
              >
                ✕
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function NewNote({ added }: { added: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await tried(call<Note>("POST", "notes", { text })))) return;
    setText("");
    added();
  };
  return (
    <form onSubmit={add}>
      <Group align="flex-end" mb="sm">
        <TextInput
          className="grow"
          label={t("notes.text")}
          placeholder={t("notes.example")}
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!text.trim()}>
          {t("notes.add")}
        </Button>
      </Group>
    </form>
  );
}
