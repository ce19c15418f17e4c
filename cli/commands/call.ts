import type { JsonObject } from "#lib/core/base/json-object.ts";
import { isTerminal } from "../ask.ts";
import { askText } from "../ask-secret.ts";
import { argumentPairs, readArguments, typedArgument } from "../call-arguments.ts";
import { callWithProgress } from "../call-with-progress.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { findTool } from "../find-tool.ts";
import { quoted } from "../self.ts";
import { argumentLines, argumentText, exampleArguments, requiredArguments } from "../tool-arguments.ts";

/** Timeout of a tool call; the proxy itself ends a call after `call_tool_timeout` (s). */
const MAX_TIMEOUT_S = 900;
/** How often an invalid answer to a question is accepted before the command fails. */
const MAX_TRIES = 5;

export default command({
  meta: {
    group: "tools",
    description: "Call a tool of an upstream server",
    detail: `Arguments are words: name=value for text, name:=json for JSON, name=@file for the text of a file. Where the tool requires a number or a boolean, name=value becomes one. On a terminal, the command asks for required arguments that are missing; Ctrl-C cancels the call.
The proxy applies the same checks as to a call from an MCP client. If the tool reports an error, the exit code is ${EXIT.failed}.`,
    examples: [
      "proxy call demo:calculator 'expression=6 * 7'",
      "proxy call fs:read_file path=notes.txt head:=10",
      "proxy call fs:read_file --args @args.json -o json",
    ],
  },
  args: {
    tool: { type: "positional", names: "tools", description: "server:tool" },
    arguments: { type: "positional", required: false, many: true, description: "name=value, or name:=json" },
    args: {
      type: "string",
      alias: "a",
      valueHint: "json",
      description: "arguments as a JSON object, @file, or - for standard input",
    },
    timeout: {
      type: "string",
      number: true,
      // Fractions of a second are useful in scripts.
      min: 0.001,
      valueHint: "seconds",
      description: `maximum wait for the result (${MAX_TIMEOUT_S})`,
    },
  },
  async run({ cli, args }) {
    const toolArguments = await given(cli, args.tool, args.arguments, args.args);
    const timeoutMs = (args.timeout ?? MAX_TIMEOUT_S) * 1000;
    const result = await callWithProgress(cli, args.tool, toolArguments, timeoutMs);
    await cli.show(result, ({ content = [] }) => content.map(blockText).join("\n"));
    if (result.isError) return EXIT.failed;
  },
});

/**
 * The arguments of the call: those of `--args`, overridden by the words, and at a terminal the answers for what is
 * missing. Whether the call is allowed is decided by the call, which gives the reason.
 *
 * @throws UsageError that shows the tool's arguments if it requires some and none are given
 */
async function given(cli: Cli, id: string, words: readonly string[], json: string | undefined): Promise<JsonObject> {
  const base = json === undefined ? {} : await readArguments(json, cli.stdin);
  const canAsk = isTerminal(cli) && json !== "-" && cli.globals.output === "table";
  const isComplete = json !== undefined && words.length === 0 && !canAsk;
  const tool = isComplete ? undefined : await findTool(cli, id);
  const schema = tool?.schema ?? {};
  const values = { ...base, ...(await argumentPairs(words, schema, cli.stdin)) };
  if (tool?.approval_status !== "approved" || tool.disabled) return values;
  const missing = requiredArguments(schema).filter((name) => !Object.hasOwn(values, name));
  if (missing.length === 0) return values;
  if (canAsk) return { ...values, ...(await answers(cli, missing, schema)) };
  if (json !== undefined || words.length > 0) return values;
  throw new UsageError(
    [
      `${id} requires arguments; pass them as name=value, or as JSON with --args:`,
      ...argumentLines(schema),
      `Example: ${cli.self} call ${quoted(id)} ${exampleArguments(schema)}`,
    ].join("\n"),
  );
}

/** Asks for each missing argument until the answer has the required type. */
async function answers(cli: Cli, names: readonly string[], schema: JsonObject): Promise<JsonObject> {
  const values: JsonObject = {};
  for (const name of names) {
    const { type, about } = argumentText(schema, name);
    if (about) cli.note(about);
    for (let tries = 1; !Object.hasOwn(values, name); tries++) {
      const text = await askText(`${name} (${type})`, cli);
      try {
        if (text === "" && argumentText(schema, name).type !== "string") throw new UsageError(`${name} is required`);
        values[name] = typedArgument(name, text, schema);
      } catch (error) {
        if (!(error instanceof UsageError) || tries >= MAX_TRIES) throw error;
        cli.note(error.message);
      }
    }
  }
  return values;
}

/** Renders a content block: text as it is, other content by its type. */
function blockText(block: { type: string; text?: unknown; mimeType?: unknown; uri?: unknown; data?: unknown }): string {
  if (block.type === "text") return String(block.text);
  const facts = [block.mimeType, block.uri].filter((f) => typeof f === "string").join(" ");
  return `[${[block.type, facts].filter(Boolean).join(" ")}; show it with -o json]`;
}
