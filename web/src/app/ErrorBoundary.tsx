import { Button } from "@mantine/core";
import i18n from "i18next";
import { Component, type ReactNode } from "react";

/** What is shown where the page itself has a fault: what was asked goes on on the server. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault: Error | null }> {
  override state = { fault: null as Error | null };

  static getDerivedStateFromError(fault: Error) {
    return { fault };
  }

  override render() {
    if (!this.state.fault) return this.props.children;
    return (
      <main className="pad">
        <h1>{i18n.t("app.crashed")}</h1>
        <pre>{this.state.fault.message}</pre>
        <Button onClick={() => location.reload()}>{i18n.t("app.reload")}</Button>
      </main>
    );
  }
}
