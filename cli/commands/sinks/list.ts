import { command } from "../../command.ts";

export default command({
  meta: { description: "List the sinks and their state", examples: ["proxy sinks list", "proxy sinks list -o json"] },
  async run({ cli }) {
    const found = await cli.call("GET /api/v1/sinks", {});
    await cli.show(found, ({ sinks }) => ({
      columns: ["sink", "type", "records", "state", "waiting", "delivered", "lost", "rejected", "problem"],
      whole: ["sink"],
      rows: sinks.map((s) => [
        s.name,
        s.type,
        s.records.join(" "),
        s.state,
        s.waiting,
        s.delivered,
        s.lost,
        s.rejected,
        s.problem ?? "",
      ]),
      empty: "no sinks; the configuration key sinks adds them (docs/logs.md)",
    }));
  },
});
