import type { IncomingHttpHeaders } from "node:http";
import type { McpObject } from "../schema/mcp.ts";
import {
  argumentAt,
  type DeclaredHeader,
  decodeHeaderValue,
  NAMED_MEMBER,
} from "../upstream/protocol/param-headers.ts";

/**
 * Returns how the headers of a request differ from its body, which they must repeat in 2026-07-28; undefined if they
 * agree. Intermediaries may route or check a request by its headers alone, so both must mean the same.
 */
export function requestHeadersMismatch(
  headers: IncomingHttpHeaders,
  method: string,
  params: McpObject,
): string | undefined {
  if (headers["mcp-protocol-version"] === undefined) return "MCP-Protocol-Version is missing";
  const header = textOf(headers["mcp-method"]);
  if (header === undefined) return "Mcp-Method is missing";
  if (header !== method) return `Mcp-Method is ${shown(header)}, but the method in the body is ${shown(method)}`;
  const name = Object.hasOwn(NAMED_MEMBER, method) ? params[NAMED_MEMBER[method]!] : undefined;
  if (typeof name !== "string") return undefined;
  return disagreement("Mcp-Name", textOf(headers["mcp-name"]), name, "string");
}

/** Like `requestHeadersMismatch`, for the arguments of a tool that headers must repeat (`x-mcp-header`). */
export function paramHeadersMismatch(
  headers: IncomingHttpHeaders,
  declared: readonly DeclaredHeader[],
  args: McpObject,
): string | undefined {
  for (const { path, header, type } of declared) {
    const value = argumentAt(args, path);
    // An absent argument is not repeated, and one of another type than declared cannot be.
    if (value === undefined || value === null || typeof value === "object") continue;
    const reason = disagreement(header, textOf(headers[header]), value, type);
    if (reason) return reason;
  }
  return undefined;
}

function disagreement(
  name: string,
  header: string | undefined,
  value: unknown,
  type: DeclaredHeader["type"],
): string | undefined {
  if (header === undefined) return `${name} is missing`;
  const text = decodeHeaderValue(header);
  if (text === undefined) return `${name} is not a valid header value`;
  if (text === String(value)) return undefined;
  if (type === "integer" && typeof value === "number" && DECIMAL.test(text) && Number(text) === value) return undefined;
  return `${name} is ${shown(text)}, but the body contains ${shown(String(value))}`;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Returns a header as one text. A repeated header is joined, so that it equals no value. */
function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

const shown = (text: string) => JSON.stringify(text.slice(0, 100));
