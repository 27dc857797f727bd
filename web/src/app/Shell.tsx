import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { onSignIn } from "../api/client";
import { client, useCatalogue } from "../api/queries";
import { keep, kept, speak } from "../i18n";
import { Icon, type IconName } from "../ui/Icon";
import { useShortcuts } from "./useShortcuts";

const SignIn = lazy(() => import("./SignIn").then((part) => ({ default: part.SignIn })));
const Shortcuts = lazy(() => import("./Shortcuts").then((part) => ({ default: part.Shortcuts })));
const Conversations = lazy(() => import("./Conversations").then((part) => ({ default: part.Conversations })));
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
    <AppShell
      navbar={{ width: 256, breakpoint: "sm", collapsed: { mobile: !menu } }}
      header={{ height: 46 }}
      layout="alt"
    >
      <button type="button" className="skip" onClick={() => document.getElementById("message")?.focus()}>
        {t("app.skip")}
      </button>
      <AppShell.Header className="header">
        <Burger opened={menu} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t("app.menu")} />
        <h1 className="brand">Tablewright</h1>
        <Group gap={4} ml="auto" wrap="nowrap">
          <HeaderTools
            pane={pane}
            onPane={path.startsWith("/c/") ? swapPane : null}
            onShortcuts={() => setSheet(true)}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar" aria-label={t("nav.conversations")}>
        <Group justify="space-between" hiddenFrom="sm" p="xs">
          <span className="brand">Tablewright</span>
          <Burger opened={menu} onClick={toggle} size="sm" aria-label={t("app.close")} />
        </Group>
        <Suspense fallback={<div className="conversation-list" />}>
          <Conversations onChosen={close} />
        </Suspense>
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
      <Suspense fallback={null}>
        {signing && <SignIn opened onDone={entered} />}
        {sheet && <Shortcuts onClose={() => setSheet(false)} />}
      </Suspense>
    </AppShell>
  );
}

interface ToolsProps {
  pane: boolean;
  onPane: (() => void) | null;
  onShortcuts: () => void;
}

export function HeaderTools({ pane, onPane, onShortcuts }: ToolsProps) {
  const { t, i18n } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const other = i18n.language === "zh" ? "en" : "zh";
  return (
    <>
      {onPane && (
        <ActionIcon
          variant="subtle"
          color="gray"
          visibleFrom="md"
          aria-pressed={pane}
          aria-label={t(pane ? "app.hideWork" : "app.showWork")}
          title={t(pane ? "app.hideWork" : "app.showWork")}
          onClick={onPane}
        >
          <Icon name="panel" />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        visibleFrom="sm"
        aria-label={t("app.shortcuts")}
        title={`${t("app.shortcuts")} (?)`}
        onClick={onShortcuts}
      >
        <Icon name="keyboard" />
      </ActionIcon>
      <button
        type="button"
        id="language"
        className="plain-button"
        lang={other === "zh" ? "zh-CN" : "en"}
        onClick={() => speak(other)}
      >
        {t("app.language")}
      </button>
      <ActionIcon
        variant="subtle"
        color="gray"
        id="theme"
        aria-label={t("app.theme")}
        title={t("app.theme")}
        onClick={() => setColorScheme(dark ? "light" : "dark")}
      >
        <Icon name="sun" />
      </ActionIcon>
    </>
  );
}
