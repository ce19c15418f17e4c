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

interface SenderOptions {
  server: string;
  opened: OpenChannel;
  /** Opens a new session, because the upstream no longer knows the current one. */
  renew(): Promise<void>;
  /** Called when the connection may not work any more. */
  suspect(): void;
  lost(error: Error): void;
  mask(text: string): string;
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

export function createSender({ server, opened, renew, suspect, lost, mask, advice }: SenderOptions): Sender {
  const { exchange, transport } = opened;
  let renewing: Promise<void> | undefined;

  /** Renews the session once for all requests that found it unknown; does nothing if it is renewed already. */
  const renewOnce = (lostGeneration: number): Promise<void> => {
    if (transport.generation !== lostGeneration) return Promise.resolve();
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const failure = (error: unknown): Error => {
    if (error instanceof RpcError) return new RpcError(maskedError(error, mask));
    if (error instanceof Fault) {
      if (error.code === "call_timeout") suspect();
      return error;
    }
    if (error instanceof StatusError && error.rpc) return new RpcError(maskedError(error.rpc, mask), { cause: error });
    if (error instanceof ScopeNeeded) {
      const reason = `${error.message}; ${advice().widen}`;
      return new Fault("upstream_failed", { server, reason }, { cause: error });
    }
    if (error instanceof SignInNeeded) {
      lost(error);
      const reason = `${mask(error.message)}; ${advice().signIn}`;
      return new Fault("upstream_failed", { server, reason }, { cause: error });
    }
    if (error instanceof HostUnreachable) suspect();
    else if (!(error instanceof UpstreamError)) return error as Error;
    return new Fault("upstream_failed", { server, reason: mask(reasonOf(error)) }, { cause: error });
  };

  /** Returns the options with progress in which the secrets of the server's definition are masked. */
  const masked = (options: RequestOptions): RequestOptions => ({
    ...options,
    onProgress: ({ message, ...progress }) =>
      options.onProgress?.({ ...progress, ...(message !== undefined && { message: mask(message) }) }),
  });

  const parts: SentRequestParts = {
    send: (request) =>
      exchange.start(
        request.method,
        request.params,
        request.options.onProgress ? masked(request.options) : request.options,
        request,
      ),
    renew: renewOnce,
    failure,
    hasQuestions: opened.handshake.family.name !== "2026",
  };
  const start: Sender["start"] = (method, params, options, receiver) =>
    parts.send(new SentRequest(parts, method, params, options, receiver));

  return {
    renew: renewOnce,
    start(method, params, options, receiver) {
      if (options.onQuestion && opened.handshake.family.name === "2025" && transport.hearing)
        waitAtMost(exchange.clock, HEARING_MS, transport.hearing).then(
          () => start(method, params, options, receiver),
          (error) => receiver.fail(error),
        );
      else start(method, params, options, receiver);
    },
    send: (method, params, options) => new Promise((done, fail) => start(method, params, options, { done, fail })),
    async ping(timeoutMs) {
      const ping = () => opened.handshake.family.ping(opened, timeoutMs);
      try {
        await ping();
      } catch (error) {
        if (!(error instanceof SessionLost)) throw failure(error);
        await renewOnce(error.generation)
          .then(ping)
          .catch((second) => {
            throw failure(second);
          });
      }
    },
  };
}

/** The parts of its sender that a request uses. */
interface SentRequestParts {
  send(request: SentRequest): void;
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
      () => parts.send(this),
      (second: unknown) => receiver.fail(parts.failure(second)),
    );
  }
}

const CANNOT_ASK =
  "it asks for input, and this caller cannot be asked; call it from an MCP client that supports elicitation, sampling or roots";
