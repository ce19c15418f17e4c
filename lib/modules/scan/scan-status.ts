import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { ITEM_WORDS } from "../../core/schema/item.ts";
import type { ScanEntry, ScanFinding, ScanJob, ScanReport, ScanStatus } from "../../core/schema/scan.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { standing } from "./standing.ts";
import { stateOf } from "./state.ts";
import { fingerprintOf } from "./subject.ts";

/** The current scan of a server, or its last one. @throws Fault server_not_found, no_such_record */
export async function scanStatus(app: App, server: string, caller: Caller): Promise<ScanJob> {
  findServer(app, server, caller);
  const job = stateOf(app).running.get(server)?.job ?? (await app.store.scans.of(server))[0]?.job;
  if (!job) throw new Fault("no_such_record", { what: "scan of server", id: server });
  return visibleJob(job, caller);
}

/**
 * The findings of discovery and of the last completed scan of a server together.
 *
 * @throws Fault server_not_found; no_such_record if nothing was ever listed and no scan completed
 */
export async function scanReport(app: App, server: string, caller: Caller): Promise<ScanReport> {
  findServer(app, server, caller);
  const found = await standing(app, server);
  if (!found) throw new Fault("no_such_record", { what: "scan report of server", id: server });
  return disclosed(found, caller);
}

/** The report of one scan. A scan of a server out of scope is reported as nonexistent. @throws Fault no_such_record */
export async function scanReportOf(app: App, id: string, caller: Caller): Promise<ScanReport> {
  const row = await app.store.scans.get(id);
  if (!row?.report || !app.config.server(row.server) || !inScope(caller.scope, row.server))
    throw new Fault("no_such_record", { what: "scan report", id });
  const current = row.report.fingerprint === (await fingerprintOf(app, row.server));
  return disclosed({ ...row.report, current }, caller);
}

/**
 * Removes excerpts, names of items, and names in schemas for callers other than administrators, because the server
 * chose them.
 */
function disclosed(found: ScanReport, caller: Caller): ScanReport {
  if (caller.tier === "admin") return found;
  const findings = found.findings.map(({ evidence: _, item: __, ...rest }) => ({ ...rest, location: memberOf(rest) }));
  return { ...found, fingerprint: "", findings };
}

/**
 * The location without names chosen by the server: `log: inputSchema` for `log: inputSchema.properties.path` in tool
 * `log`; the kind alone for another item, such as `prompt`.
 */
function memberOf({ tool, kind, location }: ScanFinding): string {
  if (kind !== undefined) return ITEM_WORDS[kind].noun;
  if (tool === undefined || !location.startsWith(`${tool}: `)) return location;
  const member = location.slice(tool.length + 2);
  return `${tool}: ${member.split(/[.[ ]/)[0]}`;
}

function visibleJob(job: ScanJob, caller: Caller): ScanJob {
  if (caller.tier === "admin") return job;
  const { source_path: _, ...context } = job.scan_context;
  return { ...job, scan_context: context };
}

export const SORTS = ["started_at", "server_name", "status", "findings_count", "risk_score"] as const;

interface ScansWanted {
  status?: ScanStatus | undefined;
  sort: (typeof SORTS)[number];
  order: "asc" | "desc";
}

/** The stored and the current scans, sorted as requested; equal ones with the newest first. */
export async function listScans(app: App, { status: statusFilter, sort, order }: ScansWanted): Promise<ScanEntry[]> {
  const rows = await app.store.scans.all();
  const { running } = stateOf(app);
  const found = rows
    .filter(({ server }) => app.config.server(server))
    .map(({ id, server, job, report: found }) => {
      const now = running.get(server)?.job;
      const { status: at, created_at, completed_at } = now?.id === id ? now : job;
      return {
        id,
        server_name: server,
        status: at,
        created_at,
        ...(completed_at !== undefined && { completed_at }),
        ...(found && { verdict: found.verdict, risk_score: found.risk_score }),
        findings_count: found?.summary.total ?? 0,
      };
    })
    .filter((entry) => statusFilter === undefined || entry.status === statusFilter);
  const by = (entry: ScanEntry) => (sort === "started_at" ? entry.created_at : (entry[sort] ?? -1));
  const sign = order === "asc" ? 1 : -1;
  return found.sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    return x === y ? 0 : x < y ? -sign : sign;
  });
}
