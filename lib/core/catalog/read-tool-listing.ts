import type { ToolRow } from "../schema/tool.ts";
import { type PinnedTool, readListedTool } from "./read-tool.ts";
import { isListedAs, toolIdOf } from "./row.ts";
import { inSlices } from "./slices.ts";

/**
 * Reads a server's full tool list, in slices.
 *
 * @param rows all known tools, by id
 * @param hide see `readListedTool`
 * @returns the tools, the names of those whose entry is unchanged, and what was left out and why
 */
export async function readToolListing(
  server: string,
  entries: readonly unknown[],
  rows: ReadonlyMap<string, ToolRow>,
  hide?: (text: string) => string,
) {
  const found = new Map<string, PinnedTool>();
  const unchanged = new Set<string>();
  const faults: string[] = [];
  await inSlices(entries, 1, ([entry]) => {
    const tool = readListedTool(entry, hide);
    if (typeof tool === "string") return void faults.push(tool);
    faults.push(...tool.leftOut);
    const { name } = tool.definition;
    if (found.has(name)) return void faults.push(`tool ${JSON.stringify(name)} is listed twice`);
    found.set(name, tool);
    if (isListedAs(rows.get(toolIdOf(server, name)), tool)) unchanged.add(name);
  });
  return { found: [...found.values()], unchanged, faults };
}
