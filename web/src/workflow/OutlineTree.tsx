import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useFlowWords } from "../i18n/flow";
import { find, named, outline } from "./graph";
import type { Definition, Fault } from "./types";

interface Props {
  definition: Definition;
  faults: Record<string, Fault[]>;
  selected: string | null;
  onSelect: (id: string) => void;
  onMove: (id: string, step: -1 | 1) => void;
  onRemove: (id: string) => void;
  /** The person goes on to the fields of the node, or to those of a node to add behind it. */
  onEdit: () => void;
  onAdd: () => void;
}

/** The definition as a tree that is worked with by the keyboard alone. */
export function OutlineTree({ definition, faults, selected, ...acts }: Props) {
  const words = useFlowWords();
  const lines = outline(definition);
  const place = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.node.id === selected),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is redrawn, the focus stays with the chosen line
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    place.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [definition, selected]);
  const go = (to: number) => {
    const line = lines[Math.min(Math.max(to, 0), lines.length - 1)];
    if (!line) return;
    wanted.current = true;
    acts.onSelect(line.node.id);
  };
  const parent = () => {
    const around = find(definition, lines[at]?.node.id ?? "")?.loops.at(-1);
    if (around) go(lines.findIndex((line) => line.node.id === around));
  };
  const key = (event: React.KeyboardEvent) => {
    const own = lines[at]?.node.id;
    if (!own || event.ctrlKey || event.metaKey) return;
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const doing: Record<string, () => void> = {
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowLeft: parent,
      ArrowRight: () => (lines[at + 1]?.depth ?? 0) > (lines[at]?.depth ?? 0) && go(at + 1),
      Enter: acts.onEdit,
      Insert: acts.onAdd,
      "+": acts.onAdd,
      Delete: () => {
        const next = lines[at + 1] ?? lines[at - 1];
        wanted.current = true;
        acts.onRemove(own);
        if (next) acts.onSelect(next.node.id);
      },
    };
    const act = step ? () => (event.altKey ? moved(own, step) : go(at + step)) : doing[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const moved = (id: string, step: -1 | 1) => {
    wanted.current = true;
    acts.onMove(id, step);
  };
  return (
    <div>
      <Text size="sm" c="dimmed" id="outline-keys">
        {words.keys}
      </Text>
      <div role="tree" aria-label={words.outline} aria-describedby="outline-keys" ref={place} onKeyDown={key}>
        {lines.map((line, number) => {
          const wrong = faults[line.node.id] ?? [];
          const ways = line.ways
            .map((way) => (way.port ? `${way.port} → ${way.target}` : `→ ${way.target}`))
            .join(", ");
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
            <div
              key={line.node.id}
              role="treeitem"
              className="flow-line"
              data-depth={Math.min(line.depth, 4)}
              aria-level={line.depth + 1}
              aria-posinset={line.place}
              aria-setsize={line.of}
              aria-selected={line.node.id === selected}
              aria-expanded={line.node.kind === "loop" ? true : undefined}
              tabIndex={number === at ? 0 : -1}
              onClick={() => acts.onSelect(line.node.id)}
            >
              <span className="flow-kind">{words.kinds[line.node.kind] ?? line.node.kind}</span>{" "}
              <strong>{named(line.node)}</strong> <span className="quiet">{ways}</span>
              {wrong.length > 0 && <span className="red"> {words.faults(wrong.length)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
