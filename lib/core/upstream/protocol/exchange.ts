import type { Clock } from "../../base/clock.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { isLargeJson, largeJsonBytes } from "../../base/json-pieces.ts";
import { nextLoopTurn, runSteps } from "../../base/loop-share.ts";
import { LARGE_JSON_CHARS } from "../../base/parse-large-json.ts";
import { listenForAbort } from "../../base/single-abort.ts";
import { type McpObject, type Reply, RpcError, type RpcErrorObject, type RpcId } from "../../schema/mcp.ts";
import { UpstreamError } from "../errors.ts";
import { readLargeMessage } from "../large-message.ts";
import { MAX_UPSTREAM_MESSAGE_BYTES } from "../stdio/line-splitter.ts";
import type { OutgoingRequest, Transport, TransportReceiver } from "../transport.ts";
import type { RequestOptions } from "../upstreams.ts";
import { TOO_DEEP_TEXT } from "./depth.ts";
import type { ExchangeHooks } from "./exchange-hooks.ts";
import { isListMethod, listingReply } from "./listing-reply.ts";
import { NotificationRouter } from "./notification-router.ts";
import { OpenQuestions, type OpenQuestionsOwner } from "./open-questions.ts";
import { PendingRequest, type PendingRequestOwner } from "./pending-request.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { ReplyReceiver } from "./reply-receiver.ts";
import { withProgressToken } from "./request-progress.ts";
import { readUpstreamMessage, splitResultFrame, type UpstreamMessage } from "./upstream-message.ts";
import type { QuestionAnswer } from "./upstream-question.ts";

/** A larger listing is parsed in a separate turn of the event loop. (characters) */
const SHARED_LISTING = 16 * 1024;

/**
 * Requests and responses over one transport: assigns ids, matches responses, cancels, and passes notifications and the
 * upstream's own requests to their receivers. It makes no function per request, because this is the call path.
 */
export class Exchange implements TransportReceiver, PendingRequestOwner, OpenQuestionsOwner {
  /** Number of responses received so far. The heartbeat treats an increase as a sign of life. */
  received = 0;
  /** Adds the members that the protocol version requires to the params of each request. */
  decorate: ((params: McpObject, options: RequestOptions) => McpObject) | undefined;
  /** Whether the upstream is notified when the proxy abandons a request. */
  notifiesCancel = true;
  /** Whether the upstream may send questions: the handshake declared at least one kind. */
  takesQuestions = false;
  /** Called during the handshake with an error without an id, which can only concern the one open request. */
  onStrayError: ((error: RpcErrorObject) => void) | undefined;
  /** True during the handshake: an end is then a failure of the handshake, and the hooks are not called. */
  isOpening = false;
  readonly clock: Clock;
  readonly requests: PendingRequests;
  private readonly server: string;
  private readonly hooks: ExchangeHooks;
  private readonly questions = new OpenQuestions(this);
  private readonly notifications: NotificationRouter;
  /** Ids of large requests that are not completely sent. */
  private writing: Set<number> | undefined;
  /** Large messages that are being parsed. */
  private reading: Set<Promise<boolean>> | undefined;
  private transport: Transport | undefined;
  private nextId = 1;
  private gone: Error | undefined;

  constructor(server: string, clock: Clock, hooks: ExchangeHooks) {
    this.server = server;
    this.clock = clock;
    this.hooks = hooks;
    this.requests = new PendingRequests(clock);
    this.notifications = new NotificationRouter({ requests: this.requests, questions: this.questions, hooks });
  }

  get isOver(): boolean {
    return this.gone !== undefined;
  }

  /** @throws Error why the exchange has ended */
  throwIfOver(): void {
    if (this.gone) throw this.gone;
  }

  attach(transport: Transport): void {
    this.transport = transport;
  }

  /**
   * Sends a request and waits for its response.
   *
   * @throws Fault call_timeout, cancelled
   * @throws RpcError, UpstreamError
   */
  request(method: string, params: McpObject, options: RequestOptions): Promise<Reply> {
    return new Promise((done, fail) => this.start(method, params, options, { done, fail }));
  }

  /** Like `request`, without a promise: `receiver` gets the outcome, perhaps before this returns. */
  start(method: string, params: McpObject, options: RequestOptions, receiver: ReplyReceiver): void {
    const { signal, timeoutMs, onProgress, makesTask, caller } = options;
    if (this.gone || !this.transport) {
      receiver.fail(this.gone ?? new UpstreamError("it is not connected"));
      return;
    }
    if (signal?.aborted) {
      receiver.fail(new Fault("cancelled"));
      return;
    }
    const id = this.nextId++;
    const deadline = this.clock.now() + timeoutMs;
    const pending = new PendingRequest(this, id, method, params, deadline, options, receiver);
    this.requests.add(pending);
    if (signal) listenForAbort(signal, pending);
    if (makesTask && onProgress) this.notifications.expectTaskProgress(id, onProgress);
    const given = onProgress ? withProgressToken(params, id) : params;
    const sent = this.decorate ? this.decorate(given, options) : given;
    const request = { id, method, params: sent, caller };
    if (isLargeJson(sent)) void this.sendLarge(request);
    else this.transport.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: sent }), request);
  }

  /** Never rejects. */
  private async sendLarge(request: OutgoingRequest): Promise<void> {
    const { id, method, params } = request;
    this.writing ??= new Set();
    this.writing.add(id);
    const text = await largeJsonBytes({ jsonrpc: "2.0", id, method, params });
    this.writing.delete(id);
    if (this.requests.has(id)) this.transport?.send(text, request);
  }

  notify(method: string, params?: McpObject): void {
    this.transport?.send(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  /** Rejects all open requests, and all later ones, with the error. */
  end(error: Error): void {
    this.gone ??= error;
    this.questions.withdrawAll();
    this.requests.endAll(error);
  }

  message(text: string, carrier?: number): boolean | Promise<boolean> {
    if (text.length > SHARED_LISTING && this.listing(text)) return true;
    if (text.length > LARGE_JSON_CHARS) return this.later(text, carrier);
    let message: UpstreamMessage;
    try {
      message = readUpstreamMessage(text);
    } catch (error) {
      return this.unreadable(text, error);
    }
    return this.settle(message, carrier);
  }

  /** Never rejects. */
  private later(text: string, carrier: number | undefined): Promise<boolean> {
    this.reading ??= new Set();
    const { reading } = this;
    const read = this.large(text, carrier).finally(() => reading.delete(read));
    reading.add(read);
    return read;
  }

  private async large(text: string, carrier: number | undefined): Promise<boolean> {
    await nextLoopTurn();
    try {
      const message = await runSteps(readLargeMessage(text));
      return await this.settle(message, carrier);
    } catch (error) {
      return this.unreadable(text, error);
    }
  }

  private unreadable(text: string, error: unknown): boolean {
    const reason = reasonOf(error);
    this.hooks.fault(`not a JSON-RPC message (${reason}): ${text.slice(0, 200)}`);
    const id = answeredId(text.slice(0, 200));
    // The caller need not wait for the timeout, because no valid response will follow.
    const pending = id === undefined ? undefined : this.take(id);
    pending?.fail(new UpstreamError(`its response is not a JSON-RPC message (${reason})`));
    return this.counted(pending);
  }

  private settle(message: UpstreamMessage, carrier: number | undefined): boolean | Promise<boolean> {
    switch (message.kind) {
      case "result": {
        const pending = this.take(message.id);
        pending?.done(message.reply);
        return this.counted(pending);
      }
      case "too deep": {
        const pending = this.take(message.id);
        pending?.fail(new UpstreamError(TOO_DEEP_TEXT));
        return this.counted(pending);
      }
      case "error": {
        const pending = this.take(message.id);
        pending?.fail(new RpcError(message.error));
        if (message.id === null) {
          this.hooks.fault(`error without an id: ${message.error.message.slice(0, 1000)}`);
          this.onStrayError?.(message.error);
        }
        return this.counted(pending);
      }
      case "notification":
        this.notifications.route(message.method, message.params, carrier);
        return false;
      case "request":
        this.questions.ask({ ...message, carrier });
        return false;
      case "batch": {
        const settled = message.texts.map((part) => this.message(part, carrier));
        if (settled.every((one) => typeof one === "boolean")) return settled.includes(true);
        return Promise.all(settled).then((all) => all.includes(true));
      }
    }
  }

  /** Parses the text later if it is the result of a listing. @returns false if it is not */
  private listing(text: string): boolean {
    const frame = splitResultFrame(text);
    const method = frame && this.requests.get(frame.id)?.method;
    if (!frame || method === undefined || !isListMethod(method)) return false;
    const pending = this.take(frame.id)!;
    listingReply(method, text, frame.raw).then(
      (reply) => pending.done(reply),
      (error: Error) => pending.fail(error),
    );
    return this.counted(pending);
  }

  awaits(id: number): boolean {
    return this.requests.has(id);
  }

  failed(id: number, error: Error): void {
    this.take(id)?.fail(error);
  }

  tooLong(head: string, tail: string, bytes: number): void {
    const reason = `its message of ${bytes} bytes is larger than the maximum of ${MAX_UPSTREAM_MESSAGE_BYTES}`;
    this.hooks.fault(reason);
    const id =
      /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)/.exec(head) ?? /"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail);
    if (id) this.failed(Number(id[1]), new UpstreamError(reason));
  }

  closed(error: Error): void {
    // Messages that arrived before the end may still be responses.
    if (this.reading && this.reading.size > 0) void Promise.all(this.reading).then(() => this.closed(error));
    else {
      this.end(error);
      if (!this.isOpening) this.hooks.closed(error);
    }
  }

  sessionLost(generation: number): void {
    this.hooks.sessionLost(generation);
  }

  resumed(): void {
    this.hooks.resumed();
  }

  fault(line: string): void {
    this.hooks.fault(line);
  }

  /**
   * Ends a request that the caller cancelled or that timed out. The upstream is notified; a late response is ignored.
   */
  abandon(pending: PendingRequest, error: Error, reason: string): void {
    if (!this.take(pending.id)) return;
    // MCP forbids cancelling `initialize`, and an older server does not know `server/discover`.
    const isKnown = this.notifiesCancel && !this.writing?.has(pending.id);
    if (isKnown && pending.method !== "initialize" && pending.method !== "server/discover")
      this.notify("notifications/cancelled", { requestId: pending.id, reason });
    this.transport?.forget(pending.id);
    pending.fail(error);
  }

  /** Returns a name for the request, for the message of a timeout. */
  label(method: string, tool: unknown): string {
    return method === "tools/call" ? `${this.server}:${String(tool)}` : `${this.server} ${method}`;
  }

  private take(id: RpcId | null): PendingRequest | undefined {
    const pending = this.requests.take(id);
    if (pending && pending.questions > 0) this.questions.moveFrom(pending);
    return pending;
  }

  private counted(answered: PendingRequest | undefined): boolean {
    if (answered) this.received++;
    return answered !== undefined;
  }

  respond(id: RpcId, answer: QuestionAnswer): void {
    this.transport?.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }

  askedOnSharedChannel(): void {
    this.hooks.askedOnSharedChannel?.();
  }
}

/**
 * Returns the id of the request that a damaged message answers, read from its beginning; undefined if it is not a
 * response.
 */
function answeredId(head: string): number | undefined {
  const id = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/.exec(head);
  return id ? Number(id[1]) : undefined;
}
