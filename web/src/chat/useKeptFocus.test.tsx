// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, it } from "vitest";
import { useKeptFocus } from "./useKeptFocus";

function Field() {
  const field = useRef<HTMLTextAreaElement>(null);
  useKeptFocus(field);
  return <textarea ref={field} aria-label="field" defaultValue="sort by" />;
}

afterEach(cleanup);

it("goes on in the field that comes in place of the one that was written in", () => {
  const { rerender, getByLabelText } = render(<Field key="alone" />);
  expect(document.activeElement).not.toBe(getByLabelText("field"));
  getByLabelText("field").focus();
  rerender(
    <div>
      <Field key="beside" />
    </div>,
  );
  const field = getByLabelText("field") as HTMLTextAreaElement;
  expect(document.activeElement).toBe(field);
  expect(field.selectionStart).toBe("sort by".length);
  field.blur();
});

it("takes the focus from nobody", () => {
  const { rerender, getByLabelText } = render(<Field key="alone" />);
  rerender(<Field key="again" />);
  expect(document.activeElement).not.toBe(getByLabelText("field"));
});
