import { stringify } from "yaml";
import { command } from "../command.ts";

export default command({
  meta: {
    description: "Collect what somebody needs who helps from afar; it holds no secrets",
    detail: "Findings, versions, servers, the latest failures and the end of the log. `proxy doctor` says what to do.",
    examples: ["proxy diagnostics > diagnostics.yaml", "proxy diagnostics -o json"],
  },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/diagnostics", {});
    await cli.show(found, (all) => stringify(all, { lineWidth: 0 }).trimEnd());
  },
});
