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
  /** Who may be inside at once, for a server whose questions name no request. */
  lane: OwnerLane;
  clock: Clock;
  /** The sender of the connection that stands now. @throws Fault server_not_ready */
  sender(): Sender;
}

/** The requests of one server over whatever connection it has; a call, a read or a completion first takes a slot. */
export function createRequests({ slots, lane, clock, sender }: RequestsOptions): Upstream["request"] {
  const inSlot = async (method: string, params: McpObject, options: RequestOptions) => {
    const wait = slots.take(options.signal);
    if (wait) await wait;
    const began = clock.now();
    let held = true;
    const release = () => {
      if (held) slots.release(clock.now() - began);
      held = false;
    };
    // While a person thinks, others may use the slot.
    const { onQuestion } = options;
    if (onQuestion)
      options.onQuestion = (question) => {
        release();
        onQuestion(question);
      };
    try {
      return await sender().send(method, params, options);
    } finally {
      release();
    }
  };

  return async (method, params, options) => {
    const send = SLOTTED.has(method) ? inSlot : sender().send;
    const { caller, signal } = options;
    if (!caller) return send(method, params, options);
    const wait = lane.enter(caller, signal);
    if (wait) await wait;
    try {
      return await send(method, params, options);
    } finally {
      lane.leave();
    }
  };
}

/** What a person or model asks for; what the proxy itself asks for is bounded elsewhere. */
const SLOTTED: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

/** Longest wait until questions that name no request can be heard: they would be lost before. (ms) */
const HEARING_MS = 2000;

interface SenderOptions {
  server: string;
  opened: OpenChannel;
  /** Opens a new session in place of one that the upstream does not know any more. */
  renew(): Promise<void>;
  /** Something is wrong with the connection. */
  suspect(): void;
  lost(error: Error): void;
  mask(text: string): string;
}

/** Sends requests over one connection and says what went wrong in words that callers know. */
export interface Sender {
  /** @throws Fault call_timeout, cancelled, upstream_failed; RpcError of the upstream, bounded and masked (`bounded-error.ts`) */
  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
  /** A sign of life, over a new session where the old one is gone. @throws as `send` */
  ping(timeoutMs: number): Promise<void>;
  renew(lostGeneration: number): Promise<void>;
}

export function createSender({ server, opened, renew, suspect, lost, mask }: SenderOptions): Sender {
  const { exchange, transport } = opened;
  let renewing: Promise<void> | undefined;

  /** One renewal for all who found the session gone; none when somebody was quicker. */
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

  /** The same, with progress that repeats no secret of the server's definition. */
  const masked = (options: RequestOptions): RequestOptions => ({
    ...options,
    onProgress: ({ message, ...progress }) =>
      options.onProgress?.({ ...progress, ...(message !== undefined && { message: mask(message) }) }),
  });

  return {
    renew: renewOnce,
    async send(method, params, options) {
      if (options.onQuestion && opened.handshake.family.name === "2025" && transport.hearing)
        await waitAtMost(exchange.clock, HEARING_MS, transport.hearing);
      try {
        const reply = await exchange.request(method, params, options.onProgress ? masked(options) : options);
        if (opened.handshake.family.name === "2026" && !options.asking) refuseQuestions(reply);
        return reply;
      } catch (error) {
        if (!(error instanceof SessionLost)) throw failure(error);
        return again(error, () => exchange.request(method, params, options.onProgress ? masked(options) : options));
      }
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

  /** The request was surely not executed, so it may be sent once more. */
  async function again<T>(error: SessionLost, request: () => Promise<T>): Promise<T> {
    try {
      await renewOnce(error.generation);
      return await request();
    } catch (second) {
      throw failure(second);
    }
  }
}

/** Of a caller that cannot be asked no capability was declared, so a question cannot be passed on. (2026 era) */
function refuseQuestions({ result }: Reply): void {
  if ((result as McpObject | null)?.resultType === "input_required")
    throw new UpstreamError(
      "it asks for input, and this caller cannot be asked; call it from an MCP client that supports elicitation, sampling or roots",
    );
}
