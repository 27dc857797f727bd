import { Button, Modal, PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../api/client";

/** Asks for the key of the service; it becomes a cookie that no script can read. */
export function SignIn({ opened, onDone }: { opened: boolean; onDone: () => void }) {
  const { t } = useTranslation();
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState("");
  const enter = async () => {
    try {
      await call("POST", "session", { key });
      setKey("");
      setWrong("");
      onDone();
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <Modal opened={opened} onClose={() => {}} withCloseButton={false} title={t("sign.title")} centered>
      <form
        id="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          enter();
        }}
      >
        <PasswordInput
          id="key"
          label={t("sign.key")}
          autoComplete="current-password"
          required
          value={key}
          error={wrong || undefined}
          onChange={(event) => setKey(event.currentTarget.value)}
          data-autofocus
        />
        <Text size="sm" c="dimmed" mt={4}>
          {t("sign.hint")}
        </Text>
        <Button type="submit" mt="md" fullWidth>
          {t("sign.go")}
        </Button>
      </form>
    </Modal>
  );
}
