import { stringify } from "yaml";
import { deepMerge } from "#lib/core/base/json-object.ts";
import { command } from "../../command.ts";
import { steps, valueAt } from "../../config-key.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: {
    description: "Show the configuration or one of its keys, with secrets masked",
    detail:
      "For one key, prints the effective value. Without a key, prints the file with defaults and notes which settings the proxy's environment or command line overrides.",
    examples: ["proxy config get", "proxy config get logging.level", "proxy config get mcpServers.git"],
  },
  args: { key: { type: "positional", required: false, description: "key, such as routing_mode or logging.level" } },
  async run({ cli, args: { key } }) {
    const { config, overrides } = await cli.call("GET /api/v1/config", {});
    // Values from the environment and the command line of the proxy take precedence.
    const value = key === undefined ? config : valueAt(deepMerge(config, overrides), key);
    if (value === undefined) {
      cli.note(`${key} is not set`);
      return EXIT.failed;
    }
    const scalar = typeof value !== "object" || value === null;
    await cli.show(value, () => (scalar ? String(value) : stringify(value, { lineWidth: 0 }).trimEnd()));
    for (const name of Object.keys(overrides))
      if (key === undefined || steps(key)[0] === name)
        cli.note(
          `${name}: the file sets ${JSON.stringify(config[name])}, but the proxy's environment or command line overrides it with ${JSON.stringify(overrides[name])}`,
        );
    return EXIT.ok;
  },
});
