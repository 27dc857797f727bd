import { ActionIcon, Alert, Button, Fieldset, Group, NativeSelect, Stack, TextInput, Title } from "@mantine/core";
import { type RefObject, useState } from "react";
import type { Schema } from "../api/types";
import { Fields } from "../chat/SchemaField";
import { useFlowWords } from "../i18n/flow";
import { Icon } from "../ui/Icon";
import { addAfter, addWithin, canConnect, change, connect, disconnect, freshId, remove, rename } from "./edits";
import { find, leaving, named, type Placed, placed, portsOf } from "./graph";
import { headOf, kept, kindsOf, newNode, settingsOf } from "./schema";
import type { Definition, Fault, FlowNode } from "./types";

export type Edit = (next: Definition, selected?: string | null, tag?: string) => void;
interface Props {
  definition: Definition;
  schema: Schema;
  selected: string | null;
  faults: Record<string, Fault[]>;
  /** Fields that keep what is typed are made anew with it. */
  turn: number;
  first: RefObject<HTMLInputElement | null>;
  adding: RefObject<HTMLSelectElement | null>;
  onEdit: Edit;
}
const NO_CHOICES = { sheets: [], columns: [] };

/** Everything that can be set of the chosen node, or of the workflow where none is chosen. */
export function Inspector(props: Props) {
  const { definition, schema, selected, faults, turn, onEdit } = props;
  const words = useFlowWords();
  const own = selected === null ? undefined : find(definition, selected);
  if (own) return <NodeInspector key={`${own.node.id}:${turn}`} {...props} own={own} />;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.whole}
      </Title>
      <Faults faults={faults[""] ?? []} />
      <Fields
        key={turn}
        schema={headOf(schema)}
        root={schema}
        values={definition}
        choices={NO_CHOICES}
        onChange={(values) => onEdit(kept(values) as Definition, null, "head")}
      />
    </Stack>
  );
}

function Faults({ faults }: { faults: Fault[] }) {
  if (!faults.length) return null;
  return (
    <Alert color="red" p="xs" className="flow-alert">
      <ul className="flow-list">
        {faults.map((fault) => (
          <li key={`${fault.place} ${fault.code} ${fault.message}`}>{fault.message}</li>
        ))}
      </ul>
    </Alert>
  );
}

function NodeInspector({ definition, schema, faults, first, adding, onEdit, own }: Props & { own: Placed }) {
  const words = useFlowWords();
  const { node } = own;
  const set = (values: Record<string, unknown>) =>
    onEdit(
      change(definition, node.id, { ...(kept(values) as FlowNode), id: node.id, kind: node.kind }),
      node.id,
      node.id,
    );
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.kinds[node.kind] ?? node.kind}: {named(node)}
      </Title>
      <Faults faults={faults[node.id] ?? []} />
      <TextInput
        label={words.name}
        ref={first}
        value={node.name ?? ""}
        onChange={(event) => set({ ...node, name: event.currentTarget.value || null })}
      />
      <IdField definition={definition} node={node} onEdit={onEdit} />
      <Fields schema={settingsOf(schema, node.kind)} root={schema} values={node} choices={NO_CHOICES} onChange={set} />
      <Ways definition={definition} own={own} onEdit={onEdit} />
      <Adding definition={definition} schema={schema} own={own} adding={adding} onEdit={onEdit} />
      <Button color="red" variant="light" onClick={() => onEdit(remove(definition, node.id), null)}>
        {words.remove}
      </Button>
    </Stack>
  );
}

/** The id is what expressions read; it is changed everywhere, once it is typed to its end. */
function IdField({ definition, node, onEdit }: { definition: Definition; node: FlowNode; onEdit: Edit }) {
  const words = useFlowWords();
  const [text, setText] = useState(node.id);
  const next = rename(definition, node.id, text);
  const wrong = text !== node.id && next === definition;
  const done = () => {
    if (text !== node.id && !wrong) onEdit(next, text);
  };
  return (
    <TextInput
      label={words.id}
      value={text}
      error={wrong ? words.idWrong : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === "Enter" && done()}
    />
  );
}

function Ways({ definition, own, onEdit }: { definition: Definition; own: Placed; onEdit: Edit }) {
  const words = useFlowWords();
  const { node, graph } = own;
  const [port, setPort] = useState("");
  const targets = placed(definition).filter((each) => canConnect(definition, node.id, each.node.id));
  if (node.kind === "end") return null;
  const ports = portsOf(node);
  return (
    <Fieldset legend={words.ways} p="xs">
      <Stack gap={4}>
        {leaving(graph, node.id).map((edge) => (
          <Group key={`${edge.port} ${edge.target}`} gap="xs" justify="space-between" wrap="nowrap">
            <span>
              {edge.port ? `${edge.port} ` : ""}→ {edge.target}
            </span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={words.disconnect(edge.target)}
              onClick={() => onEdit(disconnect(definition, edge), node.id)}
            >
              <Icon name="cross" size={14} />
            </ActionIcon>
          </Group>
        ))}
        {ports.length > 0 && (
          <NativeSelect
            label={words.port}
            value={port}
            data={[{ value: "", label: words.nextPort }, ...ports]}
            onChange={(event) => setPort(event.currentTarget.value)}
          />
        )}
        <NativeSelect
          label={words.connect}
          value=""
          data={[
            { value: "", label: words.choose },
            ...targets.map((each) => ({ value: each.node.id, label: named(each.node) })),
          ]}
          onChange={(event) => onEdit(connect(definition, node.id, event.currentTarget.value, port || null), node.id)}
        />
      </Stack>
    </Fieldset>
  );
}

type AddingProps = Pick<Props, "definition" | "schema" | "adding" | "onEdit"> & { own: Placed };

function Adding({ definition, schema, own, adding, onEdit }: AddingProps) {
  const words = useFlowWords();
  const { node, loops } = own;
  const apart = new Set(loops.length ? ["start", "end"] : ["start"]);
  const made = (kind: string) => newNode(schema, kind, freshId(definition, kind));
  const choices = (without: Set<string>) => [
    { value: "", label: words.choose },
    ...kindsOf(schema)
      .filter((kind) => !without.has(kind))
      .map((kind) => ({ value: kind, label: words.kinds[kind] ?? kind })),
  ];
  const put = (kind: string, into: (definition: Definition, id: string, node: FlowNode) => Definition) => {
    if (!kind) return;
    const fresh = made(kind);
    onEdit(into(definition, node.id, fresh), fresh.id);
  };
  return (
    <>
      {node.kind !== "end" && (
        <NativeSelect
          label={words.addAfter}
          ref={adding}
          value=""
          data={choices(apart)}
          onChange={(event) => put(event.currentTarget.value, addAfter)}
        />
      )}
      {node.kind === "loop" && (
        <NativeSelect
          label={words.addWithin}
          value=""
          data={choices(new Set(["start", "end"]))}
          onChange={(event) => put(event.currentTarget.value, addWithin)}
        />
      )}
    </>
  );
}
