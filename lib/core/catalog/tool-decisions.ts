import type { Clock } from "../base/clock.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { Store } from "../store/store.ts";
import { approvalTrustOf, decideApprovals } from "./decide-approvals.ts";
import type { ToolInspector } from "./inspector.ts";
import type { PinnedTool } from "./read-tool.ts";
import type { ToolRecords } from "./tool-records.ts";

interface ToolDecisionParts {
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  store: Pick<Store, "evidence">;
  records: Pick<ToolRecords, "of" | "hasOpenBaseline">;
  inspect: ToolInspector;
  clock: Pick<Clock, "now">;
}

/** Decides what a listing changes in the approval records of its server, according to configuration, records and scan. */
interface ToolDecisions {
  /**
   * Returns the tools about which a person or the scan has to decide. They are scanned in slices before the decision.
   */
  undecided(server: string, found: readonly PinnedTool[]): PinnedTool[];
  /** Returns how the listing decides about each of its tools. The server must be configured. */
  decide(
    server: string,
    found: readonly PinnedTool[],
    instructions: string | undefined,
  ): ReturnType<typeof decideApprovals>;
}

export function createToolDecisions({ config, store, records, inspect, clock }: ToolDecisionParts): ToolDecisions {
  return {
    undecided(server, found) {
      if (!config.current().quarantine_enabled || config.server(server)?.trust_mode === "auto") return [];
      const recorded = records.of(server);
      return found.filter(({ definition, hash }) => recorded.get(definition.name)?.approvedHash !== hash);
    },
    decide(server, found, instructions) {
      const serverConfig = config.server(server)!;
      const trust = approvalTrustOf(serverConfig, {
        quarantineEnabled: config.current().quarantine_enabled,
        quarantined: config.quarantined(serverConfig),
        baseline: records.hasOpenBaseline(server),
        evidenceLost: store.evidence.state === "lost",
      });
      const after = { server, own: new Set(found.map(({ definition }) => definition.name)) };
      const report = trust.scan ? inspect.reportForInstructions(instructions, after) : undefined;
      const clean = ({ definition, hash }: PinnedTool) =>
        report?.verdict === "clean" && inspect.reportFor(definition, hash, after).verdict === "clean";
      const addedClean = (tool: PinnedTool) => inspect.isAdditionClean(tool, after);
      return decideApprovals(server, records.of(server), trust, clock.now(), clean, addedClean);
    },
  };
}
