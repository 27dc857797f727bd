import { useQuery } from "@tanstack/react-query";
import type { Round } from "../api/types";
import { bookQuery } from "../sheet/bookQuery";
import { useVersions } from "../sheet/useBook";

/** Whether what a round made is what the workbook is at, stands below later changes, or is undone; null where it made
 * nothing or that is not known. */
export function useStanding(round: Round): "newest" | "earlier" | "undone" | null {
  const made = round.version;
  const head = useQuery({ ...bookQuery(round.workbook_id), enabled: made !== null }).data?.version;
  const elsewhere = made !== null && head !== undefined && head !== made;
  const versions = useVersions(round.workbook_id, head ?? 0, elsewhere).data?.items;
  if (made === null || head === undefined) return null;
  if (head === made) return "newest";
  const parents = new Map(versions?.map((each) => [each.number, each.parent]));
  if (!parents.has(head)) return null;
  let at: number | null | undefined = head;
  while (at !== null && at !== undefined && at > made) at = parents.get(at);
  return at === made ? "earlier" : "undone";
}
