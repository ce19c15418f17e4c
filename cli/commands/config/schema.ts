import { writeFile } from "node:fs/promises";
import { writeProblem } from "#lib/core/base/write-problem.ts";
import { configPath } from "#lib/core/config/paths.ts";
import { configSchemaText, SCHEMA_REFERENCE, schemaPath } from "#lib/core/config/schema-file.ts";
import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Print the JSON Schema of the configuration, for editors",
    detail: `A configuration that the proxy created refers to the schema with "$schema", and the proxy keeps the schema beside it up to date. For another configuration, write the schema with --write and add "$schema" to the file. Works without a running proxy.`,
    examples: ["proxy config schema > mcp_config.schema.json", "proxy config schema --write"],
  },
  args: { write: { type: "boolean", description: "write the schema beside the configuration file instead" } },
  async run({ cli, args }) {
    const text = configSchemaText();
    if (!args.write) return void cli.stdout.write(text);
    const { config, dataDir } = cli.globals;
    const path = schemaPath(configPath({ path: config, dataDir, env: cli.env }));
    try {
      await writeFile(path, text);
    } catch (error) {
      throw new Error(writeProblem(path, error), { cause: error });
    }
    await cli.show(
      { path, reference: SCHEMA_REFERENCE },
      () => `wrote ${path}; refer to it in the configuration with: "$schema": "${SCHEMA_REFERENCE}"`,
    );
  },
});
