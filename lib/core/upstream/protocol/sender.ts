import type { Clock } from "../../base/clock.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { type McpObject, type Reply, RpcError } from "../../schema/mcp.ts";
import type { CallSlots } from "../call-slots.ts";
import { ScopeNeeded, SessionLost, SignInNeeded, StatusError, UpstreamError } from "../errors.ts";
import { HostUnreachable } from "../http/http-host.ts";
import type { OpenChannel } from "../open.ts";
import type { OwnerLane } from "../owner-lane.ts";
import type { RequestOptions, Upstream } from "../upstreams.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { maskedError } from "./bounded-error.ts";

interface RequestsOptions {
  slots: CallSlots;
  /** Separates the requests of different owners, for a server whose questions name no request. */
  lane: OwnerLane;
  clock: Clock;
  /** Returns the sender of the current connection. @throws Fault server_not_ready */
  sender(): Sender;
}

/** Sends the requests of one server over its current connection. A call, a read or a completion first takes a slot. */
export function createRequests({ slots, lane, clock, sender }: RequestsOptions): Upstream["request"] {
  // One async function instead of three nested ones, because each costs memory and time in every call.
  return async (method, params, options) => {
    const { caller, signal } = options;
    const entering = caller && lane.enter(caller, signal);
    if (entering) await entering;
    let slot: HeldSlot | undefined;
    try {
      if (SLOTTED.has(method)) {
        const waiting = slots.take(signal);
        if (waiting) await waiting;
        slot = new HeldSlot(slots, clock);
        if (options.onQuestion) releaseAtQuestion(slot, options, options.onQuestion);
      }
      return await sender().send(method, params, options);
    } finally {
      slot?.release();
      if (caller) lane.leave();
    }
  };
}

/** A slot that is given back once, whoever does it first. */
class HeldSlot {
  private readonly slots: CallSlots;
  private readonly clock: Clock;
  private readonly began: number;
  private isHeld = true;

  constructor(slots: CallSlots, clock: Clock) {
    this.slots = slots;
    this.clock = clock;
    this.began = clock.now();
  }

  release(): void {
    if (this.isHeld) this.slots.release(this.clock.now() - this.began);
    this.isHeld = false;
  }
}

/** While a person thinks about a question, other calls may use the slot. */
function releaseAtQuestion(
  slot: HeldSlot,
  options: RequestOptions,
  onQuestion: NonNullable<RequestOptions["onQuestion"]>,
): void {
  options.onQuestion = (question) => {
    slot.release();
    onQuestion(question);
  };
}

/** The methods of clients. Requests of the proxy itself are limited elsewhere. */
const SLOTTED: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

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
}

/** Sends requests over one connection and converts errors to those that callers expect. */
export interface Sender {
  /**
   * Sends a request.
   *
   * @throws Fault call_timeout, cancelled, upstream_failed
   * @throws RpcError the upstream's error, limited and masked (`bounded-error.ts`)
   */
  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
  /** Sends a ping, in a new session if the upstream no longer knows the current one. @throws the same as `send` */
  ping(timeoutMs: number): Promise<void>;
  renew(lostGeneration: number): Promise<void>;
}

export function createSender({ server, opened, renew, suspect, lost, mask }: SenderOptions): Sender {
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
      const reason = `${error.message}; grant it with: proxy upstream login ${server}`;
      return new Fault("upstream_failed", { server, reason }, { cause: error });
    }
    if (error instanceof SignInNeeded) {
      lost(error);
      const reason = `${mask(error.message)}; sign in with: proxy upstream login ${server}`;
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

  const request = (method: string, params: McpObject, options: RequestOptions) =>
    exchange.request(method, params, options.onProgress ? masked(options) : options);
  const send = (method: string, params: McpObject, options: RequestOptions): Promise<Reply> => {
    const mayAsk = opened.handshake.family.name !== "2026" || options.asking !== undefined;
    return request(method, params, options).then(mayAsk ? undefined : refuseQuestions, (error: unknown) => {
      if (!(error instanceof SessionLost)) throw failure(error);
      return again(error, () => request(method, params, options));
    });
  };
  /**
   * Rejects a result with questions for a caller that cannot be asked. No capability was declared for it, so the server
   * must not ask. (2026-07-28)
   */
  const refuseQuestions = (reply: Reply): Reply => {
    if ((reply.result as McpObject | null)?.resultType === "input_required")
      throw failure(new UpstreamError(CANNOT_ASK));
    return reply;
  };

  return {
    renew: renewOnce,
    send(method, params, options) {
      if (options.onQuestion && opened.handshake.family.name === "2025" && transport.hearing)
        return waitAtMost(exchange.clock, HEARING_MS, transport.hearing).then(() => send(method, params, options));
      return send(method, params, options);
    },
    async ping(timeoutMs) {
      const ping = () => opened.handshake.family.ping(opened, timeoutMs);
      try {
        await ping();
      } catch (error) {
        if (!(error instanceof SessionLost)) throw failure(error);
        await again(error, ping);
      }
    },
  };

  /** Repeats a request in a new session; it was certainly not executed. */
  async function again<T>(error: SessionLost, request: () => Promise<T>): Promise<T> {
    try {
      await renewOnce(error.generation);
      return await request();
    } catch (second) {
      throw failure(second);
    }
  }
}

const CANNOT_ASK =
  "it asks for input, and this caller cannot be asked; call it from an MCP client that supports elicitation, sampling or roots";
