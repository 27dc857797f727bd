import { Button, FileButton, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../api/client";
import type { Language } from "../i18n";
import { Icon } from "../ui/Icon";
import { KINDS } from "./Composer";

interface Props {
  onFiles: (files: File[]) => void;
  onSample: (language: Language, question: string) => void;
}
interface Samples {
  files: string[];
  questions: string[];
}

/** What a person sees first: what this does, where a file goes, and examples that run on one click. */
export function Start({ onFiles, onSample }: Props) {
  const { t, i18n } = useTranslation();
  const own = i18n.language as Language;
  const languages: Language[] = own === "zh" ? ["zh", "en"] : ["en", "zh"];
  const points = t("start.three", { returnObjects: true }) as string[];
  return (
    <div className="start">
      <Title order={2}>{t("start.title")}</Title>
      <Text c="dimmed">{t("app.tagline")}</Text>
      <FileButton onChange={onFiles} accept={KINDS} multiple>
        {(button) => (
          <button type="button" className="drop-target" {...button}>
            <Icon name="table" size={30} />
            <strong>{t("start.drop")}</strong>
            <span className="quiet">{t("start.kinds")}</span>
          </button>
        )}
      </FileButton>
      <ul className="points">
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" size={15} /> {point}
          </li>
        ))}
      </ul>
      <Text fw={600}>{t("start.samples")}</Text>
      <div className="samples">
        {languages.map((language) => (
          <Sample key={language} language={language} onSample={onSample} />
        ))}
      </div>
    </div>
  );
}

function Sample({ language, onSample }: { language: Language; onSample: Props["onSample"] }) {
  const { t } = useTranslation();
  const samples = useQuery({
    queryKey: ["samples", language],
    queryFn: () => call<Samples>("GET", "samples", undefined, language),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  if (!samples?.files.length) return null;
  return (
    <Paper withBorder p="md" className="sample" lang={language === "zh" ? "zh-CN" : "en"}>
      <Text fw={600}>
        <Icon name="file" size={15} /> {samples.files.join(", ")}
      </Text>
      {samples.questions.map((question) => (
        <Button
          key={question}
          variant="default"
          className="wrapping question"
          onClick={() => onSample(language, question)}
        >
          {question}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => onSample(language, "")}>
        {t("start.tryFile")}
      </Button>
    </Paper>
  );
}
