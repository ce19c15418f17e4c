import type { BytePieces } from "../base/json-pieces.ts";
import type { McpObject } from "../schema/mcp.ts";

/** One message on its way; a long one in pieces, since making one text of them would hold up the event loop. */
export type OutgoingText = string | BytePieces;

/** A request on its way: what a transport may need of it besides its text. */
export interface OutgoingRequest {
  readonly id: number;
  readonly method: string;
  readonly params: McpObject;
}

/**
 * One way to exchange JSON-RPC messages with one upstream: pipes, streamable HTTP, legacy HTTP+SSE. It carries texts;
 * what they mean is the exchange's business. What comes back is told to a Receiver.
 */
export interface Transport {
  readonly kind: "stdio" | "http" | "sse";
  readonly pid?: number | undefined;
  /** Counts the sessions an HTTP upstream gave out. */
  readonly generation?: number;
  /** Sends one message; `request` is given when an answer is expected, whose absence is then told by `failed`. */
  send(text: OutgoingText, request?: OutgoingRequest): void;
  /** Nobody waits for this answer any more. */
  forget(id: number): void;
  /** What every further request carries: the revision agreed on, and what the era adds. */
  agree(terms: ProtocolTerms): void;
  /** Opens the way for messages the upstream sends on its own; false when it offers none. */
  listen(): Promise<boolean>;
  /**
   * Resolves when what the upstream says on its own can be heard, or surely cannot; undefined when there is nothing to wait
   * for. It stays unresolved where `listen` is not called.
   */
  readonly hearing?: Promise<unknown> | undefined;
  /** Ends it for good: session, sockets, processes. Never rejects, and returns within 6 s. */
  close(): Promise<void>;
}

/** What a handshake settled, as far as the transport is concerned. */
export interface ProtocolTerms {
  readonly protocolVersion: string;
  /** Further headers of one request (2026 era). */
  headers?(request: OutgoingRequest): Record<string, string>;
}

export interface TransportReceiver {
  /**
   * One message; a large one is read in several turns of the event loop.
   *
   * @param carrier the request on whose own stream it came, where the transport can tell
   * @returns whether it settled a request; of a large one when it has been read, and that never rejects
   */
  message(text: string, carrier?: number): boolean | Promise<boolean>;
  /** Whether somebody still waits for the answer to this request. */
  awaits(id: number): boolean;
  /** This request gets no answer any more. */
  failed(id: number, error: Error): void;
  /** A message was larger than allowed and passed over; its ends are left. */
  tooLong(head: string, tail: string, bytes: number): void;
  /** The upstream is gone; nothing more will come. */
  closed(error: Error): void;
  /** The upstream's HTTP session is unknown to it; `generation` is that of the session the request named. */
  sessionLost(generation: number): void;
  /** The stream of what the upstream says on its own was interrupted and is open again. */
  resumed(): void;
  /** Something that is no MCP, for the server's own log. */
  fault(line: string): void;
}
