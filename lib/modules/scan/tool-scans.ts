import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { loopShare, runSteps } from "../../core/base/loop-share.ts";
import type { ListingServer, OpenInspector } from "../../core/catalog/inspector.ts";
import type { ToolDefinition } from "../../core/schema/tool.ts";
import type { EarlierScans } from "./earlier-scans.ts";
import { createNeighbours } from "./neighbours.ts";
import { type Examined, examineInstructions, examineTool, examining, namedOf, reportOf } from "./rules/examine-tool.ts";

/**
 * Capacity of the cache of examined tools: each tool counts one, and so does each finding and mention in it. Beyond it,
 * the least recently used are removed. It must hold every tool of a large installation (100,000): a cache smaller than
 * a list that is read repeatedly would never hit.
 */
const MAX_WEIGHT = 1_000_000;
const weightOf = ({ findings, mentions }: Examined) => 1 + findings.length + mentions.length;

/** Examines each text once and caches the result. @param earlier the results that need not be computed again */
export const createScans =
  (earlier: EarlierScans): OpenInspector =>
  (byServer) => {
    const neighbours = createNeighbours(byServer);
    const examined = new LRUCache<string, Examined>({ maxSize: MAX_WEIGHT, sizeCalculation: weightOf });
    const isKnown = (hash: string) => examined.has(hash) || earlier.get(hash) !== undefined;
    const look = (tool: ToolDefinition, hash: string): Examined => {
      const cached = examined.get(hash);
      if (cached) return cached;
      const found = earlier.get(hash);
      return keep(hash, found ? { ...found, named: namedOf(tool) } : examineTool(tool));
    };
    const keep = (hash: string, made: Examined): Examined => {
      if (!examined.has(hash)) examined.set(hash, made);
      earlier.add(hash, made);
      return made;
    };
    /** The findings of a tool in comparison with the current tools. */
    const reportAmong = (made: Examined, { server, own }: ListingServer) => {
      const { foreign, rivals } = neighbours;
      return reportOf(made, { server, own, foreign, rivals });
    };
    let said: { instructions: string; examined: Examined } | undefined;

    return {
      changed: neighbours.swap,
      async prepare(tools) {
        if (tools.length > 0) await neighbours.prepare("background");
        const pause = loopShare("background");
        for (const { definition, hash } of tools) {
          if (isKnown(hash)) continue;
          keep(hash, await runSteps(examining(definition), "background"));
          await pause();
        }
      },
      prepareTool(tool, hash) {
        const grouped = neighbours.prepare("asked");
        if (isKnown(hash)) return grouped;
        const made = runSteps(examining(tool));
        if (!(made instanceof Promise)) {
          keep(hash, made);
          return grouped;
        }
        return Promise.all([made, grouped]).then(([done]) => void keep(hash, done));
      },
      reportFor: (tool, hash, lister) => reportAmong(look(tool, hash), lister),
      isAdditionClean({ definition: { icons, _meta } }, lister) {
        const added = { name: "", description: "", inputSchema: {}, ...(icons && { icons }), ...(_meta && { _meta }) };
        const { findings, complete } = reportAmong(examineTool(added), lister);
        return complete && findings.length === 0;
      },
      reportForInstructions(instructions = "", lister) {
        if (said?.instructions !== instructions) {
          const key = instructionsKey(instructions);
          const found = earlier.get(key) ?? examineInstructions(instructions);
          earlier.add(key, found);
          said = { instructions, examined: found };
        }
        return reportAmong(said.examined, lister);
      },
    };
  };

/** A key of a server's instructions, which have no pin. */
const instructionsKey = (instructions: string) =>
  `instructions ${createHash("sha256").update(instructions).digest("hex")}`;
