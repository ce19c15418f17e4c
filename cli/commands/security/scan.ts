import { setTimeout } from "node:timers/promises";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { reportText } from "../../report-text.ts";
import { standingText } from "../../standing-text.ts";

/** Interval between two requests for the progress of a scan (ms). */
const LOOK_MS = 500;

export default command({
  meta: {
    description: "Scan one server or all servers and show the findings",
    detail: "Exit codes: 0 no dangerous findings; 11 dangerous findings, or the scan did not finish.",
    examples: ["proxy security scan git", "proxy security scan --all --async"],
  },
  args: {
    server: { type: "positional", required: false, names: "servers", description: "server name" },
    all: { type: "boolean", description: "scan every enabled server" },
    async: { type: "boolean", description: "start the scan without waiting for its end" },
    "dry-run": { type: "boolean", description: "only show which scanners would run" },
    scanner: { type: "string", many: true, valueHint: "id", description: "run only this scanner" },
  },
  async run({ cli, args }) {
    const scanner_ids = args.scanner.length > 0 ? { scanner_ids: args.scanner } : {};
    if ((args.server === undefined) === (args.all !== true)) throw new UsageError("name a server or use --all");
    if (args.server === undefined) return await scanAll(cli, scanner_ids, args.async === true);
    const params = { name: args.server };
    const body = { ...scanner_ids, ...(args["dry-run"] && { dry_run: true }) };
    let job = await cli.call("POST /api/v1/servers/{name}/scan", { params, body });
    if (args.async || job.dry_run) {
      await cli.show(job, ({ scanners }) => `${job.dry_run ? "would run" : "running"}: ${scanners.join(", ")}`);
      return 0;
    }
    while (job.status === "pending" || job.status === "running") {
      await setTimeout(LOOK_MS, undefined, { signal: cli.signal });
      job = await cli.call("GET /api/v1/servers/{name}/scan/status", { params });
    }
    if (job.status !== "completed") {
      await cli.show(job, () => `the scan ${job.status === "failed" ? `failed: ${job.error}` : "was cancelled"}`);
      return 11;
    }
    for (const { scanner_id, status, error } of job.scanner_statuses)
      if (status === "failed" || status === "skipped") cli.note(`${scanner_id}: ${error}`);
    const report = await cli.call("GET /api/v1/servers/{name}/scan/report", { params, query: {} });
    await cli.show(report, reportText);
    return report.verdict === "dangerous" ? 11 : 0;
  },
});

async function scanAll(cli: Cli, body: { scanner_ids?: string[] }, async: boolean): Promise<number> {
  let progress = await cli.call("POST /api/v1/security/scan-all", { body });
  while (!async && progress.status === "running") {
    await setTimeout(LOOK_MS, undefined, { signal: cli.signal });
    progress = await cli.call("GET /api/v1/security/queue", {});
  }
  const overview = await cli.call("GET /api/v1/security/overview", {});
  await cli.show(overview, ({ by_server }) => ({
    columns: ["server", "status", "risk", "findings"],
    rows: by_server.map((s) => [s.server_name, standingText(s), s.risk_score, s.findings]),
    empty: "no servers",
  }));
  if (async) return 0;
  return progress.failed > 0 || overview.by_server.some(({ status }) => status === "dangerous") ? 11 : 0;
}
