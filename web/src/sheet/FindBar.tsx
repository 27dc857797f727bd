// Finding a text in the cells of a sheet, as far as the server has looked.
import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { call, id } from "../api/client";
import type { SheetModel } from "./model";
import { areaOf, type Place } from "./refs";
import { useSheetWords } from "./words";

interface Answer {
  refs: string[];
  next_row: number | null;
}
const MOST_FOUND = 1_000;

export function FindBar({
  model,
  onGo,
  onFault,
  onClose,
}: {
  model: SheetModel;
  onGo: (at: Place) => void;
  onFault: (error: unknown) => void;
  onClose: () => void;
}) {
  const words = useSheetWords();
  const [text, setText] = useState("");
  const [state, setState] = useState<"idle" | "looking" | "done">("idle");
  const [refs, setRefs] = useState<string[]>([]);
  const [at, setAt] = useState(-1);
  const turn = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another sheet or version nothing was found yet
  useEffect(() => {
    turn.current++;
    setRefs([]);
    setState("idle");
    setAt(-1);
  }, [model]);
  const go = (ref: string | undefined) => {
    const area = ref ? areaOf(ref) : null;
    const place = area ? model.placeOf(area.top) : null;
    if (area && place) onGo({ row: place, column: area.left });
  };
  const look = async () => {
    const mine = ++turn.current;
    setState("looking");
    const found: string[] = [];
    try {
      for (let from: number | null = 1; from !== null && found.length < MOST_FOUND && mine === turn.current; ) {
        const path: string = `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/find?text=${id(text)}&from_row=${from}&limit=200`;
        const answer: Answer = await call<Answer>("GET", path);
        if (mine !== turn.current) return;
        if (!found.length && answer.refs.length) {
          setAt(0);
          go(answer.refs[0]);
        }
        found.push(...answer.refs);
        setRefs([...found]);
        from = answer.next_row;
      }
      setState("done");
    } catch (error) {
      setState("idle");
      onFault(error);
    }
  };
  const next = () => {
    if (!refs.length || state === "idle") return void look();
    const following = (at + 1) % refs.length;
    setAt(following);
    go(refs[following]);
  };
  const told =
    state === "looking" && !refs.length
      ? words.looking
      : refs.length
        ? words.found(String(at + 1), `${refs.length}${state === "looking" ? "…" : ""}`)
        : state === "done"
          ? words.none
          : "";
  return (
    <div className="tw-bar">
      <TextInput
        size="xs"
        aria-label={words.findWhat}
        placeholder={words.findWhat}
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          setState("idle");
          setRefs([]);
          turn.current++;
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose();
          if (event.key === "Enter" && !event.nativeEvent.isComposing && text) next();
        }}
      />
      <Button size="compact-sm" variant="default" disabled={!text} onClick={next}>
        {words.next}
      </Button>
      <span role="status">{told}</span>
    </div>
  );
}
