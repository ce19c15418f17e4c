import { command } from "../../command.ts";

export default command({
  meta: { description: "List profiles with their servers and number of tools" },
  async run({ cli }) {
    const { profiles } = await cli.call("GET /api/v1/profiles", {});
    await cli.show(profiles, (rows) => ({
      columns: ["profile", "active", "servers", "not configured", "tools"],
      rows: rows.map((p) => [
        p.name,
        p.active ? "yes" : "",
        p.servers.join(", "),
        p.unknown_servers.join(", "),
        p.tool_count,
      ]),
      empty: "no profiles; define them in `profiles` of the configuration",
    }));
  },
});
