const KEPT = 100;

/** What there was, is, and was taken back. */
export interface Steps<T> {
  past: T[];
  present: T;
  future: T[];
  /** What the present was made by: the next step of the same kind, as the next letter of a field, takes its place. */
  tag: string | null;
}
export const begun = <T>(present: T): Steps<T> => ({ past: [], present, future: [], tag: null });
export function done<T>(steps: Steps<T>, next: T, tag: string | null = null): Steps<T> {
  if (next === steps.present) return steps;
  if (tag !== null && tag === steps.tag) return { ...steps, present: next, future: [] };
  return { past: [...steps.past, steps.present].slice(-KEPT), present: next, future: [], tag };
}
export function undone<T>(steps: Steps<T>): Steps<T> {
  const last = steps.past.at(-1);
  if (last === undefined) return steps;
  return { past: steps.past.slice(0, -1), present: last, future: [steps.present, ...steps.future], tag: null };
}
export function redone<T>(steps: Steps<T>): Steps<T> {
  const [next, ...future] = steps.future;
  if (next === undefined) return steps;
  return { past: [...steps.past, steps.present], present: next, future, tag: null };
}
