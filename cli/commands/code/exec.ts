import { extname } from "node:path";
import type { Envelope, Executed, Execution } from "#lib/client/execute.ts";
import { reasonOf } from "#lib/core/base/fault.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { execution, MAX_TIMEOUT_MS } from "../../execution.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { data } from "../../output.ts";
import { readText } from "../../read-text.ts";
import { plain } from "../../table.ts";

export default command({
  meta: {
    description: "Run JavaScript or TypeScript that calls tools",
    detail: `The code runs in the proxy. If no proxy is running, it runs in this process: the servers that the code or its input
names are connected first, others on their first call, quarantined servers never; the log goes to standard error. The configuration sets the default limits.

The result is a JSON object: { "ok": true, "value": … } or { "ok": false, "error": { "code", "message" } }.
Exit codes: 0 done; 1 the execution failed; 2 wrong arguments or configuration; 130 interrupted, which cancels it.`,
    examples: [
      `proxy code exec --code 'call_tool("demo", "calculator", { expression: "6 * 7" })'`,
      "proxy code exec --file report.ts --input-file month.json --allowed-servers git,jira",
      `proxy code exec --script report --input '{"month":"2026-01"}' --timeout 30000`,
    ],
  },
  args: {
    code: { type: "string", valueHint: "source", description: "source code" },
    file: {
      type: "string",
      valueHint: "file",
      description: "source file, - for standard input; .ts means TypeScript unless --language is set",
    },
    script: { type: "string", valueHint: "name", description: "name of a stored script" },
    input: {
      type: "string",
      valueHint: "json",
      description: "JSON object for the script's global variable input ({})",
    },
    "input-file": { type: "string", valueHint: "file", description: "file with the input, - for standard input" },
    timeout: {
      type: "string",
      number: true,
      valueHint: "ms",
      description: `maximum execution time, 1 to ${MAX_TIMEOUT_MS} (code_execution_timeout_ms, 120000)`,
    },
    "max-tool-calls": {
      type: "string",
      number: true,
      min: 0,
      description: "maximum number of tool calls, 0: no limit (code_execution_max_tool_calls, 0)",
    },
    "allowed-servers": {
      type: "string",
      valueHint: "a,b",
      description: "servers the script may call, comma-separated (all)",
    },
    language: {
      type: "enum",
      valueHint: "language",
      options: ["javascript", "typescript"],
      description: "javascript (default) or typescript",
    },
  },
  misused: (message) => data("json", { ok: false, error: { code: "INVALID_REQUEST", message } }),
  async run({ cli, args }) {
    let executed: Executed;
    try {
      executed = await execution(cli, await requestOf(args, cli));
    } catch (error) {
      const { aborted } = cli.signal;
      await print(cli, { ok: false, error: aborted ? CANCELLED : { code: codeOf(error), message: reasonOf(error) } });
      if (aborted) return EXIT.interrupted;
      throw error;
    }
    const { envelope, status } = executed;
    await print(cli, envelope);
    if (envelope.ok) return EXIT.ok;
    if (cli.signal.aborted) return EXIT.interrupted;
    // In JSON the message is one line; for a person its lines are printed.
    const { code, message, stack } = envelope.error;
    if (cli.stderr.columns !== undefined) cli.stderr.write(plain(`${code}: ${stack ?? message}\n`));
    return status >= 400 && status < 500 ? EXIT.usage : EXIT.failed;
  },
});

const print = async ({ stdout }: Cli, envelope: Envelope) => stdout.write(await data("json", envelope));

const CANCELLED = { code: "CANCELLED", message: "the execution was cancelled" };

/** The error code for a request that the proxy rejects (spec 001 §7). */
const codeOf = (error: unknown) => (error instanceof UsageError ? "INVALID_REQUEST" : "EXECUTION_FAILED");

interface ExecArgs {
  code: string | undefined;
  file: string | undefined;
  script: string | undefined;
  input: string | undefined;
  "input-file": string | undefined;
  timeout: number | undefined;
  "max-tool-calls": number | undefined;
  "allowed-servers": string | undefined;
  language: "javascript" | "typescript" | undefined;
}

/** Builds the request from the flags; absent flags are omitted. @throws UsageError */
async function requestOf(args: ExecArgs, cli: Cli): Promise<Execution> {
  const { code, file, script, language } = args;
  const sources = ["code", "file", "script"].filter((name) => args[name as "code"] !== undefined);
  if (sources.length !== 1)
    throw new UsageError(
      `use exactly one of --code, --file and --script${sources.length > 0 ? `, not ${named(sources)}` : ""}`,
    );
  if (args.input !== undefined && args["input-file"] !== undefined)
    throw new UsageError("use --input or --input-file, not both");
  if (file === "-" && args["input-file"] === "-")
    throw new UsageError("only one of --file and --input-file can read standard input");
  const options = optionsOf(args);
  const source = file === undefined ? code : await readText(file, cli, { flag: "--file" });
  const input = await inputOf(args, cli);
  const scriptLanguage = language ?? (extname(file ?? "") === ".ts" ? "typescript" : undefined);
  return {
    ...(source !== undefined && { code: source }),
    ...(script !== undefined && { script }),
    ...(scriptLanguage !== undefined && { language: scriptLanguage }),
    ...(input !== undefined && { input }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

const named = (flags: readonly string[]) => flags.map((name) => `--${name}`).join(" and ");

function optionsOf(args: ExecArgs): NonNullable<Execution["options"]> {
  const { timeout, "max-tool-calls": calls, "allowed-servers": allowed } = args;
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout >= 1 && timeout <= MAX_TIMEOUT_MS))
    throw new UsageError(
      `--timeout must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${timeout}`,
    );
  if (calls !== undefined && !(Number.isSafeInteger(calls) && calls >= 0))
    throw new UsageError(`--max-tool-calls must be a whole number of at least 0, not ${calls}`);
  const servers = allowed
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  // An empty list means all servers, which a variable that is empty by mistake must not cause.
  if (servers?.length === 0) throw new UsageError("--allowed-servers is empty; omit it to allow all servers");
  return {
    ...(timeout !== undefined && { timeout_ms: timeout }),
    ...(calls !== undefined && { max_tool_calls: calls }),
    ...(servers && { allowed_servers: servers }),
  };
}

async function inputOf(args: ExecArgs, cli: Cli): Promise<Execution["input"]> {
  const flag = args.input === undefined ? "--input-file" : "--input";
  const given =
    args.input ?? (args["input-file"] === undefined ? undefined : await readText(args["input-file"], cli, { flag }));
  if (given === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    throw new UsageError(`${flag} is not valid JSON: ${reasonOf(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${flag} must be a JSON object such as {"n":1}`);
  return value as Record<string, unknown>;
}
