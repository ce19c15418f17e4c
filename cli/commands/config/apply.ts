import { isObject } from "#lib/core/base/merge.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { readText } from "../../read-text.ts";

export default command({
  meta: {
    description: "Replace the whole configuration by that of a file",
    detail: "What the file leaves out has its default from then on. What was there before can be restored.",
    examples: ["proxy config apply ./mcp_config.json"],
  },
  args: {
    file: { type: "positional", description: "JSON file, - for standard input" },
    confirm: { type: "boolean", description: "also where that drops the administrator's key or all servers" },
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
    throw new UsageError(`${file} is not JSON; see where with: proxy config validate ${file}`);
  }
  if (!isObject(value)) throw new UsageError(`${file} holds no JSON object`);
  return value;
}
