// A conversation that is begun by what is still on its way to it: the page turns to it once that is there.
const NAME = "begun";

function read(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}
export function setBegun(conversation: string | null): void {
  try {
    if (conversation === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, conversation);
  } catch {
    // Where nothing is kept, a page that is loaded anew begins anew.
  }
}

let left = read();
setBegun(null);

/** The conversation that had been begun when this window was loaded anew; told once. */
export function takeLeft(): string | null {
  const found = left;
  left = null;
  return found;
}
