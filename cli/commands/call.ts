import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { RestError } from "#lib/client/error.ts";
import { reasonOf } from "#lib/core/base/fault.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { splitTool } from "../ids.ts";
import { quoted } from "../self.ts";
import { argumentLines, exampleArguments, requiredArguments } from "../tool-arguments.ts";

/** Timeout of a tool call; the proxy itself ends a call after `call_tool_timeout` (s). */
const MAX_TIMEOUT_S = 900;

export default command({
  meta: {
    description: "Call a tool of an upstream server",
    detail: `The proxy applies the same checks as to a call from an MCP client. If the tool reports an error, the exit code is ${EXIT.failed}.`,
    examples: [
      `proxy call demo:calculator --args '{"expression":"6 * 7"}'`,
      "proxy call fs:read_file --args @args.json -o json",
    ],
  },
  args: {
    tool: { type: "positional", description: "server:tool" },
    args: {
      type: "string",
      alias: "a",
      valueHint: "json",
      description: "arguments as a JSON object, @file, or - for standard input",
    },
    timeout: {
      type: "string",
      number: true,
      valueHint: "seconds",
      description: `maximum wait for the result (${MAX_TIMEOUT_S})`,
    },
  },
  async run({ cli, args }) {
    if (args.args === undefined) await checkNeedsNone(cli, args.tool);
    const toolArguments = await readArguments(args.args ?? "{}", cli.stdin);
    const result = await cli.call(
      "POST /api/v1/tools/call",
      { body: { tool_name: args.tool, arguments: toolArguments } },
      { timeoutMs: (args.timeout ?? MAX_TIMEOUT_S) * 1000 },
    );
    await cli.show(result, ({ content = [] }) => content.map(blockText).join("\n"));
    if (result.isError) return EXIT.failed;
  },
});

/**
 * Shows the arguments of a tool that requires some, instead of calling it without. Whether the call is allowed is
 * decided by the call, which gives the reason.
 *
 * @throws UsageError
 */
async function checkNeedsNone(cli: Cli, id: string): Promise<void> {
  if (!id.includes(":")) return;
  const { server, tool: name } = splitTool(id);
  const { tools } = await cli.call("GET /api/v1/servers/{name}/tools", { params: { name: server } }).catch((error) => {
    if (error instanceof RestError) return { tools: [] };
    throw error;
  });
  const tool = tools.find((one) => one.name === name && one.approval_status === "approved" && !one.disabled);
  if (!tool || requiredArguments(tool.schema).length === 0) return;
  throw new UsageError(
    [
      `${id} requires arguments; pass them with --args:`,
      ...argumentLines(tool.schema),
      `Example: ${cli.self} call ${quoted(id)} --args ${quoted(exampleArguments(tool.schema))}`,
    ].join("\n"),
  );
}

/** @param argument JSON text, `@file`, or `-` for standard input */
async function readArguments(argument: string, stdin: Readable): Promise<Record<string, unknown>> {
  const text = await source(argument, stdin);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`--args is not valid JSON: ${reasonOf(error)}`);
  }
  throw new UsageError('--args must be a JSON object such as {"path":"."}');
}

async function source(argument: string, stdin: Readable): Promise<string> {
  if (argument === "-") return (await stdin.setEncoding("utf8").toArray()).join("");
  if (!argument.startsWith("@")) return argument;
  try {
    return await readFile(argument.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(`--args: ${reasonOf(error)}`);
  }
}

/** Renders a content block: text as it is, other content by its type. */
function blockText(block: { type: string; text?: unknown; mimeType?: unknown; uri?: unknown; data?: unknown }): string {
  if (block.type === "text") return String(block.text);
  const facts = [block.mimeType, block.uri].filter((f) => typeof f === "string").join(" ");
  return `[${[block.type, facts].filter(Boolean).join(" ")}; show it with -o json]`;
}
