import { lazy } from "react";
import { Route, Switch } from "wouter";
import { RunPage } from "./RunPage";
import { WorkflowPage } from "./WorkflowPage";

const EditorPage = lazy(() => import("./EditorPage").then((part) => ({ default: part.EditorPage })));

/** The screens of one workflow. */
export function FlowScreens({ flow }: { flow: string }) {
  return (
    <Switch>
      <Route path="/workflows/:flow/edit">
        <EditorPage flow={flow} />
      </Route>
      <Route path="/workflows/:flow/runs/:run">{({ run }) => <RunPage key={run} flow={flow} run={run} />}</Route>
      <Route>
        <WorkflowPage flow={flow} />
      </Route>
    </Switch>
  );
}
