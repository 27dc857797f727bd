// The conversations there are, the newest first: one is chosen, one is deleted.
import { $, call, make, say } from "/page/base.js";

const LISTED = 100, TITLE_CHARS = 60;

export const newest = async (limit = LISTED) => (await call("GET", `conversations?limit=${limit}`)).items;
// Fills the list; `current` is chosen in it, or nothing where it has not begun.
export async function list(current) {
  const known = (await newest()).filter((entry) => entry.title || entry.id === current);
  const options = known.map((entry) => make("option", { value: entry.id, textContent: title(entry), selected: entry.id === current }));
  if (!known.some((entry) => entry.id === current)) options.unshift(make("option", { value: "", textContent: say("unbegun"), selected: true }));
  $("conversations").replaceChildren(...options);
  $("conversations").hidden = !known.length;
  $("delete").hidden = !known.some((entry) => entry.id === current);
}
const title = (entry) => {
  const words = (entry.title || say("untitled")).replace(/\s+/g, " ");
  return words.length > TITLE_CHARS ? `${words.slice(0, TITLE_CHARS)}…` : words;
};
// Deletes it once the person is sure; returns whether it is gone.
export async function remove(id) {
  if (!id || !confirm(say("deleteSure"))) return false;
  await call("DELETE", `conversations/${encodeURIComponent(id)}`);
  return true;
}
