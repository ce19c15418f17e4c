import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List earlier configurations, or show one of them with secrets masked",
    examples: ["proxy config history", "proxy config history 12"],
  },
  args: { version: { type: "positional", required: false, description: "number from the list" } },
  async run({ cli, args: { version } }) {
    if (version !== undefined) {
      const old = await cli.call("GET /api/v1/config/history/{version}", { params: { version } });
      await cli.show(old, ({ config }) => stringify(config, { lineWidth: 0 }).trimEnd());
      return;
    }
    const { versions } = await cli.call("GET /api/v1/config/history", {});
    await cli.show(versions, (rows) => ({
      columns: ["version", "since", "by", "changed"],
      rows: rows.map((v) => [v.version, v.timestamp, v.by, v.changed_fields.join(", ")]),
      empty: "no earlier configuration is kept",
    }));
  },
});
