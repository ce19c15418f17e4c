import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../schema/caller.ts";
import { acceptsType } from "./accept.ts";
import { type ClientEventStream, openClientEventStream } from "./client-event-stream.ts";
import type { Envelope } from "./envelope.ts";
import { isMalformed, type ReceiveOutcome, responseText } from "./mcp-server.ts";
import type { MessageText } from "./message-text.ts";
import type { McpMode } from "./mount.ts";
import type { McpResponse } from "./received-post.ts";
import type { RequestContext, Requester } from "./request-context.ts";
import type { ClientMessage } from "./rpc.ts";
import { sendJson, sendJsonPieces } from "./send-json.ts";
import type { McpSession } from "./sessions.ts";

interface ClientPostFacts {
  readonly headers: IncomingHttpHeaders;
  readonly res: McpResponse;
  readonly mode: McpMode;
  readonly requester: Requester;
  /** Absent for a client without a session. */
  readonly session: McpSession | undefined;
  /** The header `MCP-Protocol-Version`. */
  readonly revision: string | undefined;
  /** What a 2026-07-28 request states about its sender; absent for older versions. */
  readonly envelope: Envelope | undefined;
  readonly method: "initialize" | "subscriptions/listen" | "other";
  readonly isBatch: boolean;
}

/**
 * A POST whose message is being answered. It makes the contexts of its JSON-RPC requests and sends the response: JSON,
 * or an event stream if something must be sent before the result.
 */
export class ClientPost {
  /** One controller for each JSON-RPC request in it. */
  readonly aborts: AbortController[] = [];
  /** True if the request was already in progress at the last heartbeat. */
  waited = false;
  /** The context of the latest request in it. */
  context: RequestContext | undefined;
  private hasRequest = false;
  private readonly facts: ClientPostFacts;
  private readonly acceptsStream: boolean;
  private stream: ClientEventStream | undefined;

  constructor(facts: ClientPostFacts) {
    this.facts = facts;
    this.acceptsStream = facts.headers.accept?.includes("text/event-stream") ?? false;
  }

  /** True if the client's protocol version has batches. */
  get hasBatches(): boolean {
    const { session, revision = "2025-03-26" } = this.facts;
    return (session?.revision ?? revision) === "2025-03-26";
  }

  /** True if nothing listens to the signal of its only request, so that its controller can be used again. */
  get passedThrough(): boolean {
    return !this.facts.isBatch && this.context?.passedThrough === true;
  }

  get caller(): Caller {
    return this.facts.requester.caller;
  }

  /** Makes the context of one message. Members are set one by one, because a spread would make calls measurably slower. */
  openContext({ kind }: ClientMessage, abort: AbortController): RequestContext {
    if (kind === "request") this.hasRequest = true;
    const { headers, mode, requester, session, envelope, isBatch } = this.facts;
    this.aborts.push(abort);
    const observed = undefined;
    const context: Writable<RequestContext> = { mode, requester, session, abort, passedThrough: false, observed };
    if (envelope) {
      context.envelope = envelope;
      context.headers = headers;
    }
    if (headers.traceparent !== undefined) context.traceHeaders = headers;
    if (this.acceptsStream && !isBatch) {
      context.notify = (text) => this.openStream().send(text);
      if (session) context.deliver = (text) => void this.openStream().deliver(text);
    }
    this.context = context;
    return context;
  }

  /** Cancels the requests of a client that has disconnected, because it could not receive the response later. */
  left(): void {
    if (!this.facts.res.writableFinished) for (const abort of this.aborts) abort.abort();
  }

  /** Sends a comment on the event stream, so that no intermediary closes the connection of a long call. */
  keepAlive(): void {
    if (this.acceptsStream) this.openStream().keepAlive();
  }

  respond(outcome: ReceiveOutcome): Promise<void> | void {
    const { headers, res } = this.facts;
    const text = responseText(outcome);
    if (text === undefined) {
      // A cancelled request gets no response; the event stream ends without one.
      if (this.hasRequest && this.acceptsStream) return this.openStream().end();
      res.writeHead(202, ["content-length", "0", ...this.responseHeaders()]);
      return void res.end();
    }
    const status = isMalformed(outcome) ? 400 : (this.context?.status ?? (this.challenge ? 403 : 200));
    if (!this.stream && (status !== 200 || acceptsType(headers, "application/json")))
      return typeof text === "string"
        ? sendJson(res, status, text, this.responseHeaders())
        : sendJsonPieces(res, status, text, this.responseHeaders());
    return this.endStream(text);
  }

  private async endStream(text: MessageText): Promise<void> {
    const stream = this.openStream();
    await stream.deliver(text);
    stream.end();
  }

  private openStream(): ClientEventStream {
    const { res, method } = this.facts;
    // A daemon that stops recognises event streams by this header and does not wait for them.
    if (method === "subscriptions/listen" && !this.stream) res.setHeader("content-type", "text/event-stream");
    this.stream ??= openClientEventStream(res, this.responseHeaders());
    return this.stream;
  }

  private responseHeaders(): string[] {
    const { requester, method } = this.facts;
    const opened = method === "initialize" ? this.context?.session : undefined;
    if (opened) return ["x-request-id", requester.requestId, "mcp-session-id", opened.id];
    const { challenge } = this;
    if (challenge) return ["x-request-id", requester.requestId, "www-authenticate", challenge];
    return ["x-request-id", requester.requestId];
  }

  /** Several requests share one status, and after the begin of a stream it is sent already. */
  private get challenge(): string | undefined {
    return this.facts.isBatch || this.stream ? undefined : this.context?.challenge;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
