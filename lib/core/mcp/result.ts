import type { Fault } from "../base/fault.ts";
import { type McpObject, META_PREFIX } from "../schema/mcp.ts";

/** The name and version that the proxy states to clients. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const SERVER_INFO = `${META_PREFIX}serverInfo`;

/** Returns the JSON text of a tool result with one text block. */
function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** Returns a built-in tool's value as the JSON text of a tool result: text unchanged, any other value as JSON text. */
export function valueResult(value: unknown): string {
  return textResult(typeof value === "string" ? value : JSON.stringify(value ?? null));
}

/**
 * Returns a fault as the JSON text of a tool result. The model reads the message; programs find the code of the fault
 * in `_meta`, and how long to wait before a retry (`proxy/retry_after_ms`). If the fault has a report, the text is the
 * report instead of the message.
 *
 * @param info added to `_meta`, for protocol versions whose results name the server that responds
 */
export function faultResult(fault: Fault, info?: ServerInfo): string {
  const { report } = fault.facts;
  const text = report === undefined ? fault.message : JSON.stringify(report);
  const { retryAfterMs } = fault.facts;
  const wait = typeof retryAfterMs === "number" && { "proxy/retry_after_ms": retryAfterMs };
  const meta = JSON.stringify({ "proxy/code": fault.code, ...wait, ...(info && { [SERVER_INFO]: info }) });
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true,"_meta":${meta}}`;
}

/**
 * Marks a 2026-07-28 result as complete and adds the server that responds. These members are inserted at the beginning
 * of the JSON text, so that the rest keeps its original bytes.
 *
 * @param raw the JSON text of an object without `resultType`; if `info` is absent, it may have a `_meta`
 */
export function completedResult(raw: string, info?: ServerInfo, meta?: McpObject): string {
  const own = { resultType: "complete", ...(info && { _meta: { [SERVER_INFO]: info, ...meta } }) };
  const head = JSON.stringify(own).slice(0, -1);
  const rest = raw.slice(raw.indexOf("{") + 1).trimStart();
  return rest === "}" ? `${head}}` : `${head},${rest}`;
}
