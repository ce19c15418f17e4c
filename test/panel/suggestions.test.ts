import assert from "node:assert/strict";
import { test } from "node:test";
import { type Known, suggestions } from "#handlers/ui/panel/views/overview/suggestions.ts";

const READS = { readOnlyHint: true };

const tool = (name: string, more: Partial<Known> = {}): Known => ({
  name,
  server_name: "files",
  description: `does ${name}`,
  approval_status: "approved",
  disabled: false,
  config_denied: false,
  usage: 0,
  schema: { type: "object" },
  annotations: READS,
  ...more,
});
const needing = (...required: string[]) => ({ schema: { type: "object", required } });

test("a first call is suggested of approved tools that only read, are not deprecated and need the least", () => {
  const rows: readonly { title: string; tools: Known[]; suggested: string[] }[] = [
    { title: "fewest arguments first", tools: [tool("a", needing("x")), tool("b")], suggested: ["b", "a"] },
    {
      title: "deprecated tools are left out",
      tools: [tool("read_file", { description: "Read a file. DEPRECATED: use read_text_file." }), tool("b")],
      suggested: ["b"],
    },
    {
      title: "what waits or is switched off is left out",
      tools: [tool("a", { approval_status: "pending_approval" }), tool("b", { disabled: true }), tool("c")],
      suggested: ["c"],
    },
    {
      title: "tools that read come before all others",
      tools: [tool("w", { annotations: {} }), tool("r", needing("path"))],
      suggested: ["r"],
    },
    {
      title: "without any that reads: those that do not destroy",
      tools: [tool("w", { annotations: {} }), tool("d", { annotations: { destructiveHint: true } })],
      suggested: ["w"],
    },
    { title: "at most three", tools: ["a", "b", "c", "d"].map((name) => tool(name)), suggested: ["a", "b", "c"] },
    { title: "nothing to suggest", tools: [], suggested: [] },
  ];
  for (const { title, tools, suggested } of rows)
    assert.deepEqual(
      suggestions(tools).map(({ name }) => name),
      suggested,
      title,
    );
});
