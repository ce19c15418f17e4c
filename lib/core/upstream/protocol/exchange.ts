import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../base/clock.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { isJsonObject } from "../../base/json-object.ts";
import { nextLoopTurn, runSteps } from "../../base/loop-share.ts";
import { LARGE_JSON_CHARS } from "../../base/parse-large-json.ts";
import { TransientMap } from "../../base/transient-map.ts";
import { isAtLeast, isMessageLevel, type LogMessage } from "../../schema/log-message.ts";
import {
  type McpObject,
  META_PREFIX,
  type Progress,
  type Reply,
  RpcError,
  type RpcErrorObject,
  type RpcId,
} from "../../schema/mcp.ts";
import { UpstreamError } from "../errors.ts";
import { readLargeMessage } from "../large-message.ts";
import { MAX_UPSTREAM_MESSAGE_BYTES } from "../stdio/line-splitter.ts";
import type { Transport, TransportReceiver } from "../transport.ts";
import type { RequestOptions } from "../upstreams.ts";
import { TOO_DEEP_TEXT } from "./depth.ts";
import { isListMethod, listingReply } from "./listing-reply.ts";
import { logRecipient } from "./log-recipient.ts";
import { OpenQuestions, type OpenQuestionsOwner } from "./open-questions.ts";
import { PendingRequest, type PendingRequestOwner } from "./pending-request.ts";
import { requestProgress, withProgressToken } from "./request-progress.ts";
import { isRpcId, readUpstreamMessage, splitResultFrame, type UpstreamMessage } from "./upstream-message.ts";
import type { QuestionAnswer } from "./upstream-question.ts";

/** What an exchange tells its owner. */
export interface ExchangeHooks {
  notification(method: string, params: McpObject): void;
  closed(error: Error): void;
  sessionLost(generation: number): void;
  /** What the upstream said on its own for a while was not heard. */
  resumed(): void;
  fault(line: string): void;
  /** Takes a log message of the upstream within its bounds. */
  logged?(params: McpObject): LogMessage | undefined;
  /** A log message that belongs to no request. */
  loggedForAll?(message: LogMessage): void;
  /** The upstream asked something without saying in which request. */
  askedOnSharedChannel?(): void;
}

/** From here on a listing is read apart from other messages. (characters) */
const SHARED_LISTING = 16 * 1024;

/** Tasks of one connection whose progress is passed on. */
const MAX_TASKS = 200;

/** Longest time a timer of the platform can run. (ms) */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Requests and answers over one transport: ids, deadlines, cancellation, progress, and what the upstream asks of us.
 * Deadlines share one timer, and a request makes no function of its own: this is the call path.
 */
export class Exchange implements TransportReceiver, PendingRequestOwner, OpenQuestionsOwner {
  /** Answers received since the beginning; a sign of life, which noise is not. */
  received = 0;
  /** Put around the params of each request, where the era wants it. */
  decorate: ((params: McpObject, options: RequestOptions) => McpObject) | undefined;
  /** Whether a request given up is cancelled by a message. */
  notifiesCancel = true;
  /** Whether the upstream may ask: what it may ask for was declared in the handshake. */
  takesQuestions = false;
  /** Called for an error without an id while the handshake lasts, when it can only be about the one open request. */
  onStrayError: ((error: RpcErrorObject) => void) | undefined;
  readonly clock: Clock;
  private readonly server: string;
  private readonly hooks: ExchangeHooks;
  private readonly pending = new TransientMap<number, PendingRequest>();
  /** Who gets the progress of tasks, by its token, which stays good after the answer. */
  private taskProgress: LRUCache<number, (progress: Progress) => void> | undefined;
  private readonly questions = new OpenQuestions(this);
  /** Large messages that are being read. */
  private readonly reading = new Set<Promise<boolean>>();
  private transport: Transport | undefined;
  private nextId = 1;
  private gone: Error | undefined;
  private sweepAt = Number.POSITIVE_INFINITY;
  private stopSweep: (() => void) | undefined;

  constructor(server: string, clock: Clock, hooks: ExchangeHooks) {
    this.server = server;
    this.clock = clock;
    this.hooks = hooks;
  }

  /** Requests without an answer so far, those that are meant to stay open left out. */
  get inFlight(): number {
    let count = 0;
    for (const pending of this.pending.values()) if (pending.deadline !== Number.POSITIVE_INFINITY) count++;
    return count;
  }

  get isOver(): boolean {
    return this.gone !== undefined;
  }

  attach(transport: Transport): void {
    this.transport = transport;
  }

  /**
   * @throws Fault call_timeout, cancelled
   * @throws RpcError, UpstreamError
   */
  request(method: string, params: McpObject, options: RequestOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { signal, timeoutMs, onProgress, makesTask } = options;
      if (this.gone || !this.transport) return reject(this.gone ?? new UpstreamError("it is not connected"));
      if (signal?.aborted) return reject(new Fault("cancelled"));
      const id = this.nextId++;
      const deadline = this.clock.now() + timeoutMs;
      const pending = new PendingRequest(this, id, method, params, deadline, options, resolve, reject);
      this.pending.set(id, pending);
      if (signal) listen(signal, pending);
      if (deadline < this.sweepAt) this.scheduleSweep(deadline);
      if (makesTask && onProgress) {
        this.taskProgress ??= new LRUCache({ max: MAX_TASKS });
        this.taskProgress.set(id, onProgress);
      }
      const given = onProgress ? withProgressToken(params, id) : params;
      const sent = this.decorate ? this.decorate(given, options) : given;
      this.transport.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: sent }), { id, method, params: sent });
    });
  }

  notify(method: string, params?: McpObject): void {
    this.transport?.send(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  /** Ends the exchange: who waits gets the error, who comes later too. */
  end(error: Error): void {
    this.gone ??= error;
    this.stopSweep?.();
    this.sweepAt = Number.POSITIVE_INFINITY;
    this.questions.withdrawAll();
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const pending of waiting) pending.fail(error);
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
    const read = this.large(text, carrier).finally(() => this.reading.delete(read));
    this.reading.add(read);
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
    // The caller must not wait for its deadline: a correct answer will not follow.
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
        this.heard(message.method, message.params, carrier);
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

  /** Takes a listing if it is one, to be read when nothing else is. */
  private listing(text: string): boolean {
    const frame = splitResultFrame(text);
    const method = frame && this.pending.get(frame.id)?.method;
    if (!frame || method === undefined || !isListMethod(method)) return false;
    const pending = this.take(frame.id)!;
    listingReply(method, text, frame.raw).then(
      (reply) => pending.done(reply),
      (error: Error) => pending.fail(error),
    );
    return this.counted(pending);
  }

  awaits(id: number): boolean {
    return this.pending.has(id);
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
    // What came before the end may be an answer.
    if (this.reading.size > 0) void Promise.all(this.reading).then(() => this.closed(error));
    else {
      this.end(error);
      this.hooks.closed(error);
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

  /** The caller went away or the time is over: the upstream is told, a late answer is ignored. */
  abandon(pending: PendingRequest, error: Error, reason: string): void {
    if (!this.take(pending.id)) return;
    // A handshake must not be cancelled (MCP, cancellation), nor what an older server may not know.
    if (this.notifiesCancel && pending.method !== "initialize" && pending.method !== "server/discover")
      this.notify("notifications/cancelled", { requestId: pending.id, reason });
    this.transport?.forget(pending.id);
    pending.fail(error);
  }

  /** For messages of a timeout: what was called. */
  label(method: string, tool: unknown): string {
    return method === "tools/call" ? `${this.server}:${String(tool)}` : `${this.server} ${method}`;
  }

  private take(id: RpcId | null): PendingRequest | undefined {
    // Some servers send our number back as a string.
    const key = typeof id === "string" ? Number(id) : (id ?? 0);
    const pending = this.pending.get(key);
    if (pending) {
      this.pending.delete(key);
      if (pending.questions > 0) this.questions.moveFrom(pending);
    }
    return pending;
  }

  private counted(answered: PendingRequest | undefined): boolean {
    if (answered) this.received++;
    return answered !== undefined;
  }

  private heard(method: string, params: McpObject, carrier: number | undefined): void {
    if (method === "notifications/subscriptions/acknowledged") {
      const id = subscriptionId(params) ?? carrier;
      if (id !== undefined) this.pending.get(id)?.options.onAcknowledged?.(params);
      return;
    }
    if (method === "notifications/cancelled") {
      const { requestId } = params;
      if (isRpcId(requestId)) this.questions.withdraw(requestId);
      return;
    }
    if (method === "notifications/message") {
      this.logged(params, carrier);
      return;
    }
    if (method !== "notifications/progress") {
      this.hooks.notification(method, params);
      return;
    }
    const { progressToken } = params;
    if (typeof progressToken !== "number") return;
    const pending = this.pending.get(progressToken);
    const report = pending ? pending.options.onProgress : this.taskProgress?.get(progressToken);
    const progress = report && requestProgress(params);
    if (!progress) return;
    try {
      report(progress);
    } catch (error) {
      this.hooks.fault(`progress could not be forwarded: ${reasonOf(error)}`);
    }
  }

  private logged(params: McpObject, carrier: number | undefined): void {
    const of = carrier === undefined ? undefined : this.pending.get(carrier);
    if (carrier !== undefined && !of) return;
    // On the stream of a request of the proxy itself a server says what it says to all.
    const recipient = of?.options.caller ? of : logRecipient(this.pending.values());
    if (recipient === "nobody") return;
    if (recipient === "everybody") {
      const message = this.hooks.logged?.(params);
      if (message) this.hooks.loggedForAll?.(message);
      return;
    }
    const { logs } = recipient.options;
    if (!logs || !isMessageLevel(params.level) || !isAtLeast(params.level, logs.level)) return;
    const message = this.hooks.logged?.(params);
    if (message) logs.receive(message);
  }

  unanswered(): Iterable<PendingRequest> {
    return this.pending.values();
  }

  unansweredById(id: number): PendingRequest | undefined {
    return this.pending.get(id);
  }

  respond(id: RpcId, answer: QuestionAnswer): void {
    this.transport?.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }

  askedOnSharedChannel(): void {
    this.hooks.askedOnSharedChannel?.();
  }

  postpone(pending: PendingRequest, ms: number): void {
    pending.deadline = this.clock.now() + ms;
    if (pending.deadline < this.sweepAt) this.scheduleSweep(pending.deadline);
  }

  private scheduleSweep(at: number): void {
    this.stopSweep?.();
    this.sweepAt = at;
    const ms = Math.min(MAX_TIMER_MS, Math.max(0, at - this.clock.now()));
    this.stopSweep = this.clock.after(ms, () => this.sweep());
  }

  private sweep(): void {
    const now = this.clock.now();
    let next = Number.POSITIVE_INFINITY;
    this.sweepAt = next;
    for (const pending of [...this.pending.values()]) {
      if (pending.deadline <= now) pending.expire();
      else if (pending.deadline < next) next = pending.deadline;
    }
    if (next < this.sweepAt) this.scheduleSweep(next);
  }
}

/** The id of the request that a damaged message answers, read from its beginning; undefined if it is no answer. */
function answeredId(head: string): number | undefined {
  const id = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/.exec(head);
  return id ? Number(id[1]) : undefined;
}

/** The request that a notification of a subscription belongs to. */
function subscriptionId({ _meta }: McpObject): number | undefined {
  const id = isJsonObject(_meta) ? _meta[`${META_PREFIX}subscriptionId`] : undefined;
  // Some servers send our number back as a string.
  return typeof id === "string" || typeof id === "number" ? Number(id) : undefined;
}

const ONCE = { once: true };

/** One caller may have many requests under one signal; that is no leak. */
function listen(signal: AbortSignal, pending: PendingRequest): void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", pending, ONCE);
}
