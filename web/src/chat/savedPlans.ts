export interface Saved {
  name: string;
  plan: unknown;
}

/** The file as a saved plan, or null where it is something else. */
export async function savedPlanOf(file: File): Promise<Saved | null> {
  if (!file.name.endsWith(".json") || file.size > 2_000_000) return null;
  try {
    const plan = JSON.parse(await file.text());
    return plan?.format === 1 && Array.isArray(plan.steps) && Array.isArray(plan.sheets)
      ? { name: file.name, plan }
      : null;
  } catch {
    return null;
  }
}

const waiting = new Map<string, Saved>();

/** The plan that was brought to a conversation and has been neither run nor closed. */
export const planFor = (conversation: string): Saved | null => waiting.get(conversation) ?? null;

export function putPlan(conversation: string, saved: Saved | null): void {
  if (saved) waiting.set(conversation, saved);
  else waiting.delete(conversation);
}
