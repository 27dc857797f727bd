import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Questions to go on with, each asked with a click. */
export function QuestionChips({ questions, onAsk }: { questions: string[]; onAsk: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {t("run.next")}
      </Text>
      <Group gap="xs">
        {questions.map((question) => (
          <Button
            key={question}
            variant="default"
            size="compact-md"
            className="wrapping"
            onClick={() => onAsk(question)}
          >
            {question}
          </Button>
        ))}
      </Group>
    </>
  );
}
