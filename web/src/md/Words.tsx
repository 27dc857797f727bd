import { lazy, Suspense } from "react";
import type { Mark } from "./marks";

const Markdown = lazy(() => import("./Markdown"));

export interface WordsProps {
  text: string;
  marks?: Mark[];
  /** Values of cells, which are no markdown. */
  literals?: string[];
  onMark?: (step: string) => void;
  nameOf?: (step: string) => string;
}

/** What a model or a person has written: as it stands until the part that knows markdown has come. */
export function Words(props: WordsProps) {
  return (
    <Suspense fallback={<div className="words as-written">{props.text}</div>}>
      <Markdown {...props} />
    </Suspense>
  );
}
