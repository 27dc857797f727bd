import { ActionIcon, Button, Group, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import { note, tried } from "../ui/say";
import { Part } from "./Part";

const KEY = ["words"];

/** A word with what it stands for, or a question with the reading that was chosen. */
interface Word {
  id: string;
  kind: "word" | "reading";
  phrase: string;
  meaning: string;
}

/** The words of the tenant and the readings that were chosen: a list with add and remove. */
export function Words() {
  const { t } = useTranslation();
  const words = useQuery({ queryKey: KEY, queryFn: () => call<{ items: Word[] }>("GET", "words") });
  const again = () => client.invalidateQueries({ queryKey: KEY });
  const remove = async (word: Word) => {
    await tried(call("DELETE", `words/${id(word.id)}`));
    again();
  };
  return (
    <Part title={t("words.title")}>
      <Text size="sm" c="dimmed" mb="sm">
        {t("words.intro")}
      </Text>
      <NewWord added={again} />
      <ul className="status" aria-label={t("words.title")}>
        {words.data?.items.map((word) => (
          <li key={word.id}>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" className="grow">
                {t(word.kind === "word" ? "words.word" : "words.reading", {
                  phrase: word.phrase,
                  meaning: word.meaning,
                })}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("words.remove", { phrase: word.phrase })}
                onClick={() => remove(word)}
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

function NewWord({ added }: { added: () => void }) {
  const { t } = useTranslation();
  const [phrase, setPhrase] = useState("");
  const [meaning, setMeaning] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const kept = await tried(call<{ found: boolean }>("POST", "words", { phrase, meaning }));
    if (!kept) return;
    if (!kept.found) note(t("words.notFound", { meaning }));
    setPhrase("");
    setMeaning("");
    added();
  };
  return (
    <form onSubmit={add}>
      <Group align="flex-end" mb="sm">
        <TextInput
          label={t("words.phrase")}
          placeholder={t("words.phraseExample")}
          value={phrase}
          maxLength={60}
          onChange={(event) => setPhrase(event.currentTarget.value)}
        />
        <TextInput
          className="grow"
          label={t("words.meaning")}
          placeholder={t("words.meaningExample")}
          value={meaning}
          maxLength={200}
          onChange={(event) => setMeaning(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!phrase.trim() || !meaning.trim()}>
          {t("words.add")}
        </Button>
      </Group>
    </form>
  );
}
