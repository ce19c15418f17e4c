import { isJsonObject } from "../base/json-object.ts";
import { isMessageLevel, MESSAGE_LEVELS, type MessageLevel } from "../schema/log-message.ts";
import {
  type McpObject,
  META_PREFIX,
  REVISION_2026,
  REVISIONS,
  REVISIONS_2025,
  RPC,
  type RpcErrorObject,
} from "../schema/mcp.ts";

/** What a request of the 2026 family says about its sender. */
export interface Envelope {
  /** As the client calls itself; it need not. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Of the client, for this one request. */
  readonly capabilities: McpObject;
  /** The client wants the log messages of this request from this level on. */
  readonly logLevel?: MessageLevel;
}

/** The protocol family that a message belongs to, or the error if it belongs to none. */
type ProtocolReading =
  | { readonly family: "2025" }
  | { readonly family: "2026"; readonly envelope: Envelope }
  | { readonly family: "none"; readonly error: RpcErrorObject };

const VERSION = `${META_PREFIX}protocolVersion`;
const CLIENT = `${META_PREFIX}clientInfo`;
const LOG_LEVEL = `${META_PREFIX}logLevel`;
const CAPABILITIES = `${META_PREFIX}clientCapabilities`;

const OLDER: ProtocolReading = { family: "2025" };

/**
 * Reads the protocol family from the message itself, as 2026-07-28 requires: a request that names the revision in `_meta` is
 * of 2026, whatever came over the same connection before. The header `MCP-Protocol-Version` has to agree, and alone makes
 * no request of 2026; a notification has no such `_meta`, so there the header decides.
 *
 * @param header its value, over HTTP
 */
export function readProtocol(message: unknown, header: string | undefined): ProtocolReading {
  const claimed = claimOf(message);
  if (claimed === undefined) return header === REVISION_2026 ? byHeader(message) : OLDER;
  if (typeof claimed !== "string") return none(RPC.invalidParams, `Invalid params: ${VERSION} must be a string`);
  if (header !== undefined && header !== claimed)
    return headerMismatch(`MCP-Protocol-Version is ${shown(header)}, _meta of the message contains ${shown(claimed)}`);
  if (claimed === REVISION_2026) return read((message as { params: { _meta: McpObject } }).params._meta, message);
  if (REVISIONS_2025.some((revision) => revision === claimed)) return OLDER;
  return { family: "none", error: unsupportedVersion(claimed) };
}

/** Whether a message names its protocol version in `_meta`, as requests of the 2026 family do. */
export function claimsEnvelope(message: unknown): boolean {
  return claimOf(message) !== undefined;
}

/** The answer to a revision that is not spoken, with those that are, so that the client can choose another. */
export function unsupportedVersion(requested: unknown): RpcErrorObject {
  const message = `Unsupported protocol version; this proxy supports ${REVISIONS.join(", ")}`;
  return { code: RPC.unsupportedRevision, message, data: { supported: REVISIONS, requested } };
}

function claimOf(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message.params) || !isJsonObject(message.params._meta)) return undefined;
  return message.params._meta[VERSION];
}

function byHeader(message: unknown): ProtocolReading {
  // A batch, or anything else that is no message, gets the error of the 2025 family.
  if (!isJsonObject(message)) return OLDER;
  if (typeof message.method !== "string")
    return none(RPC.invalidRequest, "Invalid Request: a client may only send requests and notifications");
  // `initialize` names its revision in the body only.
  if (message.method === "initialize") return OLDER;
  return read(isJsonObject(message.params) ? message.params._meta : undefined, message);
}

function read(meta: unknown, message: unknown): ProtocolReading {
  const given = isJsonObject(meta) ? meta : {};
  const isRequest = isJsonObject(message) && message.id !== undefined;
  const missing = [VERSION, CAPABILITIES].filter((key) => given[key] === undefined);
  if (isRequest && missing.length > 0)
    return none(RPC.invalidParams, `Invalid params: _meta lacks ${missing.join(" and ")}`);
  const capabilities = given[CAPABILITIES] ?? {};
  if (!isJsonObject(capabilities)) return none(RPC.invalidParams, `Invalid params: ${CAPABILITIES} must be an object`);
  const { [LOG_LEVEL]: logLevel } = given;
  if (logLevel !== undefined && !isMessageLevel(logLevel))
    return none(RPC.invalidParams, `Invalid params: ${LOG_LEVEL} must be one of ${MESSAGE_LEVELS.join(", ")}`);
  const envelope = { client: clientFrom(given[CLIENT]), capabilities, ...(logLevel && { logLevel }) };
  return { family: "2026", envelope };
}

/** Longest client name and version kept. */
const MAX_CLIENT_NAME = 200;

/** How a client calls itself, for records; undefined when it does not. */
export function clientFrom(info: unknown): Envelope["client"] {
  if (!isJsonObject(info)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_CLIENT_NAME) : "");
  return { name: text(info.name), version: text(info.version) };
}

/** An answer to headers that do not fit. */
export function headerMismatch(reason: string): { readonly family: "none"; readonly error: RpcErrorObject } {
  return none(RPC.headerMismatch, `Header mismatch: ${reason}`);
}

function none(code: number, message: string): { readonly family: "none"; readonly error: RpcErrorObject } {
  return { family: "none", error: { code, message } };
}

/** Of a client's own text, in a message to it. */
const shown = (text: string) => JSON.stringify(text.slice(0, 100));
