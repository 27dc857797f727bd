import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Route, Router, Switch } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { client } from "../api/queries";
import { ConversationPage } from "../chat/ConversationPage";
import { ErrorBoundary } from "./ErrorBoundary";
import { Shell } from "./Shell";
import { nonce, theme } from "./theme";

const DataPage = lazy(() => import("../data/DataPage").then((part) => ({ default: part.DataPage })));
const SettingsPage = lazy(() => import("../settings/SettingsPage").then((part) => ({ default: part.SettingsPage })));
const WorkflowsPage = lazy(() => import("../workflow/WorkflowsPage").then((part) => ({ default: part.WorkflowsPage })));
const FlowScreens = lazy(() => import("../workflow/FlowScreens").then((part) => ({ default: part.FlowScreens })));
const AgentsPage = lazy(() => import("../workflow/AgentsPage").then((part) => ({ default: part.AgentsPage })));

/** More of them at a time would cover the page; the others follow. */
const NOTICES = 3;

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={client}>
        <Notifications position="top-center" limit={NOTICES} />
        <ErrorBoundary>
          <Router hook={useHashLocation}>
            <Shell>{(pane) => <Screens pane={pane} />}</Shell>
          </Router>
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Screens({ pane }: { pane: boolean }) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<p className="quiet pad">{t("app.loading")}</p>}>
      <Switch>
        <Route path="/data" component={DataPage} />
        <Route path="/settings" component={SettingsPage} />
        <Route path="/workflows" component={WorkflowsPage} />
        <Route path="/workflows/:flow/*?">{({ flow }) => <FlowScreens key={flow} flow={flow} />}</Route>
        <Route path="/agents" component={AgentsPage} />
        <Route path="/c/:id">{({ id }) => <ConversationPage key={id} conversation={id} pane={pane} />}</Route>
        <Route>
          <ConversationPage key="new" conversation="" pane={pane} />
        </Route>
      </Switch>
    </Suspense>
  );
}
