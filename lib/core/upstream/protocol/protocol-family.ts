import type { McpObject } from "../../schema/mcp.ts";
import type { ServerCapabilities } from "../../schema/server-capabilities.ts";
import type { Transport } from "../transport.ts";
import { capabilitiesIn } from "./capabilities.ts";
import type { Exchange } from "./exchange.ts";

/** The name and version that the proxy states to upstreams. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What an upstream declares about itself in the handshake. */
export interface HandshakeResult {
  readonly family: ProtocolFamily;
  readonly protocolVersion: string;
  readonly serverInfo: { name: string; version: string; title?: string } | undefined;
  readonly instructions: string | undefined;
  /** True if it sends notifications about changes of its tool list. */
  readonly listChanged: boolean;
  /** True if it declares tools. */
  readonly tools: boolean;
  /** The declared capabilities, including those about tools. */
  readonly capabilities: ServerCapabilities;
  /**
   * Reads the listed tools, if later requests depend on them.
   *
   * @param reject called for each tool that must not be offered
   * @returns the other tools
   */
  learnTools?(entries: readonly unknown[], reject: (tool: string, reason: string) => void): Promise<unknown[]>;
}

export interface HandshakeOptions {
  readonly client: ClientInfo;
  /** The questions that upstreams of versions up to 2025-11-25 may ask; absent: none. */
  readonly capabilities?: McpObject;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * A family of protocol versions: how a conversation is opened, checked and listened to. Each connection uses one
 * family, so the proxy uses both at the same time.
 */
export interface ProtocolFamily {
  readonly name: "2025" | "2026";
  /** Opens the conversation. */
  handshake(line: ProtocolChannel, options: HandshakeOptions): Promise<HandshakeResult>;
  /** Checks that the upstream still answers. */
  ping(line: ProtocolChannel, timeoutMs: number): Promise<void>;
  /** Opens the channel on which the server sends notifications about changes. @returns false if it has none */
  listen(line: ListenChannel): Promise<boolean>;
}

/** A channel and, if known, what its upstream declared. */
export interface ListenChannel extends ProtocolChannel {
  readonly handshake?: Pick<HandshakeResult, "capabilities">;
}

/** An exchange and its transport. */
export interface ProtocolChannel {
  readonly exchange: Exchange;
  readonly transport: Transport;
}

/** Maximum length of the texts with which an upstream describes itself. (characters) */
const MAX_TEXT = 32_768;
const MAX_NAME = 256;

/** Reads the parts of a handshake that all versions have. Each is checked, because upstreams may violate the schema. */
export function handshakeParts(result: McpObject, info: unknown) {
  const capabilities = objectOf(result.capabilities);
  const tools = capabilities.tools === undefined ? undefined : objectOf(capabilities.tools);
  return {
    serverInfo: serverInfoOf(info),
    instructions: typeof result.instructions === "string" ? result.instructions.slice(0, MAX_TEXT) : undefined,
    listChanged: tools?.listChanged === true,
    tools: tools !== undefined,
    capabilities: capabilitiesIn(capabilities),
  };
}

function serverInfoOf(info: unknown): HandshakeResult["serverInfo"] {
  const { name, version, title } = objectOf(info);
  if (typeof name !== "string") return undefined;
  return {
    name: name.slice(0, MAX_NAME),
    version: typeof version === "string" ? version.slice(0, MAX_NAME) : "",
    ...(typeof title === "string" && { title: title.slice(0, MAX_NAME) }),
  };
}

function objectOf(value: unknown): McpObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as McpObject) : {};
}
