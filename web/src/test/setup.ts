// What jsdom lacks and the components ask for.
class NoResize {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver ??= NoResize as unknown as typeof ResizeObserver;
globalThis.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
})) as unknown as typeof matchMedia;
// Files of tests without a page share this one.
if (globalThis.document && !document.fonts)
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
