import { type Examined, examine, examineInstructions, reportOf, type ScanReport } from "../scan/scan.ts";
import type { ToolDefinition } from "../shape/tool.ts";
import type { FoundTool } from "./read.ts";

/** What the offline scan says of tools, each text examined once. */
export interface Scans {
  /** Examines tools ahead of time, so that the loop stays free. */
  prepare(tools: readonly FoundTool[]): Promise<void>;
  /**
   * @param hash the tool's pin, which covers all that is examined
   * @param own names of the server's tools
   */
  of(tool: ToolDefinition, hash: string, own: ReadonlySet<string>): ScanReport;
  /** Whether nothing at all is found in icons and `_meta`, which approvals of older releases did not cover. */
  addedClean(tool: FoundTool, own: ReadonlySet<string>): boolean;
  /** What a server says of itself at `initialize`. */
  ofInstructions(instructions: string | undefined, own: ReadonlySet<string>): ScanReport;
}

/** Longest turn of the event loop spent on examining, but for one enormous tool. (ms) */
const TURN_MS = 4;
/**
 * How much is remembered of tools that were examined, counted as one for each tool and one for each finding and mention
 * in it; beyond, those examined first are forgotten. It must hold every tool of a large installation (100,000): a memory
 * smaller than the list that is read again and again would never have what is asked for.
 */
const MOST = 1_000_000;
const weightOf = ({ findings, mentions }: Examined) => 1 + findings.length + mentions.length;

/** @param names servers that have a tool, by its name, at this moment */
export function createScans(names: () => ReadonlyMap<string, readonly string[]>): Scans {
  const examined = new Map<string, Examined>();
  let weight = 0;
  const look = (tool: ToolDefinition, hash: string): Examined => {
    const known = examined.get(hash);
    if (known) return known;
    const made = examine(tool);
    examined.set(hash, made);
    weight += weightOf(made);
    for (const [oldest, one] of examined) {
      if (weight <= MOST) break;
      examined.delete(oldest);
      weight -= weightOf(one);
    }
    return made;
  };
  let said: { instructions: string; examined: Examined } | undefined;

  return {
    async prepare(tools) {
      let since = performance.now();
      for (const { definition, hash } of tools) {
        look(definition, hash);
        if (performance.now() - since < TURN_MS) continue;
        await new Promise<void>((next) => setImmediate(next));
        since = performance.now();
      }
    },
    of: (tool, hash, own) => reportOf(look(tool, hash), { own, foreign: names() }),
    addedClean({ definition: { icons, _meta } }, own) {
      const added = { name: "", description: "", inputSchema: {}, ...(icons && { icons }), ...(_meta && { _meta }) };
      const { findings, complete } = reportOf(examine(added), { own, foreign: names() });
      return complete && findings.length === 0;
    },
    ofInstructions(instructions = "", own) {
      if (said?.instructions !== instructions) said = { instructions, examined: examineInstructions(instructions) };
      return reportOf(said.examined, { own, foreign: names() });
    },
  };
}
