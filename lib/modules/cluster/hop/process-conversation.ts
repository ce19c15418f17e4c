import type { Duplex } from "node:stream";
import type { App } from "../../../core/app.ts";
import { Fault, reasonOf } from "../../../core/base/fault.ts";
import { isJsonObject } from "../../../core/base/json-object.ts";
import { LineOutbox } from "../../../core/base/line-outbox.ts";
import { runSteps } from "../../../core/base/loop-share.ts";
import { LARGE_JSON_CHARS } from "../../../core/base/parse-large-json.ts";
import { whenAborted } from "../../../core/base/when-aborted.ts";
import { CONNECTION_WAIT_MS, connectionWaits, isConnecting } from "../../../core/gateway/connection-waits.ts";
import { resourceSubscriptions } from "../../../core/gateway/resource-subscriptions.ts";
import { RECONNECT_TIMEOUT_MS } from "../../../core/gateway/stages/judge.ts";
import { type Caller, INTERNAL_CALLER } from "../../../core/schema/caller.ts";
import {
  type McpObject,
  META_PREFIX,
  REVISION_2026,
  type Reply,
  RPC,
  RpcError,
  type RpcErrorObject,
  type RpcId,
} from "../../../core/schema/mcp.ts";
import type { ServerCapabilities } from "../../../core/schema/server-capabilities.ts";
import { readLargeMessage } from "../../../core/upstream/large-message.ts";
import { readUpstreamMessage, type UpstreamMessage } from "../../../core/upstream/protocol/upstream-message.ts";
import type { QuestionAnswer, UpstreamQuestion } from "../../../core/upstream/protocol/upstream-question.ts";
import { LineSplitter } from "../../../core/upstream/stdio/line-splitter.ts";
import type { RequestOptions, Upstream } from "../../../core/upstream/upstreams.ts";
import { decodeCaller } from "./hop-caller.ts";
import { type CallerNote, noteLine, readNote } from "./hop-protocol.ts";
import { judgeHopRequest } from "./judge-hop-request.ts";

interface ProcessConversationOptions {
  readonly app: App;
  /** The connection to the process. */
  readonly upstream: Upstream;
  /** The lines of the other replica. */
  readonly stream: Duplex;
}

/** Requests of one stream that may be under way. The other replica limits its calls by the server's settings. */
const MAX_RUNNING = 5000;
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const CANCEL = "notifications/cancelled";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/**
 * Speaks with another replica in the place of a process that this replica runs. The other replica takes it for the
 * server itself: it gets an answer to the handshake, and its requests go to the process over this replica's connection.
 */
export class ProcessConversation {
  private readonly app: App;
  private readonly upstream: Upstream;
  private readonly stream: Duplex;
  private readonly outbox: LineOutbox;
  private readonly running = new Map<RpcId, AbortController>();
  /** Questions of the process that the other replica has not answered. */
  private readonly questions = new Map<number, UpstreamQuestion>();
  /** Subscribed resources; each is a subscriber of its own. */
  private readonly resources = new Map<string, { caller: Caller; updated(uri: string): void }>();
  /** Open `subscriptions/listen` requests. (2026-07-28) */
  private readonly listening = new Set<RpcId>();
  private note: CallerNote | undefined;
  private reading: Promise<void> | undefined;
  private nextQuestion = 1;
  private isOver = false;
  /** Called when no request is under way any more. */
  private onIdle: (() => void) | undefined;

  constructor({ app, upstream, stream }: ProcessConversationOptions) {
    this.app = app;
    this.upstream = upstream;
    this.stream = stream;
    this.outbox = new LineOutbox(stream);
    const lines = new LineSplitter({
      line: (line) => this.line(line),
      tooLong: (_head, _tail, bytes) => this.end(`a message of ${bytes} bytes is too large`),
    });
    stream.on("data", (chunk: Buffer) => lines.feed(chunk));
    stream.on("error", () => {});
    stream.once("close", () => this.stop());
  }

  /** Passes on a notification that belongs to no request. */
  notified(method: string, params: McpObject): void {
    // Subscribers are notified of resources one by one.
    if (method === "notifications/resources/updated") return;
    const [id] = this.listening;
    const sent = id === undefined ? params : { ...params, _meta: { ...metaOf(params), [SUBSCRIPTION]: id } };
    this.notify(method, sent);
  }

  /** Accepts no further requests. Resolves when those under way have ended. */
  leave(): Promise<void> {
    if (!this.isOver) this.outbox.write(noteLine({ leaving: true }));
    return new Promise((done) => {
      this.onIdle = () => {
        if (this.isOver || this.running.size === this.listening.size) done();
      };
      this.onIdle();
    });
  }

  /** Ends the conversation, because the process has ended. */
  end(reason: string): void {
    if (this.isOver) return;
    this.stop();
    this.outbox.write(noteLine({ ended: reason }));
    this.outbox.end();
  }

  private stop(): void {
    this.isOver = true;
    this.onIdle?.();
    for (const control of this.running.values()) control.abort();
    for (const subscriber of this.resources.values()) this.app.part(resourceSubscriptions).end(subscriber);
    this.resources.clear();
    for (const question of this.questions.values()) question.refuse("the caller has gone");
    this.questions.clear();
  }

  private line(line: string): void {
    if (this.reading || line.length > LARGE_JSON_CHARS) {
      // In order: a cancellation must not overtake its request. No more is read meanwhile.
      this.stream.pause();
      const before = this.reading ?? Promise.resolve();
      const reading = before
        .then(() => this.read(line))
        .then(() => {
          if (this.reading !== reading) return;
          this.reading = undefined;
          this.stream.resume();
        });
      this.reading = reading;
      return;
    }
    try {
      if (!this.takeNote(line)) this.take(readUpstreamMessage(line));
    } catch (error) {
      this.end(`not understood: ${reasonOf(error)}`);
    }
  }

  private async read(line: string): Promise<void> {
    try {
      if (this.takeNote(line)) return;
      this.take(line.length > LARGE_JSON_CHARS ? await runSteps(readLargeMessage(line)) : readUpstreamMessage(line));
    } catch (error) {
      this.end(`not understood: ${reasonOf(error)}`);
    }
  }

  private takeNote(line: string): boolean {
    const note = readNote(line);
    if (note === undefined) return false;
    this.note = note as CallerNote;
    return true;
  }

  private take(message: UpstreamMessage): void {
    const { note } = this;
    this.note = undefined;
    if (this.isOver) return;
    switch (message.kind) {
      case "request": {
        if (this.onIdle) {
          this.outbox.write(noteLine({ refused: Number(message.id) }));
          return;
        }
        const caller = note?.for === message.id ? decodeCaller(note.caller) : undefined;
        void this.answer(message.id, message.method, message.params, caller);
        return;
      }
      case "notification":
        if (message.method === CANCEL) this.running.get(message.params.requestId as RpcId)?.abort();
        return;
      case "result":
        this.answered(message.id, { result: message.reply.result as McpObject });
        return;
      case "error":
        if (message.id !== null) this.answered(message.id, { error: message.error });
        return;
      default:
        this.end(`unexpected message: ${message.kind}`);
    }
  }

  private answered(id: RpcId, said: QuestionAnswer): void {
    const question = this.questions.get(Number(id));
    this.questions.delete(Number(id));
    question?.answer(said);
  }

  /** Answers a request. Never rejects. */
  private async answer(id: RpcId, method: string, params: McpObject, caller: Caller | undefined): Promise<void> {
    const control = new AbortController();
    try {
      if (this.running.size >= MAX_RUNNING || this.outbox.waiting > MAX_UNREAD_BYTES)
        throw new Fault("queue_full", {
          scope: "server",
          server: this.upstream.name,
          limit: MAX_RUNNING,
          retryAfterMs: 1000,
        });
      this.running.set(id, control);
      const { raw } = await this.replyTo(id, { method, params, caller, signal: control.signal });
      if (this.isOver) return;
      this.outbox.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
      this.outbox.write(raw);
      this.outbox.write("}\n");
    } catch (error) {
      this.failed(id, error);
    } finally {
      this.running.delete(id);
      this.listening.delete(id);
      this.onIdle?.();
    }
  }

  private failed(id: RpcId, error: unknown): void {
    if (this.isOver) return;
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      const told: RpcErrorObject = { code, message, ...(data !== undefined && { data }) };
      this.outbox.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: told })}\n`);
      return;
    }
    const { code, facts } = error instanceof Fault ? error : { code: "", facts: {} };
    this.outbox.write(noteLine({ failed: Number(id), code, facts, text: reasonOf(error) }));
  }

  private async replyTo(id: RpcId, request: Request): Promise<Pick<Reply, "raw">> {
    const { method, params, signal } = request;
    const { app, upstream } = this;
    const isModern = upstream.status().protocolVersion === REVISION_2026;
    switch (method) {
      case "initialize":
        if (isModern) throw noMethod(method);
        // It ended after the stream was accepted: the other replica waits for the next owner.
        if (upstream.status().protocolVersion === undefined) this.end("its process has ended");
        return rawOf(this.hello());
      case "ping":
        return rawOf({});
      // The level of the process is that of the clients of this replica.
      case "logging/setLevel":
        return rawOf({});
      case "resources/subscribe":
        await this.subscribe(String(params.uri), signal);
        return rawOf({});
      case "resources/unsubscribe":
        this.unsubscribe(String(params.uri));
        return rawOf({});
      case "subscriptions/listen":
        return await this.listen(id, params, signal);
      default: {
        if (method === "server/discover" && !isModern) throw noMethod(method);
        const judged = { server: upstream.name, method, params, caller: request.caller };
        const options = this.optionsFor(id, request, await this.admit(judged, signal));
        options.judge = { judgeAgain: () => hopRefusal(app, judged) };
        return await upstream.request(method, withoutEnvelope(params), options);
      }
    }
  }

  /** Checks a request. Waits for a process that is being started again, as after an outage of the database. */
  private async admit(judged: Parameters<typeof judgeHopRequest>[1], signal: AbortSignal): Promise<Caller | undefined> {
    const { app, upstream } = this;
    try {
      return judgeHopRequest(app, judged);
    } catch (error) {
      if (!isNotReady(error)) throw error;
      await upstream.ensureReady(RECONNECT_TIMEOUT_MS, signal);
      // The other replica may have listed the tools of a new process before this one.
      const isPending = () => isConnecting(upstream.status()) && isUnready(app, judged);
      const { server } = judged;
      await app.part(connectionWaits).wait({ server, isPending, timeoutMs: CONNECTION_WAIT_MS, signal });
      return judgeHopRequest(app, judged);
    }
  }

  /** The other replica limits the time of its request and cancels it then, so there is no limit here. */
  private optionsFor(id: RpcId, { params, signal }: Request, caller: Caller | undefined): RequestOptions {
    const meta = metaOf(params);
    const token = meta.progressToken;
    const carried = () => this.outbox.write(noteLine({ carrier: Number(id) }));
    return {
      signal,
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(token !== undefined && {
        onProgress: (progress) => this.notify("notifications/progress", { progressToken: token, ...progress }),
      }),
      ...(params.task !== undefined && { makesTask: true }),
      ...(caller && {
        caller,
        asking: {
          capabilities: objectOf(meta[`${META_PREFIX}clientCapabilities`]),
          ...(isJsonObject(params.inputResponses) && { responses: params.inputResponses }),
          ...(typeof params.requestState === "string" && { state: params.requestState }),
        },
        logs: {
          level: "debug",
          receive: (message) => {
            carried();
            this.notify("notifications/message", { ...message });
          },
        },
        onQuestion: (question) => {
          carried();
          this.ask(question);
        },
      }),
    };
  }

  private ask(question: UpstreamQuestion): void {
    const id = this.nextQuestion++;
    this.questions.set(id, question);
    question.onWithdrawn = () => {
      this.questions.delete(id);
      this.notify(CANCEL, { requestId: id });
    };
    const { method, params } = question;
    this.outbox.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  /** The answer to `initialize`: what the process answered to this replica. */
  private hello(): McpObject {
    const { protocolVersion, serverInfo, instructions } = this.upstream.status();
    return {
      protocolVersion,
      capabilities: declared(this.upstream.capabilities ?? {}),
      serverInfo: serverInfo ?? { name: this.upstream.name, version: "" },
      ...(instructions !== undefined && { instructions }),
    };
  }

  private async listen(id: RpcId, params: McpObject, signal: AbortSignal): Promise<Pick<Reply, "raw">> {
    const notifications = objectOf(params.notifications);
    const uris = Array.isArray(notifications.resourceSubscriptions) ? notifications.resourceSubscriptions : [];
    for (const uri of uris) await this.subscribe(String(uri), signal);
    this.listening.add(id);
    this.onIdle?.();
    this.notify(ACKNOWLEDGED, { notifications, _meta: { [SUBSCRIPTION]: id } });
    await whenAborted(signal);
    for (const uri of uris) this.unsubscribe(String(uri));
    throw new Fault("cancelled");
  }

  /** Subscribes for the other replica, which decides for each of its clients whether it is notified. */
  private async subscribe(uri: string, signal: AbortSignal): Promise<void> {
    if (this.resources.has(uri)) return;
    const subscriber = {
      caller: INTERNAL_CALLER,
      updated: (changed: string) => this.notify("notifications/resources/updated", { uri: changed }),
    };
    this.resources.set(uri, subscriber);
    const resource = { server: this.upstream.name, uri, name: uri };
    await this.app
      .part(resourceSubscriptions)
      .subscribe(subscriber, resource, signal)
      .catch((error) => {
        this.resources.delete(uri);
        throw error;
      });
  }

  private unsubscribe(uri: string): void {
    const subscriber = this.resources.get(uri);
    this.resources.delete(uri);
    if (subscriber) this.app.part(resourceSubscriptions).end(subscriber);
  }

  private notify(method: string, params: McpObject): void {
    if (!this.isOver) this.outbox.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }
}

/** A request of the other replica. */
interface Request {
  readonly method: string;
  readonly params: McpObject;
  readonly caller: Caller | undefined;
  readonly signal: AbortSignal;
}

const SUBSCRIPTION = `${META_PREFIX}subscriptionId`;
const noMethod = (method: string) =>
  new RpcError({ code: RPC.methodNotFound, message: `${method} is not supported by this server` });
const rawOf = (result: McpObject) => ({ raw: JSON.stringify(result) });
const objectOf = (value: unknown): McpObject => (isJsonObject(value) ? value : {});
const metaOf = ({ _meta }: McpObject): McpObject => objectOf(_meta);

/** Returns the error for a request that had to wait and is not allowed any more. */
function hopRefusal(app: App, request: Parameters<typeof judgeHopRequest>[1]): Promise<Error> | undefined {
  try {
    judgeHopRequest(app, request);
    return undefined;
  } catch (error) {
    return Promise.resolve(error as Error);
  }
}

function isNotReady(error: unknown): boolean {
  return error instanceof Fault && error.code === "server_not_ready";
}

/** True if a request would be refused now only because the process is not ready. */
function isUnready(app: App, request: Parameters<typeof judgeHopRequest>[1]): boolean {
  try {
    judgeHopRequest(app, request);
    return false;
  } catch (error) {
    return isNotReady(error);
  }
}

/** The members that this replica's own connection adds to a request. */
function withoutEnvelope({ inputResponses: _, requestState: __, ...params }: McpObject): McpObject {
  return params;
}

/** Returns capabilities in the form in which a server declares them. */
function declared({ completions, logging, tasks, ...others }: ServerCapabilities): McpObject {
  return {
    ...others,
    ...(completions && { completions: {} }),
    ...(logging && { logging: {} }),
    ...(tasks && { tasks: { ...(tasks.cancel && { cancel: {} }), requests: { tools: { call: {} } } } }),
  };
}
