import { Fault, reasonOf } from "../../base/fault.ts";
import { type McpObject, type Reply, RpcError } from "../../schema/mcp.ts";
import { ScopeNeeded, SessionLost, SignInNeeded, StatusError, UpstreamError } from "../errors.ts";
import { HostUnreachable } from "../http/http-host.ts";
import type { OpenChannel } from "../open.ts";
import type { SignInAdvice } from "../sign-in-advice.ts";
import type { RequestOptions } from "../upstreams.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { maskedError } from "./bounded-error.ts";
import type { ReplyReceiver } from "./reply-receiver.ts";

/** Maximum time to wait until questions that name no request can be received; before that they would be lost. (ms) */
const HEARING_MS = 2000;

export interface SenderOptions {
  server: string;
  opened: OpenChannel;
  /** Opens a new session, because the upstream no longer knows the current one. */
  renew(): Promise<void>;
  /** Called when the connection may not work any more. */
  suspect(): void;
  lost(opened: OpenChannel, error: Error): void;
  readonly mask: (text: string) => string;
  /** Returns what helps the caller if the upstream requires a sign-in. */
  advice(): SignInAdvice;
}

/** Sends requests over one connection and converts errors to those that callers expect. */
export interface Sender {
  /**
   * Sends a request. It fails with Fault call_timeout, cancelled or upstream_failed, or with RpcError: the upstream's
   * error, limited and masked (`bounded-error.ts`).
   */
  start(method: string, params: McpObject, options: RequestOptions, receiver: ReplyReceiver): void;
  /** Like `start`, for requests of the proxy itself. */
  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
  /** Sends a ping, in a new session if the upstream no longer knows the current one. @throws the same as `send` */
  ping(timeoutMs: number): Promise<void>;
  renew(lostGeneration: number): Promise<void>;
}

/** @param options used for as long as the connection is open */
export function createSender(options: SenderOptions): Sender {
  return new ChannelSender(options);
}

/** A class takes less memory than closures, and each open connection has one of these. */
class ChannelSender implements Sender {
  private readonly options: SenderOptions;
  private renewing: Promise<void> | undefined = undefined;

  constructor(options: SenderOptions) {
    this.options = options;
  }

  /** False if the upstream's protocol version has questions only as results that the caller must have allowed. */
  get hasQuestions(): boolean {
    return this.options.opened.handshake.family.name !== "2026";
  }

  start(method: string, params: McpObject, options: RequestOptions, receiver: ReplyReceiver): void {
    const request = new SentRequest(this, method, params, options, receiver);
    const { handshake, transport, exchange } = this.options.opened;
    const hearing = options.onQuestion && handshake.family.name === "2025" ? transport.hearing : undefined;
    if (!hearing) this.sendRequest(request);
    else
      waitAtMost(exchange.clock, HEARING_MS, hearing).then(
        () => this.sendRequest(request),
        (error) => receiver.fail(error),
      );
  }

  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply> {
    return new Promise((done, fail) =>
      this.sendRequest(new SentRequest(this, method, params, options, { done, fail })),
    );
  }

  async ping(timeoutMs: number): Promise<void> {
    const { opened } = this.options;
    const ping = () => opened.handshake.family.ping(opened, timeoutMs);
    try {
      await ping();
    } catch (error) {
      if (!(error instanceof SessionLost)) throw this.failure(error);
      await this.renew(error.generation)
        .then(ping)
        .catch((second) => {
          throw this.failure(second);
        });
    }
  }

  /** Renews the session once for all requests that found it unknown; does nothing if it is renewed already. */
  renew(lostGeneration: number): Promise<void> {
    if (this.options.opened.transport.generation !== lostGeneration) return Promise.resolve();
    this.renewing ??= this.options.renew().finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  sendRequest(request: SentRequest): void {
    const { method, params, options } = request;
    this.options.opened.exchange.start(method, params, options.onProgress ? this.masked(options) : options, request);
  }

  failure(error: unknown): Error {
    const { server, mask, opened } = this.options;
    if (error instanceof RpcError) return new RpcError(maskedError(error, mask));
    if (error instanceof Fault) {
      if (error.code === "call_timeout") this.options.suspect();
      return error;
    }
    if (error instanceof StatusError && error.rpc) return new RpcError(maskedError(error.rpc, mask), { cause: error });
    if (error instanceof ScopeNeeded) {
      const reason = `${error.message}; ${this.options.advice().widen}`;
      return new Fault("upstream_failed", { server, reason }, { cause: error });
    }
    if (error instanceof SignInNeeded) {
      this.options.lost(opened, error);
      const reason = `${mask(error.message)}; ${this.options.advice().signIn}`;
      return new Fault("upstream_failed", { server, reason }, { cause: error });
    }
    if (error instanceof HostUnreachable) this.options.suspect();
    else if (!(error instanceof UpstreamError)) return error as Error;
    return new Fault("upstream_failed", { server, reason: mask(reasonOf(error)) }, { cause: error });
  }

  /** Returns the options with progress in which the secrets of the server's definition are masked. */
  private masked(options: RequestOptions): RequestOptions {
    const { mask } = this.options;
    return {
      ...options,
      onProgress: ({ message, ...progress }) =>
        options.onProgress?.({ ...progress, ...(message !== undefined && { message: mask(message) }) }),
    };
  }
}

/** The parts of its sender that a request uses. */
interface SentRequestParts {
  sendRequest(request: SentRequest): void;
  /** Opens a new session. @param lostGeneration number of the session that the upstream no longer knows */
  renew(lostGeneration: number): Promise<void>;
  /** Converts an error to the one that callers expect. */
  failure(error: unknown): Error;
  /** False if the upstream's protocol version has questions only as results that the caller must have allowed. */
  readonly hasQuestions: boolean;
}

/** A request in progress. It converts the outcome to the one that the caller expects. */
class SentRequest implements ReplyReceiver {
  readonly method: string;
  readonly params: McpObject;
  readonly options: RequestOptions;
  private readonly parts: SentRequestParts;
  private readonly receiver: ReplyReceiver;
  private isRepeated = false;

  constructor(
    parts: SentRequestParts,
    method: string,
    params: McpObject,
    options: RequestOptions,
    receiver: ReplyReceiver,
  ) {
    this.parts = parts;
    this.method = method;
    this.params = params;
    this.options = options;
    this.receiver = receiver;
  }

  /**
   * A result with questions for a caller that cannot be asked is an error. No capability was declared for it, so the
   * server must not ask. (2026-07-28)
   */
  done(reply: Reply): void {
    const mayAsk = this.parts.hasQuestions || this.options.asking !== undefined;
    if (!mayAsk && (reply.result as McpObject | null)?.resultType === "input_required")
      this.receiver.fail(this.parts.failure(new UpstreamError(CANNOT_ASK)));
    else this.receiver.done(reply);
  }

  fail(error: Error): void {
    const { parts, receiver } = this;
    if (this.isRepeated || !(error instanceof SessionLost)) {
      receiver.fail(parts.failure(error));
      return;
    }
    // The request was certainly not executed, so it is repeated in a new session.
    this.isRepeated = true;
    parts.renew(error.generation).then(
      () => parts.sendRequest(this),
      (second: unknown) => receiver.fail(parts.failure(second)),
    );
  }
}

const CANNOT_ASK =
  "it asks for input, and this caller cannot be asked; call it from an MCP client that supports elicitation, sampling or roots";
