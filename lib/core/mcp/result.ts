import type { Fault } from "../base/fault.ts";
import { type McpObject, META_PREFIX } from "../schema/mcp.ts";

/** The name and version by which the proxy presents itself to clients. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const SERVER_INFO = `${META_PREFIX}serverInfo`;

/** The JSON text of a tool result holding one text block. */
function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** What a built-in tool answered, as the JSON text of a tool result: text as it is, anything else as JSON text. */
export function valueResult(value: unknown): string {
  return textResult(typeof value === "string" ? value : JSON.stringify(value ?? null));
}

/**
 * A failure somebody can act on, as the JSON text of a tool result. The model reads the message; programs find the
 * fault's code in `_meta`, and how long to wait before another attempt (`proxy/retry_after_ms`). A fault that carries a report shows the report instead of its one line.
 *
 * @param info added to `_meta`, for protocol versions whose results name the server that answers
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
 * A result of the 2026 family: marked as complete, with the server that answers. These members are put in front of the JSON text, so
 * that the rest keeps its own bytes.
 *
 * @param raw the JSON text of an object without `resultType`; with a `_meta` of its own when `info` is left out
 */
export function completedResult(raw: string, info?: ServerInfo, meta?: McpObject): string {
  const own = { resultType: "complete", ...(info && { _meta: { [SERVER_INFO]: info, ...meta } }) };
  const head = JSON.stringify(own).slice(0, -1);
  const rest = raw.slice(raw.indexOf("{") + 1).trimStart();
  return rest === "}" ? `${head}}` : `${head},${rest}`;
}
