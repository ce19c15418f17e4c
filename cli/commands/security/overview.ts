import { command } from "../../command.ts";
import { standingText } from "../../standing-text.ts";

export default command({
  meta: { description: "Show the scan results of all servers" },
  args: {},
  async run({ cli }) {
    const overview = await cli.call("GET /api/v1/security/overview", {});
    await cli.show(overview, ({ by_server }) => ({
      columns: ["server", "status", "risk", "findings", "decision", "note"],
      rows: by_server.map((s) => [
        s.server_name,
        standingText(s),
        s.risk_score,
        s.findings,
        s.decision,
        s.status !== "not_scanned" && !s.current ? "changed since" : "",
      ]),
      empty: "no servers",
    }));
  },
});
