import * as v from "valibot";
import type { McpObject } from "../../core/schema/mcp.ts";
import { unknownField } from "../../core/schema/unknown-fields.ts";
import { Fault } from "./faults.ts";
import type { Language } from "./sandbox/sandbox.ts";

/** A request to run a script (spec 001 §2.3); exactly one of `code` and `script` is set. */
export interface ExecRequest {
  code?: string;
  script?: string;
  language?: Language;
  input: McpObject;
  timeoutMs?: number;
  maxToolCalls?: number;
  allowedServers: readonly string[];
}

/**
 * Validates a request of any surface. The order of the checks is the order in which a person would correct the errors.
 *
 * @throws Fault code_request, code_language, code_options
 */
export function readRequest(body: unknown): ExecRequest {
  if (!isObject(body)) throw new Fault("code_request", { reason: "the request must be a JSON object" });
  const { code, script, language, input, options } = body;
  if ((code === undefined) === (script === undefined))
    throw new Fault("code_request", {
      reason: `send exactly one of "code" and "script"${code === undefined ? "; neither is set" : ", not both"}`,
    });
  if (code !== undefined && typeof code !== "string")
    throw new Fault("code_request", { reason: "code must be a string" });
  if (script !== undefined && typeof script !== "string")
    throw new Fault("code_request", { reason: "script must be a string" });
  if (language !== undefined && language !== "javascript" && language !== "typescript")
    throw new Fault("code_language", {
      reason: `language must be "javascript" or "typescript", not ${show(language)}`,
    });
  if (input !== undefined && !isObject(input)) throw new Fault("code_request", { reason: "input must be an object" });
  return {
    ...(code !== undefined && { code }),
    ...(script !== undefined && { script }),
    ...(language !== undefined && { language }),
    input: input ?? {},
    ...readOptions(options),
  };
}

const OPTIONS = v.object({ timeout_ms: v.unknown(), max_tool_calls: v.unknown(), allowed_servers: v.unknown() });

function readOptions(options: unknown): Pick<ExecRequest, "timeoutMs" | "maxToolCalls" | "allowedServers"> {
  if (options === undefined) return { allowedServers: [] };
  if (!isObject(options)) throw new Fault("code_options", { reason: "options must be an object" });
  const unknown = unknownField(OPTIONS, options);
  if (unknown !== undefined) throw new Fault("code_options", { reason: `options.${unknown}` });
  const { timeout_ms: timeoutMs, max_tool_calls: maxToolCalls, allowed_servers: allowedServers } = options;
  if (timeoutMs !== undefined && !isInteger(timeoutMs, 1, 600_000))
    throw new Fault("code_options", { reason: "timeout_ms must be a whole number from 1 to 600000" });
  if (maxToolCalls !== undefined && !isInteger(maxToolCalls, 0, Number.MAX_SAFE_INTEGER))
    throw new Fault("code_options", { reason: "max_tool_calls must be a whole number of at least 0 (0: unlimited)" });
  if (
    allowedServers !== undefined &&
    !(Array.isArray(allowedServers) && allowedServers.every((s) => typeof s === "string"))
  )
    throw new Fault("code_options", { reason: "allowed_servers must be an array of strings" });
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    allowedServers: allowedServers ?? [],
  };
}

const isObject = (v: unknown): v is McpObject => typeof v === "object" && v !== null && !Array.isArray(v);
const isInteger = (v: unknown, min: number, max: number): v is number =>
  typeof v === "number" && Number.isInteger(v) && v >= min && v <= max;
const show = (v: unknown) => JSON.stringify(v)?.slice(0, 60) ?? String(v);
