import type { BytePieces } from "../base/json-pieces.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";

/** One message to send. A long one is in pieces, because joining them would block the event loop. */
export type OutgoingText = string | BytePieces;

/** A request to send: the facts that a transport may need besides its text. */
export interface OutgoingRequest {
  readonly id: number;
  readonly method: string;
  readonly params: McpObject;
  /** The caller for whom the request is made; undefined for the proxy's own requests. */
  readonly caller: Caller | undefined;
}

/**
 * Exchanges JSON-RPC messages with one upstream over pipes, streamable HTTP or HTTP+SSE. It transfers texts without
 * interpreting them, and passes received ones to a TransportReceiver.
 */
export interface Transport {
  readonly kind: "stdio" | "http" | "sse";
  readonly pid?: number | undefined;
  /** Number of the current session of an HTTP upstream. */
  readonly generation?: number;
  /**
   * Sends one message. `request` is given if a response is expected; if none can come, the receiver's `failed` is
   * called.
   */
  send(text: OutgoingText, request?: OutgoingRequest): void;
  /** Call when nobody waits for this response any more. */
  forget(id: number): void;
  /** Sets what every further request must contain: the negotiated version, and what its family adds. */
  agree(terms: ProtocolTerms): void;
  /** Opens the stream for messages of the upstream that belong to no request; false if it has none. */
  listen(): Promise<boolean>;
  /**
   * Resolves when such messages can be received, or certainly cannot; undefined if there is nothing to wait for. If
   * `listen` is never called, it may stay unresolved.
   */
  readonly hearing?: Promise<unknown> | undefined;
  /** Ends the session, connections and processes. Never rejects, and returns within 6 s. */
  close(): Promise<void>;
}

/** The results of a handshake that concern the transport. */
export interface ProtocolTerms {
  readonly protocolVersion: string;
  /** Returns additional headers of one request (2026-07-28). */
  headers?(request: OutgoingRequest): Record<string, string>;
}

export interface TransportReceiver {
  /**
   * Handles one message. A large one is parsed in several turns of the event loop.
   *
   * @param carrier id of the request on whose stream it came, if the transport can tell
   * @returns whether it was the response to a request; for a large message a promise that never rejects
   */
  message(text: string, carrier?: number): boolean | Promise<boolean>;
  /** True if somebody still waits for the response to this request. */
  awaits(id: number): boolean;
  /** Called when a request will get no response. */
  failed(id: number, error: Error): void;
  /** Called when a message was too large and was skipped; `head` and `tail` are its ends. */
  tooLong(head: string, tail: string, bytes: number): void;
  /** Called when the upstream has disconnected; nothing more will come. */
  closed(error: Error): void;
  /**
   * Called when the upstream no longer knows its HTTP session; `generation` is the number of the session in the
   * request.
   */
  sessionLost(generation: number): void;
  /** Called when the stream of messages that belong to no request is open again after an interruption. */
  resumed(): void;
  /** Called with a description of a protocol violation, for the server's log. */
  fault(line: string): void;
}
