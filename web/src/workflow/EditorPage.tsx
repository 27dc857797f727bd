import { Anchor, Button, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { id } from "../api/client";
import type { Schema } from "../api/types";
import { useFlowWords } from "../i18n/flow";
import { Icon } from "../ui/Icon";
import { connect, disconnect, move, remove } from "./edits";
import { FlowCanvas } from "./FlowCanvas";
import { Inspector } from "./Inspector";
import { OutlineTree } from "./OutlineTree";
import { useDefinitionSchema, useFlow } from "./queries";
import type { Definition, FlowEdge, StoredFlow } from "./types";
import { useEditor } from "./useEditor";
import { useEditorFocus } from "./useEditorFocus";
import "./flow.css";

/** The draft of a workflow, as a graph and as an outline, with what can be set of its nodes. */
export function EditorPage({ flow }: { flow: string }) {
  const words = useFlowWords();
  const { i18n } = useTranslation();
  const known = useFlow(flow, i18n.language);
  const schema = useDefinitionSchema();
  if (known.flow?.mine && schema.data) return <Editor key={known.flow.id} stored={known.flow} schema={schema.data} />;
  return (
    <main className="screen">
      <Text c="dimmed">{known.absent || known.template ? words.absent : words.loading}</Text>
    </main>
  );
}

function Editor({ stored, schema }: { stored: StoredFlow; schema: Schema }) {
  const words = useFlowWords();
  const editor = useEditor(stored);
  const { definition, selected, faults } = editor;
  const { view, setView, first, adding, toFields, toAdding } = useEditorFocus();
  const [, go] = useLocation();
  const removed = (nodes: string[], edges: FlowEdge[]) => {
    const next = nodes.reduce(remove, edges.reduce(disconnect, definition));
    editor.edit(next, nodes.length ? null : selected);
  };
  const publish = async () => {
    if (await editor.publish()) go(`/workflows/${id(stored.id)}`);
  };
  return (
    <main className="flow-editor">
      <div className="flow-head">
        <Group gap="xs">
          <Anchor href={`#/workflows/${id(stored.id)}`} size="sm">
            ← {words.toWorkflow}
          </Anchor>
          <Title order={2} size="h4">
            {definition.name}
          </Title>
          <Text size="sm" className={editor.dirty ? "amber" : "quiet"}>
            {editor.dirty ? words.unsaved : words.saved}
          </Text>
          <Text size="sm" role="status" className={editor.count ? "red" : "quiet"}>
            {words.faults(editor.count)}
          </Text>
        </Group>
        <Tools editor={editor} onPublish={publish} />
      </div>
      <SegmentedControl
        className="flow-views"
        aria-label={words.views}
        value={view}
        onChange={setView}
        data={[
          { value: "graph", label: words.picture },
          { value: "outline", label: words.outline },
        ]}
      />
      <div className="flow-work">
        <section className="flow-side" aria-label={view === "graph" ? words.picture : words.outline}>
          {view === "graph" ? (
            <FlowCanvas
              definition={definition}
              faults={faults}
              selected={selected}
              editable
              onSelect={editor.select}
              onConnect={(source, target, port) => editor.edit(connect(definition, source, target, port), source)}
              onRemove={removed}
            />
          ) : (
            <OutlineTree
              definition={definition}
              faults={faults}
              selected={selected}
              onSelect={editor.select}
              onMove={(node, step) => editor.edit(move(definition, node, step), node)}
              onRemove={(node) => editor.edit(remove(definition, node), null)}
              onEdit={toFields}
              onAdd={toAdding}
            />
          )}
        </section>
        <aside className="flow-inspector" aria-label={words.inspector}>
          <Inspector
            definition={definition}
            schema={schema}
            selected={selected}
            faults={faults}
            turn={editor.turn}
            first={first}
            adding={adding}
            onEdit={(next: Definition, chosen, tag) => editor.edit(next, chosen, tag)}
          />
        </aside>
      </div>
    </main>
  );
}

function Tools({ editor, onPublish }: { editor: ReturnType<typeof useEditor>; onPublish: () => void }) {
  const words = useFlowWords();
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        disabled={!editor.canUndo}
        onClick={editor.undo}
        leftSection={<Icon name="undo" size={14} />}
      >
        {words.undo}
      </Button>
      <Button size="compact-sm" variant="default" disabled={!editor.canRedo} onClick={editor.redo}>
        {words.redo}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => editor.select(null)}>
        {words.whole}
      </Button>
      <Button size="compact-sm" variant="default" disabled={!editor.dirty || editor.busy} onClick={editor.save}>
        {words.save}
      </Button>
      <Button size="compact-sm" disabled={editor.busy || editor.count > 0} onClick={onPublish}>
        {words.publish}
      </Button>
    </Group>
  );
}
