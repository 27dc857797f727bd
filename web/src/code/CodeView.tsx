import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { nonce } from "../app/theme";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "light-dark(#7b1fa2, #d0a8ff)" },
  { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#1b6e2e, #a5e3a1)" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#9a4600, #ffb787)" },
  { tag: tags.comment, color: "light-dark(#5b6472, #9aa4b2)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.definition(tags.variableName)],
    color: "light-dark(#1f4fbf, #8cc8ff)",
  },
]);

/** Code to be read: its lines numbered and coloured. */
export default function CodeView({ code, label }: { code: string; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new code is put into the view that is there
  useEffect(() => {
    if (!place.current) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: code,
        extensions: [
          lineNumbers(),
          python(),
          syntaxHighlighting(colours),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(nonce()),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [label]);
  useEffect(() => {
    const shown = view.current?.state.doc;
    if (shown && shown.toString() !== code)
      view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: code } });
  }, [code]);
  return <div ref={place} className="code-view" />;
}
