import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition } from "../schema/tool.ts";
import type { ListingServer, ToolInspector } from "./inspector.ts";

/** The offline scan of tools and instructions, for readers of the catalog. */
interface ToolScans {
  /** Returns the server and the names of its current tools, which the scan needs. */
  lister(server: string): ListingServer;
  /** Increased when a listing differs from the previous one, but not by decisions about tools. */
  readonly listings: number;
  /** The same for the listings of one server. */
  listingsOf(server: string): number;
  /** Call when a listing of a server differs from the previous one. */
  listed(server: string): void;
  scan(server: string, tool: ToolDefinition, hash: string): RuleReport;
  scanInstructions(server: string, instructions: string | undefined): RuleReport;
}

export function createToolScans(inspector: ToolInspector, namesOf: (server: string) => ReadonlySet<string>): ToolScans {
  let listings = 0;
  const byServer = new Map<string, number>();
  /** Reports are valid until the next listing of any server, because findings mention tools of other servers. */
  let reports = new WeakMap<ToolDefinition, RuleReport>();
  const lister = (server: string) => ({ server, own: namesOf(server) });
  return {
    lister,
    get listings() {
      return listings;
    },
    listingsOf: (server) => byServer.get(server) ?? 0,
    listed(server) {
      // The number rises even if the server was removed meanwhile.
      byServer.set(server, ++listings);
      reports = new WeakMap();
    },
    scan(server, tool, hash) {
      let report = reports.get(tool);
      if (!report) {
        report = inspector.reportFor(tool, hash, lister(server));
        reports.set(tool, report);
      }
      return report;
    },
    scanInstructions: (server, instructions) => inspector.reportForInstructions(instructions, lister(server)),
  };
}
