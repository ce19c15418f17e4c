import { configPath } from "#lib/core/config/paths.ts";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Print the path of the configuration file" },
  async run({ cli }) {
    const { config, dataDir } = cli.globals;
    const path = configPath({ path: config, dataDir, env: cli.env });
    await cli.show({ path }, () => path);
  },
});
