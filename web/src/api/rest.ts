// What nobody has asked for waits until the page is at rest: it would slow what is being looked at.
const REST_MS = 400;
const LONGEST_MS = 20_000;
const LOOK_MS = 100;

let going = 0;
let stirred = Number.NEGATIVE_INFINITY;
let watched = false;
const stir = () => {
  stirred = performance.now();
};

/** Counts `work` among what somebody waits for. */
export async function counted<T>(work: Promise<T>): Promise<T> {
  going += 1;
  try {
    return await work;
  } finally {
    going -= 1;
    stir();
  }
}

/** Resolves once nothing is waited for and nothing has been scrolled for a moment; at the latest after 20 seconds. */
export async function atRest(): Promise<void> {
  const begun = performance.now();
  if (!watched) addEventListener("scroll", stir, { capture: true, passive: true });
  watched = true;
  stir(); // who asks is only just being drawn, and so is what is beside it
  while (performance.now() - begun < LONGEST_MS) {
    if (going === 0 && performance.now() - stirred >= REST_MS) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
