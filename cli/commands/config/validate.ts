import { configPath } from "#lib/core/config/paths.ts";
import { command } from "../../command.ts";
import { configRemarks, remarkLines } from "../../config-remarks.ts";
import { EXIT } from "../../exit.ts";
import { NO_CONFIG } from "../../no-config.ts";
import { readText } from "../../read-text.ts";

export default command({
  meta: {
    description: "Validate a configuration file; works without a running proxy",
    detail: "Exit codes: 0 valid; 2 invalid, and every problem is listed with its line.",
    examples: ["proxy config validate", "proxy config validate ./mcp_config.json"],
  },
  args: {
    file: {
      type: "positional",
      required: false,
      description: "file to validate, - for standard input (default: the one in use)",
    },
  },
  async run({ cli, args }) {
    const { config, dataDir } = cli.globals;
    const path = args.file ?? configPath({ path: config, dataDir, env: cli.env });
    const found = configRemarks(await readText(path, cli, args.file === undefined ? { missing: NO_CONFIG } : {}));
    await cli.show({ path, ...found }, ({ valid }) =>
      [...remarkLines(path, found), `${path} ${valid ? "is valid" : "is invalid"}`].join("\n"),
    );
    return found.valid ? EXIT.ok : EXIT.usage;
  },
});
