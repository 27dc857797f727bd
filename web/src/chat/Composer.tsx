import { ActionIcon, Button, FileButton, Group, Text, Textarea } from "@mantine/core";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../ui/Icon";
import { useDraft } from "./drafts";
import type { Mode } from "./useAsking";
import { useKeptFocus } from "./useKeptFocus";

/** What uploads take: `tests/unit/service/files/test_endings.py` compares it with the service. */
export const KINDS = ".csv,.tsv,.txt,.xlsx,.xlsm,.xlsb,.xls,.ods,.json,.jsonl,.parquet,.py,.sql";

interface Props {
  conversation: string;
  field: RefObject<HTMLTextAreaElement | null>;
  waitsFor: "nothing" | "answer" | "plan";
  running: boolean;
  stopping: boolean;
  sending: boolean;
  offline: boolean;
  children?: React.ReactNode;
  onSend: (text: string, mode?: Mode) => Promise<boolean>;
  onStop: () => void;
  onFiles: (files: File[]) => void;
}

/** Where a person writes. What is written is kept until the server has it, over a reload too. */
export function Composer(props: Props) {
  const { conversation, field, waitsFor, running, stopping, sending, offline, onSend } = props;
  const { t } = useTranslation();
  const { text, write, clear } = useDraft(conversation);
  useKeptFocus(field);
  const waits = waitsFor !== "nothing";
  const [report, setReport] = useState(false);
  const reports = report && !waits;
  // A report may be asked for without a question.
  const can = (text.trim() !== "" || reports) && !sending && !offline && (!running || waits);
  const send = async () => {
    if (!can) return;
    const words = text.trim();
    if (!(await onSend(words, reports ? "report" : undefined))) return;
    clear(words);
    setReport(false);
  };
  const hint =
    waitsFor === "answer"
      ? t("composer.hintAnswer")
      : waitsFor === "plan"
        ? t("composer.hintPlan")
        : t(reports ? "composer.hintReport" : "composer.hint");
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {props.children}
      <div className="composer-box">
        <Textarea
          ref={field}
          id="message"
          variant="unstyled"
          aria-label={t("composer.label")}
          placeholder={hint}
          value={text}
          maxLength={20000}
          autosize
          minRows={1}
          maxRows={8}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <Group justify="space-between" gap="xs">
          <Group gap={4}>
            <FileButton
              onChange={props.onFiles}
              accept={KINDS}
              multiple
              inputProps={{ id: "file", "aria-label": t("composer.attach") }}
            >
              {(button) => (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t("composer.attach")}
                  title={t("composer.attach")}
                  {...button}
                >
                  <Icon name="clip" />
                </ActionIcon>
              )}
            </FileButton>
            {!waits && (
              <ActionIcon
                variant={report ? "light" : "subtle"}
                color={report ? undefined : "gray"}
                size="lg"
                aria-pressed={report}
                aria-label={t("composer.report")}
                title={t("composer.report")}
                onClick={() => setReport(!report)}
              >
                <Icon name="file" />
              </ActionIcon>
            )}
          </Group>
          <Group gap="xs">
            {offline && (
              <Text size="sm" className="amber">
                {t("composer.offline")}
              </Text>
            )}
            {running && (
              <Button
                id="stop"
                color="red"
                variant="light"
                size="compact-md"
                disabled={stopping}
                onClick={props.onStop}
                leftSection={<Icon name="stop" size={14} />}
              >
                {t(stopping ? "composer.stopping" : "composer.stop")}
              </Button>
            )}
            {(!running || waits) && (
              <ActionIcon
                id="send"
                type="submit"
                size="lg"
                radius="xl"
                disabled={!can}
                aria-label={t("composer.send")}
                title={t("composer.keys")}
              >
                <Icon name="send" />
              </ActionIcon>
            )}
          </Group>
        </Group>
      </div>
    </form>
  );
}
