import type { McpObject } from "../../schema/mcp.ts";
import type { ServerCapabilities } from "../../schema/server-capabilities.ts";
import type { Transport } from "../transport.ts";
import { capabilitiesIn } from "./capabilities.ts";
import type { Exchange } from "./exchange.ts";

/** The name and version by which the proxy presents itself to upstreams. */
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
  /** Whether it announces changes of its tool list. */
  readonly listChanged: boolean;
  /** Whether it has tools at all. */
  readonly tools: boolean;
  /** The capabilities that it declares, tools included. */
  readonly capabilities: ServerCapabilities;
  /**
   * Learns the tools it lists, where later requests depend on them.
   *
   * @param reject called for each tool that must not be offered
   * @returns the others
   */
  learnTools?(entries: readonly unknown[], reject: (tool: string, reason: string) => void): Promise<unknown[]>;
}

export interface HandshakeOptions {
  readonly client: ClientInfo;
  /** What upstreams of the 2025 family may ask for; nothing where it is left out. */
  readonly capabilities?: McpObject;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * A family of protocol revisions: how a conversation is opened, kept alive and listened to. Which one applies is a
 * property of a connection, so the proxy uses both at the same time.
 */
export interface ProtocolFamily {
  readonly name: "2025" | "2026";
  /** Opens the conversation. */
  handshake(line: ProtocolChannel, options: HandshakeOptions): Promise<HandshakeResult>;
  /** Checks that the upstream still answers. */
  ping(line: ProtocolChannel, timeoutMs: number): Promise<void>;
  /** Opens the channel on which it announces changes. @returns false when it offers none */
  listen(line: ListenChannel): Promise<boolean>;
}

/** A channel, and what its upstream declared where that is known. */
export interface ListenChannel extends ProtocolChannel {
  readonly handshake?: Pick<HandshakeResult, "capabilities">;
}

/** An exchange and what carries it. */
export interface ProtocolChannel {
  readonly exchange: Exchange;
  readonly transport: Transport;
}

/** What is kept of texts an upstream gives about itself. (characters) */
const MAX_TEXT = 32_768;
const MAX_NAME = 256;

/** The parts of a handshake that all revisions have. Each is checked, since upstreams need not keep to the schema. */
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
