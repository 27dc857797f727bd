import { useCallback, useState } from "react";
import { keep, kept } from "../i18n";

type Places = Record<string, { x: number; y: number }>;
const nameOf = (flow: string) => `places:${flow}`;

function read(flow: string): Places {
  try {
    return flow ? (JSON.parse(kept(nameOf(flow)) ?? "{}") as Places) : {};
  } catch {
    return {};
  }
}

/** Where a person has put nodes, kept in this browser: a definition knows no places, it is arranged for everybody. */
export function useMoved(flow: string) {
  const [places, setPlaces] = useState(() => read(flow));
  const move = useCallback(
    (node: string, place: { x: number; y: number }) =>
      setPlaces((before) => {
        const after = { ...before, [node]: place };
        if (flow) keep(nameOf(flow), JSON.stringify(after));
        return after;
      }),
    [flow],
  );
  const forget = useCallback(() => {
    if (flow) keep(nameOf(flow), null);
    setPlaces({});
  }, [flow]);
  return { places, move, forget, any: Object.keys(places).length > 0 };
}
