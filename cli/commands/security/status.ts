import { command } from "../../command.ts";

export default command({
  meta: { description: "Show how the scan of a server goes, or went" },
  args: { server: { type: "positional", description: "its name" } },
  async run({ cli, args }) {
    const job = await cli.call("GET /api/v1/servers/{name}/scan/status", { params: { name: args.server } });
    await cli.show(job, ({ scanner_statuses }) => ({
      columns: ["scanner", "status", "findings", "note"],
      rows: scanner_statuses.map((s) => [s.scanner_id, s.status, s.findings_count, s.error]),
      empty: `no scanner runs (${job.status})`,
    }));
  },
});
