// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../i18n";
import Markdown from "./Markdown";
import { literalsOf } from "./marks";

afterEach(cleanup);
const HOSTILE = [
  "<img src=x onerror=\"document.title='owned'\">",
  "<script>document.title='owned'</script>",
  "[a](javascript:alert(1))",
  "![a](http://evil.example/a.png)",
  '<iframe src="http://evil.example"></iframe>',
  '<a href="data:text/html,x">b</a>',
  "[c](vbscript:x) <style>*{display:none}</style>",
];

it.each(HOSTILE)("shows %s as words, or not at all", (text) => {
  const { container } = render(
    <MantineProvider env="test">
      <Markdown text={text} />
    </MantineProvider>,
  );
  expect(container.querySelectorAll("img, script, iframe, style:not([data-mantine-styles])")).toHaveLength(0);
  for (const link of container.querySelectorAll("a"))
    expect(link.getAttribute("href") ?? "").not.toMatch(/^(javascript|data|vbscript):/);
});

it("shows what looks like HTML as it was written", () => {
  const { container } = render(
    <MantineProvider env="test">
      <Markdown text={"a <img src=x> b"} />
    </MantineProvider>,
  );
  expect(container.textContent).toContain("<img src=x>");
});

it("shows values of cells as they are, and the markdown around them as what it means", () => {
  const values = ["*a*", "_x_", "a`b", "[n](http://x.example)", "~~old~~", "**", "plain"];
  const literals = literalsOf([values, [1, null, "_x_"]]);
  expect(literals).toEqual(["*a*", "_x_", "a`b", "[n](http://x.example)", "~~old~~"]);
  const text = "**Highest**: *a*, _x_, a`b, [n](http://x.example) and ~~old~~ with 12; `*a*` is code";
  const start = text.indexOf("12");
  const { container } = render(
    <MantineProvider env="test">
      <Markdown text={text} marks={[{ start, end: start + 2, step: "s1" }]} literals={literals} />
    </MantineProvider>,
  );
  const shown = "Highest: *a*, _x_, a`b, [n](http://x.example) and ~~old~~ with 12; *a* is code";
  expect(container.querySelector(".words")?.textContent?.trim()).toBe(shown);
  expect(container.querySelector("strong")?.textContent).toBe("Highest");
  expect(container.querySelector("code")?.textContent).toBe("*a*");
  expect(container.querySelector("button.source")?.textContent).toBe("12");
  expect(container.querySelectorAll("em, del")).toHaveLength(0);
});

it("keeps the focus on a number when what is around it is drawn again", () => {
  const drawn = (name: string) => (
    <MantineProvider env="test">
      <Markdown text="42 boxes" marks={[{ start: 0, end: 2, step: "s1" }]} onMark={() => {}} nameOf={() => name} />
    </MantineProvider>
  );
  const { container, rerender } = render(drawn("Look"));
  const number = container.querySelector<HTMLElement>("button.source");
  number?.focus();
  rerender(drawn("Compute"));
  expect(container.querySelector("button.source")).toBe(number);
  expect(document.activeElement).toBe(number);
  expect(number?.title).toContain("Compute");
});
