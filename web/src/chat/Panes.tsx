import { Splitter } from "@mantine/core";
import type { ReactNode } from "react";

/** The chat and the workbook beside it; what is between them can be moved. */
export function Panes({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <Splitter className="panes" lineSize={1}>
      <Splitter.Pane defaultSize={44} min={28}>
        {left}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={56} min={25}>
        <div className="work-pane">{right}</div>
      </Splitter.Pane>
    </Splitter>
  );
}
