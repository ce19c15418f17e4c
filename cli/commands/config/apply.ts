import { isJsonObject } from "#lib/core/base/json-object.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { readText } from "../../read-text.ts";

export default command({
  meta: {
    description: "Replace the whole configuration with the contents of a file",
    detail: "Settings that the file omits return to their defaults. `proxy config restore` undoes the change.",
    examples: ["proxy config apply ./mcp_config.json"],
  },
  args: {
    file: { type: "positional", description: "JSON file, - for standard input" },
    confirm: { type: "boolean", description: "allow a change that removes the administrator's key or all servers" },
  },
  async run({ cli, args: { file, confirm } }) {
    const body = parsed(await readText(file, cli), file);
    const done = await cli.call("POST /api/v1/config/apply", { ...(confirm && { query: { confirm: "true" } }), body });
    await cli.show(done, ({ message }) => message);
  },
});

function parsed(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace("\uFEFF", ""));
  } catch {
    throw new UsageError(`${file} is not valid JSON; find the position with: proxy config validate ${file}`);
  }
  if (!isJsonObject(value)) throw new UsageError(`${file} does not contain a JSON object`);
  return value;
}
