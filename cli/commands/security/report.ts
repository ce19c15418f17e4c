import { command } from "../../command.ts";
import { reportText } from "../../report-text.ts";

export default command({
  meta: {
    description: "Show the findings for a server from discovery and its last scan",
    examples: ["proxy security report git", "proxy security report git --sarif"],
  },
  args: {
    server: { type: "positional", names: "servers", description: "server name" },
    sarif: { type: "boolean", description: "print a SARIF 2.1.0 document" },
  },
  async run({ cli, args }) {
    const query = { include_sarif: args.sarif ? ("true" as const) : ("false" as const) };
    const report = await cli.call("GET /api/v1/servers/{name}/scan/report", { params: { name: args.server }, query });
    if (args.sarif) await cli.show(report.sarif, (sarif) => JSON.stringify(sarif, null, 2));
    else await cli.show(report, reportText);
  },
});
