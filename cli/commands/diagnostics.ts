import { stringify } from "yaml";
import { command } from "../command.ts";

export default command({
  meta: {
    group: "watch",
    description: "Print a support bundle without secrets",
    detail:
      "Contains findings, versions, servers, the latest failures and the end of the log. `proxy doctor` shows remedies.",
    examples: ["proxy diagnostics > diagnostics.yaml", "proxy diagnostics -o json"],
  },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/diagnostics", {});
    await cli.show(found, (all) => stringify(all, { lineWidth: 0 }).trimEnd());
  },
});
