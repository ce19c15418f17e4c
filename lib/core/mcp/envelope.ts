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

/** What a 2026-07-28 request states about its sender. */
export interface Envelope {
  /** The client's name and version, if it states them. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** The client's capabilities for this request. */
  readonly capabilities: McpObject;
  /** The minimum level of log messages that the client wants during this request. */
  readonly logLevel?: MessageLevel;
}

/**
 * The protocol family of a message, or the error if it has none. `2025`: versions up to 2025-11-25. `2026`: 2026-07-28.
 */
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
 * Determines the protocol family of each message from the message, as 2026-07-28 requires: a request that names the
 * version in `_meta` is of 2026-07-28, whatever was sent on the same connection before. The header
 * `MCP-Protocol-Version` must agree, but alone does not decide. A notification has no such `_meta`, so there the header
 * decides.
 *
 * @param header the value of the header, over HTTP
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

/** True if a message names its protocol version in `_meta`, as 2026-07-28 requests do. */
export function claimsEnvelope(message: unknown): boolean {
  return claimOf(message) !== undefined;
}

/** Makes the error for an unsupported version. It lists the supported ones, so that the client can choose another. */
export function unsupportedVersion(requested: unknown): RpcErrorObject {
  const message = `Unsupported protocol version; this proxy supports ${REVISIONS.join(", ")}`;
  return { code: RPC.unsupportedRevision, message, data: { supported: REVISIONS, requested } };
}

function claimOf(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message.params) || !isJsonObject(message.params._meta)) return undefined;
  return message.params._meta[VERSION];
}

function byHeader(message: unknown): ProtocolReading {
  // A batch, or anything else that is not a message, gets the error of the older versions.
  if (!isJsonObject(message)) return OLDER;
  if (typeof message.method !== "string")
    return none(RPC.invalidRequest, "Invalid Request: a client may only send requests and notifications");
  // `initialize` names its version in the body only.
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

/** Maximum length of a client's name and version in records. */
const MAX_CLIENT_NAME = 200;

/** Returns a client's name and version for records; undefined if the client does not state them. */
export function clientFrom(info: unknown): Envelope["client"] {
  if (!isJsonObject(info)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_CLIENT_NAME) : "");
  return { name: text(info.name), version: text(info.version) };
}

/** Makes the error for headers that do not agree with the message. */
export function headerMismatch(reason: string): { readonly family: "none"; readonly error: RpcErrorObject } {
  return none(RPC.headerMismatch, `Header mismatch: ${reason}`);
}

function none(code: number, message: string): { readonly family: "none"; readonly error: RpcErrorObject } {
  return { family: "none", error: { code, message } };
}

/** Quotes text of a client in an error message to this client. */
const shown = (text: string) => JSON.stringify(text.slice(0, 100));
