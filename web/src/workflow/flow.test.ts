import { describe, expect, it } from "vitest";
import { addAfter, addWithin, canConnect, change, connect, disconnect, freshId, move, remove, rename } from "./edits";
import { byNode, nodeOf } from "./faults";
import { find, outline, placed, portsOf } from "./graph";
import { laidOut, NODE } from "./layout";
import type { Definition } from "./types";
import { begun, done, redone, undone } from "./undo";

const made = (): Definition => ({
  id: "f",
  name: "f",
  nodes: [
    { id: "start", kind: "start" },
    { id: "who", kind: "ask_user", prompt: "Who?" },
    {
      id: "turns",
      kind: "loop",
      until: "found.count > 0",
      nodes: [
        { id: "number", kind: "ask_user", prompt: "{{ who.text }}: which? (who)" },
        { id: "found", kind: "code", code: "who = 1", inputs: { wanted: "{{ number.text }}" } },
      ],
      edges: [{ source: "number", target: "found" }],
    },
    { id: "any", kind: "condition", when: "who.text == 'who' and turns.count > 0" },
    { id: "yes", kind: "end", text: "{{ who.text }}" },
    { id: "no", kind: "end" },
  ],
  edges: [
    { source: "start", target: "who" },
    { source: "who", target: "turns" },
    { source: "turns", target: "any" },
    { source: "any", target: "yes", port: "true" },
    { source: "any", target: "no", port: "false" },
  ],
});
const ways = (definition: Definition) =>
  (definition.edges ?? []).map((edge) => `${edge.source} ${edge.port ?? ""}> ${edge.target}`);

it("adds a node into the way behind another, and one that ends beside it", () => {
  const before = made();
  const next = addAfter(before, "who", { id: "x", kind: "template" });
  expect(ways(next).slice(-2)).toEqual(["who > x", "x > turns"]);
  expect(ways(next)).not.toContain("who > turns");
  expect(before).toEqual(made());
  const ended = addAfter(before, "who", { id: "x", kind: "end" });
  expect(ways(ended)).toEqual([...ways(before), "who > x"]);
  expect(addAfter(before, "yes", { id: "x", kind: "template" })).toBe(before);
});

it("adds behind a choice into the way that is named, and before a choice into its first way", () => {
  const next = addAfter(made(), "any", { id: "x", kind: "template" }, "false");
  expect(ways(next).slice(-3)).toEqual(["any true> yes", "any false> x", "x > no"]);
  const choice = addAfter(made(), "who", { id: "x", kind: "condition" });
  expect(ways(choice)).toContain("x true> turns");
});

it("works within loops, whose nodes are not connected with those outside", () => {
  const next = addAfter(made(), "number", { id: "x", kind: "template" });
  expect(find(next, "turns")?.node.edges).toEqual([
    { source: "number", target: "x" },
    { source: "x", target: "found" },
  ]);
  expect(canConnect(next, "number", "who")).toBe(false);
  expect(find(addWithin(made(), "turns", { id: "x", kind: "wait" }), "x")?.loops).toEqual(["turns"]);
});

it("closes the gap where a node is removed, but not behind one that chose", () => {
  expect(ways(remove(made(), "turns"))).toContain("who > any");
  expect(ways(remove(made(), "any"))).toEqual(["start > who", "who > turns"]);
  expect(placed(remove(made(), "turns")).map(({ node }) => node.id)).not.toContain("found");
});

it("connects by the next free way, once, and disconnects", () => {
  const loose = disconnect(made(), { source: "any", target: "no", port: "false" });
  expect(ways(connect(loose, "any", "no"))).toContain("any false> no");
  expect(connect(made(), "start", "who")).toEqual(made());
  for (const [source, target] of [
    ["yes", "who"],
    ["who", "start"],
    ["who", "who"],
  ] as const)
    expect(canConnect(made(), source, target)).toBe(false);
});

it("moves a node past its neighbour and back, and not past a choice or a start", () => {
  const moved = move(made(), "turns", -1);
  expect(ways(moved).slice(0, 3)).toEqual(["start > turns", "turns > who", "who > any"]);
  expect(ways(move(moved, "turns", 1)).sort()).toEqual(ways(made()).sort());
  for (const step of [-1, 1] as const) expect(move(made(), "any", step)).toEqual(made());
  expect(ways(move(made(), "who", -1))).toEqual(ways(made()));
});

it("renames a node where expressions read it, and nowhere else", () => {
  const next = rename(made(), "who", "person");
  expect(find(next, "number")?.node.prompt).toBe("{{ person.text }}: which? (who)");
  expect(find(next, "any")?.node.when).toBe("person.text == 'who' and turns.count > 0");
  expect(find(next, "found")?.node.code).toBe("who = 1");
  expect(ways(next)[0]).toBe("start > person");
  for (const wrong of ["any", "2x", "", "found"]) expect(rename(made(), "who", wrong)).toEqual(made());
});

it("keeps the way of a case that is renamed, and drops that of one that is gone", () => {
  const node = {
    id: "any",
    kind: "switch",
    cases: [
      { name: "true", when: "x" },
      { name: "false", when: "y" },
    ],
  };
  const asked = change(made(), "any", node);
  const renamed = change(asked, "any", {
    ...node,
    cases: [
      { name: "good", when: "x" },
      { name: "false", when: "y" },
    ],
  });
  expect(ways(renamed)).toContain("any good> yes");
  expect(ways(change(asked, "any", { ...node, cases: [{ name: "true", when: "x" }] }))).not.toContain("any false> no");
});

describe("the ways that a question leads on by", () => {
  it.each([
    [{ form: "choice", options: ["a", "b"] }, ["a", "b"]],
    [{ expires_s: 5 }, ["answered", "expired"]],
    [{ form: "choice", options: ["a"], expires_s: 5, default: "a" }, ["a"]],
    [{}, []],
  ])("%j", (settings, expected) => expect(portsOf({ id: "q", kind: "ask_user", ...settings })).toEqual(expected));
});

it("gives new nodes ids that no node has and expressions can read", () => {
  expect(freshId(made(), "wait")).toBe("wait");
  expect(freshId(made(), "start")).toBe("start_2");
  expect(freshId(made(), "loop")).toBe("repeat");
});

it("lists every node in the order of the ways, those of a loop below it", () => {
  const lines = outline(made()).map((line) => `${line.depth}${line.node.id}`);
  expect(lines).toEqual(["0start", "0who", "0turns", "1number", "1found", "0any", "0yes", "0no"]);
  const circle = { ...made(), edges: [...(made().edges ?? []), { source: "any", target: "who" }] };
  expect(outline(circle)).toHaveLength(8);
});

it("lays nodes out from left to right, a loop around what is in it", () => {
  const { boxes } = laidOut(made());
  const [start, loop, number, found] = ["start", "turns", "number", "found"].map((id) => boxes[id]);
  if (!start || !loop || !number || !found) throw new Error("a node has no box");
  expect(start.x + NODE.width).toBeLessThan(loop.x);
  expect(number.x + NODE.width).toBeLessThanOrEqual(found.x);
  expect(found.x + found.width).toBeLessThan(loop.width);
  expect(found.y + found.height).toBeLessThan(loop.height);
  expect(boxes.yes?.y).not.toBe(boxes.no?.y);
});

it("finds the node that a fault is at", () => {
  const definition = made();
  const at = (place: string) => nodeOf(definition, place);
  expect(at("nodes.who.prompt")).toBe("who");
  expect(at("nodes.turns.nodes.number.prompt")).toBe("number");
  expect(at("nodes.turns.nodes.0.ask_user.prompt")).toBe("number");
  expect(at("nodes.1.ask_user.prompt")).toBe("who");
  expect(at("edges.3")).toBe("any");
  expect(at("nodes.turns.edges.0")).toBe("number");
  expect(at("inputs.0.name")).toBeNull();
  const fault = { code: "x", place: "nodes", message: "" };
  expect(byNode(definition, [fault])).toEqual({ "": [fault] });
});

it("takes edits back and does them again; the letters of one field are one edit", () => {
  let steps = begun("a");
  for (const text of ["b", "bc", "bcd"]) steps = done(steps, text, "field");
  steps = done(steps, "other");
  expect(undone(steps).present).toBe("bcd");
  expect(undone(undone(steps)).present).toBe("a");
  expect(redone(undone(steps)).present).toBe("other");
  expect(undone(undone(undone(steps))).present).toBe("a");
  expect(done(undone(steps), "new").future).toEqual([]);
});
