import type { Surroundings } from "../../modules/scan/rules/cross.ts";
import {
  type Examined,
  examine,
  examineInstructions,
  examining,
  reportOf,
  type ScanReport,
} from "../../modules/scan/rules/scan.ts";
import { inSteps, loopShare } from "../base/loop-share.ts";
import type { ToolDefinition } from "../schema/tool.ts";
import type { Neighbours } from "./neighbours.ts";
import type { FoundTool } from "./read.ts";

/** What the offline scan says of tools, each text examined once. */
export interface Scans {
  /** Examines tools ahead of time, so that the loop stays free. */
  prepare(tools: readonly FoundTool[]): Promise<void>;
  /** Examines a tool ahead of `of`, a piece at a time; undefined when nothing is left to be waited for. */
  examined(tool: ToolDefinition, hash: string): Promise<void> | undefined;
  /**
   * @param hash the tool's pin, which covers all that is examined
   * @param lister the server and the names of its tools
   */
  of(tool: ToolDefinition, hash: string, lister: Lister): ScanReport;
  /** Whether nothing at all is found in icons and `_meta`, which approvals of older releases did not cover. */
  addedClean(tool: FoundTool, lister: Lister): boolean;
  /** What a server says of itself at `initialize`. */
  ofInstructions(instructions: string | undefined, lister: Lister): ScanReport;
}

/** The server that lists a tool. */
export type Lister = Required<Pick<Surroundings, "server" | "own">>;

/**
 * How much is remembered of tools that were examined, counted as one for each tool and one for each finding and mention
 * in it; beyond, those examined first are forgotten. It must hold every tool of a large installation (100,000): a memory
 * smaller than the list that is read again and again would never have what is asked for.
 */
const MOST = 1_000_000;
const weightOf = ({ findings, mentions }: Examined) => 1 + findings.length + mentions.length;

/** @param neighbours the tools of all servers at this moment */
export function createScans(neighbours: Pick<Neighbours, "foreign" | "rivals" | "prepare">): Scans {
  const examined = new Map<string, Examined>();
  let weight = 0;
  const look = (tool: ToolDefinition, hash: string): Examined => {
    const known = examined.get(hash);
    return known ?? keep(hash, examine(tool));
  };
  const keep = (hash: string, made: Examined): Examined => {
    if (examined.has(hash)) return made;
    examined.set(hash, made);
    weight += weightOf(made);
    for (const [oldest, one] of examined) {
      if (weight <= MOST) break;
      examined.delete(oldest);
      weight -= weightOf(one);
    }
    return made;
  };
  /** The findings of a tool, among those that there are now. */
  const reportAmong = (made: Examined, { server, own }: Lister) => {
    const { foreign, rivals } = neighbours;
    return reportOf(made, { server, own, foreign, rivals });
  };
  let said: { instructions: string; examined: Examined } | undefined;

  return {
    async prepare(tools) {
      if (tools.length > 0) await neighbours.prepare("background");
      const pause = loopShare("background");
      for (const { definition, hash } of tools) {
        if (examined.has(hash)) continue;
        keep(hash, await inSteps(examining(definition), "background"));
        await pause();
      }
    },
    examined(tool, hash) {
      const grouped = neighbours.prepare("asked");
      if (examined.has(hash)) return grouped;
      const made = inSteps(examining(tool));
      if (!(made instanceof Promise)) {
        keep(hash, made);
        return grouped;
      }
      return Promise.all([made, grouped]).then(([done]) => void keep(hash, done));
    },
    of: (tool, hash, lister) => reportAmong(look(tool, hash), lister),
    addedClean({ definition: { icons, _meta } }, lister) {
      const added = { name: "", description: "", inputSchema: {}, ...(icons && { icons }), ...(_meta && { _meta }) };
      const { findings, complete } = reportAmong(examine(added), lister);
      return complete && findings.length === 0;
    },
    ofInstructions(instructions = "", lister) {
      if (said?.instructions !== instructions) said = { instructions, examined: examineInstructions(instructions) };
      return reportAmong(said.examined, lister);
    },
  };
}
