import { useMediaQuery } from "@mantine/hooks";
import { useRef, useState } from "react";

const NARROW = "(max-width: 48em)";

/** Which face of the draft is shown, and the fields that the outline's keys go to. A small screen begins with the outline. */
export function useEditorFocus() {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [view, setView] = useState<string>(narrow ? "outline" : "graph");
  const first = useRef<HTMLInputElement>(null);
  const adding = useRef<HTMLSelectElement>(null);
  return {
    view,
    setView,
    first,
    adding,
    toFields: () => first.current?.focus(),
    toAdding: () => adding.current?.focus(),
  };
}
