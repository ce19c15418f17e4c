import { isUtf8 } from "node:buffer";
import { isJsonObject } from "../../base/json-object.ts";
import type { McpObject } from "../../schema/mcp.ts";

/** An argument that a header must repeat: its path, and the name of the header. */
export interface DeclaredHeader {
  readonly path: readonly string[];
  readonly header: string;
  readonly type: "string" | "integer" | "boolean";
}

/**
 * The headers of `tools/call` that repeat arguments, as the schemas of tools declare by `x-mcp-header` (MCP
 * 2026-07-28).
 */
export interface ParamHeaders {
  /**
   * Reads the declarations of listed tools. @param entries of a listing; if two have the same name, the first counts,
   * as in the catalog
   */
  learn(entries: readonly unknown[]): void;
  of(params: McpObject): Record<string, string>;
}

export function createParamHeaders(): ParamHeaders {
  let known = new Map<string, DeclaredHeader[]>();
  return {
    learn(entries) {
      known = new Map();
      for (const entry of entries)
        if (isJsonObject(entry) && typeof entry.name === "string" && !known.has(entry.name))
          known.set(entry.name, declaredHeaders(entry.inputSchema));
    },
    of(params) {
      const out: Record<string, string> = {};
      for (const { path, header } of known.get(String(params.name)) ?? []) {
        const text = headerText(argumentAt(params.arguments, path));
        if (text !== undefined) out[header] = text;
      }
      return out;
    },
  };
}

/** The member of the params that the header `Mcp-Name` repeats, by method. */
export const NAMED_MEMBER: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Returns the headers that repeat the method and the name in a request. */
export function routingHeaders(method: string, params: McpObject): Record<string, string> {
  const name = Object.hasOwn(NAMED_MEMBER, method) ? params[NAMED_MEMBER[method]!] : undefined;
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }) };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const isPrimitive = (type: unknown): type is DeclaredHeader["type"] =>
  type === "string" || type === "integer" || type === "boolean";
const MAX_DEPTH = 32;

/** Returns the headers that an input schema declares; malformed declarations are left out. */
export function declaredHeaders(inputSchema: unknown): DeclaredHeader[] {
  return [...declarations(inputSchema, [])];
}

/** Lists the declarations of a schema. Only properties that are reached by `properties` only may have one. */
function* declarations(schema: unknown, path: readonly string[]): Generator<DeclaredHeader> {
  if (!isJsonObject(schema) || path.length > MAX_DEPTH) return;
  const { type, "x-mcp-header": name } = schema;
  if (path.length > 0 && typeof name === "string" && TOKEN.test(name) && isPrimitive(type))
    yield { path, header: `mcp-param-${name.toLowerCase()}`, type };
  if (!isJsonObject(schema.properties)) return;
  for (const [key, child] of Object.entries(schema.properties)) yield* declarations(child, [...path, key]);
}

/** Returns the argument at a path; undefined if there is none. */
export function argumentAt(root: unknown, path: readonly string[]): unknown {
  let at = root;
  for (const key of path) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

function headerText(value: unknown): string | undefined {
  if (typeof value === "string") return encodeHeaderValue(value);
  if (typeof value === "boolean") return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Encodes a text as a header value; in base64 if it could not be transferred unchanged. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** Decodes a header value; undefined if it is invalid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (/[^\t\x20-\x7e]/.test(value)) return undefined;
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (wrapped === undefined) return value;
  const bytes = Buffer.from(wrapped, "base64");
  return isUtf8(bytes) && bytes.toString("base64") === wrapped ? bytes.toString("utf8") : undefined;
}
