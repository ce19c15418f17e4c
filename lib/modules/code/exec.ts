import { dirname, join } from "node:path";
import type { App } from "../../core/app.ts";
import type { Config } from "../../core/config/config-keys.ts";
import type { TraceSpan } from "../../core/extension/traffic.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor, Caller } from "../../core/schema/caller.ts";
import type { LogReceiver } from "../../core/schema/log-message.ts";
import type { Progress } from "../../core/schema/mcp.ts";
import { maskJson } from "../../core/secrets/mask/json.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { checkAllowedServers } from "./allowed-servers.ts";
import { createDispatch, type ScriptClient } from "./dispatch.ts";
import { Fault } from "./faults.ts";
import type { ExecRequest } from "./request.ts";
import type { Ended, Language } from "./sandbox/sandbox.ts";
import { type Disclosure, readScript } from "./scripts.ts";
import { sandbox } from "./state.ts";

/** The execution envelope as JSON text: `{ ok: true, value }` or `{ ok: false, error: { code, message, stack? } }`. */
interface Execution {
  ok: boolean;
  text: string;
}

/** What an execution uses of the request that started it. */
interface ExecSurroundings {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly client?: ScriptClient | undefined;
  readonly logs?: LogReceiver;
  readonly span?: TraceSpan;
}

/** The folder of stored scripts: `scripts/` beside the active configuration file (spec 001 §2.4). */
export function scriptsDir(app: App): string {
  return join(dirname(app.config.path), "scripts");
}

/**
 * Runs a script in the sandbox; its tool calls pass through the same call pipeline as any other call (spec 001 §2.3,
 * §2.5, §8). An option of the request takes precedence over the configuration, and the configuration over the default.
 *
 * @throws Fault code_disabled, code_options, code_language, code_failed, script_name, script_not_found, script_unusable
 */
export async function exec(
  app: App,
  by: Actor,
  request: ExecRequest,
  { signal, onProgress, client, logs, span }: ExecSurroundings,
): Promise<Execution> {
  const config = app.config.current();
  const { source, language, timeoutMs, maxToolCalls } = await prepare(app, by, request);
  const dispatch = createDispatch(app, {
    by,
    maxToolCalls,
    allowedServers: request.allowedServers,
    maxParallel: config.code_execution_max_parallel,
    client,
    logs,
    span,
    onStart: (id, count) => onProgress?.({ progress: count, message: `calling ${id}` }),
  });
  const from = app.clock.now();
  const outputLines: string[] = [];
  let room = MAX_CONSOLE_CHARACTERS;
  const ended = await app.part(sandbox).run({
    source,
    language,
    filename: request.script === undefined ? SOURCE_NAME[language] : `${request.script}${EXTENSION[language]}`,
    input: JSON.stringify(request.input),
    timeoutMs,
    queueTimeoutMs: config.code_execution_queue_timeout_ms,
    holder: { key: `${by.caller.tier} ${by.caller.user?.id ?? by.caller.name}`, admin: by.caller.tier === "admin" },
    signal,
    onCall: dispatch.answer,
    onLog(text) {
      app.log.info(`[script] ${text}`, { request_id: by.origin.requestId });
      if (room > 0) outputLines.push(scrubText(text.slice(0, room)));
      room -= text.length + 1;
    },
  });
  const text = envelope(ended);
  const maxBytes = app.config.current().activity_max_response_size;
  recordActivity(app, by, {
    type: "code_execution",
    tool_name: "code_execution",
    status: ended.ok ? "success" : "error",
    ...(!ended.ok && { error_message: `${ended.code}: ${ended.message}` }),
    duration_ms: app.clock.now() - from,
    arguments: maskJson({
      code: source,
      ...(request.script !== undefined && { script: request.script }),
      input: request.input,
    }),
    response: text.slice(0, maxBytes),
    ...(text.length > maxBytes && { response_truncated: true }),
    metadata: {
      language,
      tool_calls: dispatch.spent(),
      ...(outputLines.length > 0 && { console: outputLines }),
      ...(request.script !== undefined && { script: request.script }),
    },
  });
  if (!ended.ok && ended.code === "EXECUTION_FAILED") throw new Fault("code_failed", { reason: ended.message });
  return { ok: ended.ok, text };
}

/**
 * Validates a request and resolves its source and limits. Starts nothing.
 *
 * @throws Fault code_disabled, code_options, code_language, script_name, script_not_found, script_unusable
 */
export async function prepare(app: App, by: Actor, request: ExecRequest) {
  const config = app.config.current();
  if (!config.enable_code_execution) throw new Fault("code_disabled");
  const limits = limitsOf(config, request);
  checkAllowedServers(app, by.caller, request.allowedServers);
  return { ...limits, ...(await sourceOf(app, by, request)) };
}

/**
 * The limits of one execution: those of the request, otherwise the configured ones, within the operator's maximums.
 *
 * @throws Fault code_options if the request asks for more than the maximum
 */
function limitsOf(
  { code_execution_ceilings: ceilings, ...config }: Config,
  { timeoutMs, maxToolCalls }: Pick<ExecRequest, "timeoutMs" | "maxToolCalls">,
): { timeoutMs: number; maxToolCalls: number } {
  const above = (option: string, requested: string, ceiling: number) =>
    new Fault("code_options", {
      reason: `${option}: ${requested} is more than the maximum of ${ceiling} (code_execution_ceilings.${option}); send at most that, or omit it`,
    });
  if (timeoutMs !== undefined && timeoutMs > ceilings.timeout_ms)
    throw above("timeout_ms", String(timeoutMs), ceilings.timeout_ms);
  if (maxToolCalls !== undefined && lower(maxToolCalls, ceilings.max_tool_calls) !== maxToolCalls)
    throw above("max_tool_calls", maxToolCalls === 0 ? "0 (no limit)" : String(maxToolCalls), ceilings.max_tool_calls);
  return {
    timeoutMs: timeoutMs ?? Math.min(config.code_execution_timeout_ms, ceilings.timeout_ms),
    maxToolCalls: maxToolCalls ?? lower(config.code_execution_max_tool_calls, ceilings.max_tool_calls),
  };
}

/** The smaller of two limits, where 0 means no limit. */
function lower(a: number, b: number): number {
  return a === 0 || b === 0 ? a || b : Math.min(a, b);
}

/** Maximum console output stored in the activity record (characters). */
const MAX_CONSOLE_CHARACTERS = 16_384;

const SOURCE_NAME: Record<Language, string> = { javascript: "script.js", typescript: "script.ts" };
const EXTENSION: Record<Language, string> = { javascript: ".js", typescript: ".ts" };

/**
 * What a message about stored scripts may disclose. An anonymous caller on `/mcp` is served like an administrator for
 * compatibility. Since no MCP tool lists scripts, it learns their names here, but not their paths.
 */
const DISCLOSURE: Record<Caller["tier"], Disclosure> = {
  admin: "paths",
  anonymous: "names",
  agent: "nothing",
  user: "nothing",
};

async function sourceOf(app: App, by: Actor, request: ExecRequest): Promise<{ source: string; language: Language }> {
  if (request.script === undefined) return { source: request.code ?? "", language: request.language ?? "javascript" };
  const script = await readScript(scriptsDir(app), request.script, DISCLOSURE[by.caller.tier]);
  if (request.language !== undefined && request.language !== script.language)
    throw new Fault("code_language", {
      reason: `script "${script.name}" is ${script.language} by its extension; omit language or send "${script.language}"`,
    });
  return script;
}

function envelope(ended: Ended): string {
  if (ended.ok) return `{"ok":true,"value":${ended.json}}`;
  const { code, message, stack } = ended;
  return JSON.stringify({ ok: false, error: { code, message, ...(stack !== undefined && { stack }) } });
}
