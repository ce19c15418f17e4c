import { command } from "../../command.ts";
import { standingText } from "../../standing-text.ts";

export default command({
  meta: { description: "Show how all servers stand, each by discovery and its last scan" },
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
      empty: "there are no servers",
    }));
  },
});
