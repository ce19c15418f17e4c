import { command } from "../../command.ts";

export default command({
  meta: { description: "Show the progress or outcome of a server's scan" },
  args: { server: { type: "positional", names: "servers", description: "server name" } },
  async run({ cli, args }) {
    const job = await cli.call("GET /api/v1/servers/{name}/scan/status", { params: { name: args.server } });
    await cli.show(job, ({ scanner_statuses }) => ({
      columns: ["scanner", "status", "findings", "note"],
      rows: scanner_statuses.map((s) => [s.scanner_id, s.status, s.findings_count, s.error]),
      empty: `no scanner is running (${job.status})`,
    }));
  },
});
