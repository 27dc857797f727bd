import type { CellChanges } from "../run/types";

export interface WorkPaneProps {
  conversationId: string;
  fileIds?: string[];
  changes?: CellChanges[];
  onAsk?: (text: string) => void;
}

export function WorkPane(_props: WorkPaneProps) {
  return null;
}
