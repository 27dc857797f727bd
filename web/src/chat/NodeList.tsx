import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { NodeView, RunView } from "../run/view";
import { inLanguage } from "../ui/bilingual";
import { Icon, type IconName } from "../ui/Icon";

const SIGNS: Record<NodeView["state"], IconName> = {
  running: "dots",
  waiting: "alert",
  ok: "check",
  failed: "cross",
  retried: "retry",
};

/** The nodes of a workflow in the order in which they began; the one that waits stands out. */
export function NodeList({ view }: { view: RunView }) {
  const { t, i18n } = useTranslation();
  if (!view.nodes.length) return null;
  return (
    <ol className="nodes" aria-label={t("workflows.nodes")}>
      {view.nodes.map((node) => (
        <li key={node.key} className={`node ${node.state}`}>
          <span className="sign">
            {node.state === "running" ? (
              <Loader size={13} aria-hidden="true" />
            ) : (
              <Icon name={SIGNS[node.state]} size={14} />
            )}
          </span>
          <span>
            {inLanguage(node.name, i18n.language)} <span className="quiet">{t(`workflows.state.${node.state}`)}</span>
            {node.text && <span className="as-written node-text">{node.text}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
