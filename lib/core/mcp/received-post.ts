import type { IncomingHttpHeaders } from "node:http";

/**
 * Where the response to a request at an MCP endpoint is written: the members of `ServerResponse` of `node:http` that
 * are used for it.
 */
export interface McpResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  /** True after `end`. */
  readonly writableEnded: boolean;
  /** True when the operating system has the whole response. */
  readonly writableFinished: boolean;
  /** Number of bytes that the operating system does not have yet. */
  readonly writableLength: number;
  setHeader(name: string, value: string): unknown;
  /** @param headers names and values, alternating */
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  /** Returns false if the caller should wait for `drain`. */
  write(chunk: string | Buffer): boolean;
  end(): unknown;
  end(text: string, encoding: "latin1" | "utf8"): unknown;
  destroy(): unknown;
  on(event: McpResponseEvent, listener: () => void): unknown;
  off(event: McpResponseEvent, listener: () => void): unknown;
}

type McpResponseEvent = "close" | "drain" | "error";

/** A POST that arrived as a whole before it was handed over. */
export interface ReceivedPost {
  /** Path and query as sent. */
  readonly target: string;
  /** Each name occurs once in the request. The next request of the connection may have the same object. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Address of the peer; undefined on a local socket. */
  readonly remote: string | undefined;
  /** The body; undefined if it is not valid UTF-8. */
  readonly text: string | undefined;
  readonly sizeBytes: number;
  readonly response: McpResponse;
}
