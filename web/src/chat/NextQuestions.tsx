import { useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { useQuestions } from "../api/queries";
import { QuestionChips } from "./QuestionChips";

const MOST = 3;

interface Props {
  file: string;
  /** What has been asked already. */
  asked: string[];
  onAsk: (text: string) => void;
  /** Keeps the answer where it is read: what comes below it takes it not out of view. */
  onShown: () => void;
}

/** Further questions that the file answers, below an answer that has none of its own. */
export function NextQuestions({ file, asked, onAsk, onShown }: Props) {
  const { t, i18n } = useTranslation();
  const found = useQuestions(file, i18n.language).data?.questions ?? [];
  const next = found.filter((question) => !asked.includes(question)).slice(0, MOST);
  const some = next.length > 0;
  useLayoutEffect(() => {
    if (some) onShown();
  }, [some, onShown]);
  if (!some) return null;
  return (
    <section className="next-questions" aria-label={t("run.next")}>
      <QuestionChips questions={next} onAsk={onAsk} />
    </section>
  );
}
