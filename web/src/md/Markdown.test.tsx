// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../i18n";
import Markdown from "./Markdown";

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
