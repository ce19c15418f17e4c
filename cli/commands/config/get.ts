import { stringify } from "yaml";
import { command } from "../../command.ts";
import { valueAt } from "../../config-key.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: {
    description: "Show the configuration, or one key of it, with secrets masked",
    examples: ["proxy config get", "proxy config get logging.level", "proxy config get mcpServers.git"],
  },
  args: { key: { type: "positional", required: false, description: "such as routing_mode or logging.level" } },
  async run({ cli, args: { key } }) {
    const { config } = await cli.call("GET /api/v1/config", {});
    const value = key === undefined ? config : valueAt(config, key);
    if (value === undefined) {
      cli.note(`${key} is not set`);
      return EXIT.failed;
    }
    const scalar = typeof value !== "object" || value === null;
    await cli.show(value, () => (scalar ? String(value) : stringify(value, { lineWidth: 0 }).trimEnd()));
    return EXIT.ok;
  },
});
