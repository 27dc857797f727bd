import { Button, Menu } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import type { RunView } from "../run/view";
import { inLanguage } from "../ui/bilingual";
import { note, tried } from "../ui/say";

/** “Not this one”, beside the workflow that a message was given to: what is said is kept, and the message asked anew. */
export function Routed({ view, onAsk }: { view: RunView; onAsk: (text: string) => void }) {
  const { t, i18n } = useTranslation();
  const [said, setSaid] = useState(false);
  const over = view.state === "finished";
  useEffect(() => {
    if (!said || !over) return;
    setSaid(false);
    onAsk(view.question);
  }, [said, over, onAsk, view.question]);
  const routed = view.routed;
  if (!routed) return null;
  const correct = async (wanted: string | null) => {
    const body = { message: view.question, workflow: routed.id, wanted };
    if ((await tried(call("POST", "workflows/corrections", body))) === null) return;
    note(t("run.corrected"));
    if (!over) await tried(call("POST", `runs/${id(view.id)}/cancel`));
    setSaid(true);
  };
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button className="not-this" size="compact-xs" variant="subtle" color="gray" disabled={said}>
          {t("run.notThis", { name: inLanguage(routed.name, i18n.language) })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {routed.others.map((each) => (
          <Menu.Item key={each.id} onClick={() => correct(each.id)}>
            {t("run.instead", { name: inLanguage(each.name, i18n.language) })}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => correct(null)}>{t("run.noWorkflow")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
