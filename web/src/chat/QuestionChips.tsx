import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface Props {
  questions: string[];
  /** What they are called, if not what could be asked next. */
  title?: string;
  onAsk: (text: string) => void;
}

/** Questions to go on with, each taken with a click. */
export function QuestionChips({ questions, title, onAsk }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {title ?? t("run.next")}
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
