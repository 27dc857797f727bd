import { ActionIcon, AppShell, Burger, Group, Modal, NavLink, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { onSignIn } from "../api/client";
import { client, useCatalogue } from "../api/queries";
import { keep, kept, speak } from "../i18n";
import { Icon, type IconName } from "../ui/Icon";
import { Conversations } from "./Conversations";
import { Shortcuts, useShortcuts } from "./Shortcuts";
import { SignIn } from "./SignIn";

const PARTS: { path: string; icon: IconName; name: "data" | "workflows" | "agents" | "settings" }[] = [
  { path: "/data", icon: "data", name: "data" },
  { path: "/workflows", icon: "flow", name: "workflows" },
  { path: "/agents", icon: "lanes", name: "agents" },
  { path: "/settings", icon: "gear", name: "settings" },
];

/** The frame of every screen: conversations and parts at the left, what is worked on beside them. */
export function Shell({ children }: { children: (pane: boolean) => ReactNode }) {
  const { t, i18n } = useTranslation();
  const [path, go] = useLocation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [signing, setSigning] = useState(false);
  const [pane, setPane] = useState(kept("pane") !== "closed");
  const [sheet, setSheet] = useState(false);
  useCatalogue(i18n.language);
  useEffect(() => onSignIn(() => setSigning(true)), []);
  const swapPane = () => {
    keep("pane", pane ? "closed" : null);
    setPane(!pane);
  };
  useShortcuts({ fresh: () => go("/"), pane: swapPane, sheet: () => setSheet(true) });
  const entered = () => {
    setSigning(false);
    client.invalidateQueries();
  };
  return (
    <AppShell navbar={{ width: 256, breakpoint: "sm", collapsed: { mobile: !menu } }} header={{ height: 46 }} layout="alt">
      <a className="skip" href="#message" onClick={toMessage}>
        {t("app.skip")}
      </a>
      <AppShell.Header className="header">
        <Burger opened={menu} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t("app.menu")} />
        <h1 className="brand">Tablewright</h1>
        <Group gap={4} ml="auto" wrap="nowrap">
          <HeaderTools pane={pane} onPane={path.startsWith("/c/") ? swapPane : null} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar" aria-label={t("nav.conversations")}>
        <Group justify="space-between" hiddenFrom="sm" p="xs">
          <span className="brand">Tablewright</span>
          <Burger opened={menu} onClick={toggle} size="sm" aria-label={t("app.close")} />
        </Group>
        <Conversations onChosen={close} />
        <div className="parts">
          {PARTS.map(({ path: target, icon, name }) => (
            <NavLink
              key={target}
              href={`#${target}`}
              label={t(`nav.${name}`)}
              leftSection={<Icon name={icon} />}
              active={path === target}
              aria-current={path === target ? "page" : undefined}
              onClick={close}
            />
          ))}
        </div>
      </AppShell.Navbar>
      <AppShell.Main className="main">{children(pane)}</AppShell.Main>
      <SignIn opened={signing} onDone={entered} />
      <Modal opened={sheet} onClose={() => setSheet(false)} title={t("keys.title")} closeButtonProps={{ "aria-label": t("app.close") }}>
        <Shortcuts />
      </Modal>
    </AppShell>
  );
}

function toMessage(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("message")?.focus();
}

function HeaderTools({ pane, onPane }: { pane: boolean; onPane: (() => void) | null }) {
  const { t, i18n } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const other = i18n.language === "zh" ? "en" : "zh";
  return (
    <>
      {onPane && (
        <ActionIcon variant="subtle" color="gray" visibleFrom="md" aria-pressed={pane} aria-label={t(pane ? "app.hideWork" : "app.showWork")} title={t(pane ? "app.hideWork" : "app.showWork")} onClick={onPane}>
          <Icon name="panel" />
        </ActionIcon>
      )}
      <button type="button" id="language" className="plain-button" lang={other === "zh" ? "zh-CN" : "en"} onClick={() => speak(other)}>
        {t("app.language")}
      </button>
      <ActionIcon variant="subtle" color="gray" id="theme" aria-label={t("app.theme")} title={t("app.theme")} onClick={() => setColorScheme(dark ? "light" : "dark")}>
        <Icon name="sun" />
      </ActionIcon>
    </>
  );
}
