import { LRUCache } from "lru-cache";
import { loopShare, runSteps } from "../../core/base/loop-share.ts";
import type { ListingServer, OpenInspector } from "../../core/catalog/inspector.ts";
import type { ToolDefinition } from "../../core/schema/tool.ts";
import type { CleanPins } from "./clean-pins.ts";
import { createNeighbours } from "./neighbours.ts";
import {
  cleanResult,
  type Examined,
  examineInstructions,
  examineTool,
  examining,
  reportOf,
} from "./rules/examine-tool.ts";

/**
 * Capacity of the cache of examined tools: each tool counts one, and so does each finding and mention in it. Beyond it,
 * the least recently used are removed. It must hold every tool of a large installation (100,000): a cache smaller than
 * a list that is read repeatedly would never hit.
 */
const MAX_WEIGHT = 1_000_000;
const weightOf = ({ findings, mentions }: Examined) => 1 + findings.length + mentions.length;

/** Examines each text once and caches the result. @param clean texts that need not be examined */
export const createScans =
  (clean: CleanPins): OpenInspector =>
  (byServer) => {
    const neighbours = createNeighbours(byServer);
    const examined = new LRUCache<string, Examined>({ maxSize: MAX_WEIGHT, sizeCalculation: weightOf });
    const look = (tool: ToolDefinition, hash: string): Examined => {
      const known = examined.get(hash);
      return known ?? keep(hash, clean.has(hash) ? cleanResult(tool) : examineTool(tool));
    };
    const keep = (hash: string, made: Examined): Examined => {
      if (!examined.has(hash)) examined.set(hash, made);
      if (isClean(made)) clean.add(hash);
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
          if (examined.has(hash) || clean.has(hash)) continue;
          keep(hash, await runSteps(examining(definition), "background"));
          await pause();
        }
      },
      prepareTool(tool, hash) {
        const grouped = neighbours.prepare("asked");
        if (examined.has(hash) || clean.has(hash)) return grouped;
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
        if (said?.instructions !== instructions) said = { instructions, examined: examineInstructions(instructions) };
        return reportAmong(said.examined, lister);
      },
    };
  };

/** Whether the text's examination can be left out the next time, because its result is empty. */
const isClean = ({ findings, mentions, complete }: Examined) =>
  complete && findings.length === 0 && mentions.length === 0;
