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
