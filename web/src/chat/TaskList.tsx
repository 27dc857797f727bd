import { useTranslation } from "react-i18next";
import type { TaskStep } from "../api/types";
import type { RunView } from "../run/view";
import { Icon, type IconName } from "../ui/Icon";

const SIGNS: Record<TaskStep["status"], { icon: IconName; state: "announced" | "running" | "ok" | "error" }> = {
  not_started: { icon: "dots", state: "announced" },
  in_progress: { icon: "dots", state: "running" },
  completed: { icon: "check", state: "ok" },
  blocked: { icon: "cross", state: "error" },
};

/** The plan of tasks that several agents carry out. */
export function TaskList({ view }: { view: RunView }) {
  const { t } = useTranslation();
  if (!view.tasks?.steps.length) return null;
  return (
    <section className="tasks" aria-label={t("run.tasks")}>
      <strong>{view.tasks.title || t("run.tasks")}</strong>
      <ol>
        {view.tasks.steps.map((step) => {
          const { icon, state } = SIGNS[step.status];
          return (
            <li key={step.id} className={state}>
              <span className="sign">
                <Icon name={icon} size={14} />
              </span>
              <span>
                {step.text.replaceAll("<sep>", " · ")} <span className="quiet">{t(`run.status.${state}`)}</span>
                {step.note && <span className="quiet"> – {step.note}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
