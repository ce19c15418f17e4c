import type { Agent, IncomingMessage } from "node:http";
import { Fault } from "../../core/base/fault.ts";
import { GatheredText } from "../../core/base/gathered-text.ts";
import { EventStreamReader } from "../../core/upstream/http/event-stream-reader.ts";
import { openRequest, type ProxyTarget, unreachable } from "../open-request.ts";

/** The target of a bridge's messages. */
export interface BridgeTarget {
  readonly to: ProxyTarget;
  /** Path of the MCP endpoint, below the path of a URL. */
  readonly path: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Keeps connections open between messages. */
  readonly agent?: Agent;
}

export interface BridgeRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Called with the JSON text of each message that arrives. */
  receive(text: string): void;
  /** Called when the proxy has accepted the request. */
  accepted?(): void;
  /** Returns a promise to wait for before reading on. */
  pace?(): Promise<void> | undefined;
}

/** The result of one HTTP request. */
export interface BridgeResponse {
  readonly status: number;
  readonly sessionId: string | undefined;
  /** The body of an error response. */
  readonly text: string;
}

/** The proxy sends a heartbeat every 20 s; after this silence the connection counts as lost (ms). */
const SILENCE_MS = 120_000;

/** Largest message that is forwarded; the proxy has the same limit for servers (bytes). */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Sends one HTTP request to the MCP endpoint and forwards the messages of its response, a JSON body or an event stream.
 *
 * @throws Fault daemon_not_running if the request certainly did not reach the proxy; daemon_unreachable if it may have
 */
export async function postMessage(target: BridgeTarget, request: BridgeRequest): Promise<BridgeResponse> {
  const { to, path, agent } = target;
  const { method, body, receive } = request;
  const silence = new AbortController();
  let isPaced = false;
  const timer = setTimeout(() => (isPaced ? timer.refresh() : silence.abort()), SILENCE_MS);
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const headers = {
    accept: "application/json, text/event-stream",
    ...target.headers,
    ...request.headers,
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  let response: IncomingMessage | undefined;
  try {
    response = await openRequest(to, { method, path, headers, body, signal, agent });
    const status = response.statusCode ?? 0;
    const type = response.headers["content-type"] ?? "";
    if (status < 300) request.accepted?.();
    const read = status === 200 && type.startsWith("text/event-stream") ? events(receive) : whole();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      timer.refresh();
      read.feed(chunk);
      const room = request.pace?.();
      if (!room) continue;
      isPaced = true;
      await room;
      isPaced = false;
    }
    const text = read.end();
    if (status === 200 && type.startsWith("application/json")) receive(text);
    return { status, sessionId: response.headers["mcp-session-id"]?.toString(), text: status === 200 ? "" : text };
  } catch (error) {
    if (request.signal.aborted || error instanceof Fault) throw error;
    throw unreachable(to, silence.signal.aborted ? new Error("it sent nothing for two minutes") : error);
  } finally {
    clearTimeout(timer);
    response?.destroy();
  }
}

function events(receive: (text: string) => void) {
  const reader = new EventStreamReader(
    {
      event: (_, data) => receive(data),
      tooLong: () => {
        throw new Fault("client_answer_too_large", { limit: MAX_MESSAGE_BYTES });
      },
    },
    MAX_MESSAGE_BYTES,
  );
  return { feed: (chunk: Buffer) => reader.feed(chunk), end: () => "" };
}

function whole() {
  const gathered = new GatheredText();
  return {
    feed(chunk: Buffer) {
      gathered.add(chunk);
      if (gathered.sizeBytes > MAX_MESSAGE_BYTES)
        throw new Fault("client_answer_too_large", { limit: MAX_MESSAGE_BYTES });
    },
    end: () => gathered.take(),
  };
}
