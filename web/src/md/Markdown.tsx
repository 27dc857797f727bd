import { createContext, memo, type ReactNode, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { marked, STEP, UNPROVEN } from "./marks";
import type { WordsProps } from "./Words";

interface HastNode {
  type: string;
  children?: HastNode[];
}

/** HTML within markdown is shown as the words that it is. */
function asWritten() {
  const visit = (node: HastNode): void => {
    if (node.type === "raw") node.type = "text";
    node.children?.forEach(visit);
  };
  return visit;
}

type Sources = Pick<WordsProps, "onMark" | "nameOf">;
const Marking = createContext<Sources>({});

function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const { t } = useTranslation();
  const { onMark, nameOf } = useContext(Marking);
  if (href === UNPROVEN)
    return (
      <span className="unproven" title={t("run.unproven")}>
        {children}
      </span>
    );
  if (href?.startsWith(STEP)) {
    const step = decodeURIComponent(href.slice(STEP.length));
    const title = t("run.fromStep", { name: nameOf?.(step) ?? "" });
    return (
      <button type="button" className="source" title={title} onClick={() => onMark?.(step)}>
        {children}
      </button>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function Table({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t("table.table")}>
      <table className="plain">{children}</table>
    </div>
  );
}

/** The same ones each time: others would be drawn anew, and what has the focus among them would lose it. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ alt, src }) => <span>{alt || String(src ?? "")}</span>,
  table: ({ children }) => <Table>{children}</Table>,
  pre: ({ children }) => (
    <pre className="printed" tabIndex={0}>
      {children}
    </pre>
  ),
  // Task lists of markdown have boxes without a name; here they are only shown.
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
};

/** Markdown without anything that runs or is fetched: no HTML, no pictures, links that open elsewhere. */
export default memo(function Markdown({ text, marks, literals, onMark, nameOf }: WordsProps) {
  const source = useMemo(
    () => (marks?.length || literals?.length ? marked(text, marks ?? [], literals) : remend(text)),
    [text, marks, literals],
  );
  return (
    <Marking.Provider value={{ onMark, nameOf }}>
      <div className="words">
        <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[asWritten, rehypeSanitize]} components={COMPONENTS}>
          {source}
        </ReactMarkdown>
      </div>
    </Marking.Provider>
  );
});
