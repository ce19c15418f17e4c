import { Fault } from "../base/fault.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import { RpcError, type RpcErrorObject } from "../schema/mcp.ts";
import { SignInNeeded, StatusError, UpstreamError } from "./errors.ts";
import { HostUnreachable } from "./http/http-host.ts";
import { isModernRefusal, type ProbeAnswer, type ProbeVerdict, probeVerdict } from "./protocol/probe-verdict.ts";
import { protocol2025 } from "./protocol/protocol-2025.ts";
import { discover2026, protocol2026, stopSpeaking2026, unsupportedVersions } from "./protocol/protocol-2026.ts";
import type { HandshakeOptions, HandshakeResult, ProtocolChannel } from "./protocol/protocol-family.ts";

/**
 * How to open a conversation. `probe`: nothing is known about the server. `initialize`, `discover`: this method worked
 * last time.
 */
export type NegotiationStart = "probe" | "initialize" | "discover";

interface NegotiationOptions extends HandshakeOptions {
  readonly start: NegotiationStart;
}

/** An open conversation, and how certain its protocol version is. */
export interface Negotiated {
  readonly handshake: HandshakeResult;
  /** How long the protocol version of this server may be assumed. */
  readonly remember: "week" | "hour" | "no";
  /** Resolves with true if the server accepts `server/discover` after the conversation was opened by `initialize`. */
  readonly late?: Promise<boolean>;
}

/**
 * The conversation must be opened in a new process, because a probe or an earlier `initialize` made this one unusable.
 */
export class NewProcessNeeded extends UpstreamError {
  override readonly name = "NewProcessNeeded";
  readonly start: "initialize" | "discover";

  constructor(start: "initialize" | "discover", cause: unknown) {
    super(cause instanceof Error ? cause.message : "it answered late", { cause });
    this.start = start;
  }
}

/** Maximum time to wait for the response to the probe before `initialize` is sent as well. (ms) */
const SILENCE_MS = 5000;

/**
 * Opens a conversation in the newest protocol version that both sides support. A server of 2026-07-28 is recognised by
 * its response to `server/discover`, which is sent first; `probeVerdict` decides about all other responses.
 *
 * @throws NewProcessNeeded only over stdio, and never if `start` is what that error asks for
 * @throws UpstreamError, RpcError, Fault call_timeout
 * @see MCP 2026-07-28, basic/versioning, Backward Compatibility
 */
export async function negotiateVersion(channel: ProtocolChannel, options: NegotiationOptions): Promise<Negotiated> {
  const { kind } = channel.transport;
  if (kind === "sse") return { handshake: await protocol2025.handshake(channel, options), remember: "week" };
  if (options.start === "initialize") return initialize(channel, options);
  return kind === "stdio" ? overStdio(channel, options) : overHttp(channel, options);
}

/** Tries `initialize` first, and 2026-07-28 only if the error suggests it. */
async function initialize(channel: ProtocolChannel, options: HandshakeOptions): Promise<Negotiated> {
  try {
    return { handshake: await protocol2025.handshake(channel, options), remember: "week" };
  } catch (error) {
    const refusal = rpcErrorOf(error);
    if (!refusal || !isModernRefusal(refusal)) throw error;
    const newer = await protocol2026.handshake(channel, options).catch((refused) => {
      // The first error decides whether HTTP+SSE is tried next.
      throw refused instanceof UpstreamError && !(refused instanceof StatusError) ? refused : error;
    });
    return { handshake: newer, remember: "week" };
  }
}

async function overHttp(channel: ProtocolChannel, options: NegotiationOptions): Promise<Negotiated> {
  const timeoutMs = options.start === "discover" ? options.timeoutMs : silenceMs(options);
  for (let attempts = 1; ; attempts++) {
    const { reply, resultOf } = discover2026(channel, { ...options, timeoutMs });
    let failure: unknown;
    const answer = await reply.then(resultAnswer, (error) => {
      failure = error;
      return answerOf(channel, error);
    });
    const verdict = probeVerdict("http", answer);
    if (verdict.action === "modern") return { handshake: resultOf(verdict.result), remember: "week" };
    if (verdict.action === "again" && attempts === 1) continue;
    stopSpeaking2026(channel);
    if (verdict.action === "unsupported") throw unsupportedVersions(verdict.versions);
    if (verdict.action !== "initialize") throw failure;
    return { ...(await initialize(channel, options)), remember: verdict.remember };
  }
}

async function overStdio(channel: ProtocolChannel, options: NegotiationOptions): Promise<Negotiated> {
  for (let attempts = 1; ; attempts++) {
    const { reply, resultOf } = discover2026(channel, options);
    let failure: unknown;
    const answered = reply.then(resultAnswer, (error) => {
      failure = error;
      return answerOf(channel, error);
    });
    const answer = await withinSilence(channel, answered, options);
    const verdict = probeVerdict("stdio", answer);
    if (verdict.action === "modern") return { handshake: resultOf(verdict.result), remember: "week" };
    if (verdict.action === "again" && attempts === 1) continue;
    stopSpeaking2026(channel);
    if (verdict.action === "unsupported") throw unsupportedVersions(verdict.versions);
    // If the server is known to support 2026-07-28, its process ended for another reason than the probe.
    if (verdict.action === "new process" && options.start === "probe")
      throw new NewProcessNeeded("initialize", failure);
    if (verdict.action !== "initialize" || (answer.kind === "silence" && options.start === "discover")) throw failure;
    const late = answer.kind === "silence" ? acceptedLate(answered) : undefined;
    return initializeAfterProbe(channel, options, { verdict, late });
  }
}

/** Returns the response to the probe, or `silence`. If the protocol version is known, there is no time limit here. */
async function withinSilence(
  { exchange }: ProtocolChannel,
  answered: Promise<ProbeAnswer>,
  options: NegotiationOptions,
): Promise<ProbeAnswer> {
  const stray = new Promise<ProbeAnswer>((done) => {
    exchange.onStrayError = (error) => done({ kind: "error", error });
  });
  const { promise: silence, cancel } = silenceAfter(exchange.clock, options);
  try {
    return await Promise.race([answered, stray, silence]);
  } finally {
    cancel();
    exchange.onStrayError = undefined;
  }
}

function silenceAfter(clock: ProtocolChannel["exchange"]["clock"], options: NegotiationOptions) {
  let cancel = () => {};
  const promise = new Promise<ProbeAnswer>((done) => {
    if (options.start === "probe") cancel = clock.after(silenceMs(options), () => done({ kind: "silence" }));
  });
  return { promise, cancel };
}

/** At least half of a short timeout is left for `initialize`. */
const silenceMs = ({ timeoutMs }: HandshakeOptions) => Math.min(SILENCE_MS, timeoutMs / 2);

/** Resolves with true if the late response is that of a server of 2026-07-28. */
const acceptedLate = (answered: Promise<ProbeAnswer>): Promise<boolean> =>
  answered.then(
    (answer) => probeVerdict("stdio", answer).action === "modern",
    () => false,
  );

async function initializeAfterProbe(
  channel: ProtocolChannel,
  options: NegotiationOptions,
  { verdict, late }: { verdict: Extract<ProbeVerdict, { action: "initialize" }>; late: Promise<boolean> | undefined },
): Promise<Negotiated> {
  const { remember } = verdict;
  if (late) return initializeAfterSilence(channel, options, { remember, late });
  try {
    return { ...(await initialize(channel, options)), remember };
  } catch (error) {
    throw spoilt(channel, error) && options.start === "probe" ? new NewProcessNeeded("initialize", error) : error;
  }
}

/**
 * Sends `initialize` to a server that has not responded to the probe.
 *
 * @throws NewProcessNeeded if the server was only slow to start: `initialize` may have bound its process to an older
 *   version, or was rejected because the server does not support it
 */
async function initializeAfterSilence(
  channel: ProtocolChannel,
  options: NegotiationOptions,
  { remember, late }: { remember: Negotiated["remember"]; late: Promise<boolean> },
): Promise<Negotiated> {
  const opening = protocol2025.handshake(channel, options);
  try {
    const accepted = late.then<HandshakeResult | "accepted">((yes) => (yes ? "accepted" : opening));
    const opened = await Promise.race([opening, accepted]);
    // Both responses may arrive at the same time.
    await nextLoopTurn();
    const handshake = await Promise.race([accepted, opened]);
    if (opened === "accepted" || handshake === "accepted") throw new NewProcessNeeded("discover", undefined);
    return { handshake, remember, late };
  } catch (error) {
    opening.catch(() => {});
    if (error instanceof NewProcessNeeded || !spoilt(channel, error)) throw error;
    const refusal = rpcErrorOf(error);
    throw new NewProcessNeeded(refusal && isModernRefusal(refusal) ? "discover" : "initialize", error);
  }
}

/** True if the probe may have confused an older server: it rejects `initialize`, or its process has ended. */
const spoilt = ({ exchange }: ProtocolChannel, error: unknown) => rpcErrorOf(error) !== undefined || exchange.isOver;

const resultAnswer = ({ result }: { result: unknown }): ProbeAnswer => ({ kind: "result", result });

/** Returns what a failed `server/discover` means. @throws the given error if the attempt was cancelled */
function answerOf({ exchange, transport }: ProtocolChannel, error: unknown): ProbeAnswer {
  if (error instanceof RpcError) return { kind: "error", error };
  if (error instanceof StatusError) {
    const { status, rpc } = error;
    return rpc ? { kind: "error", error: rpc, status } : { kind: "status", status };
  }
  if (error instanceof SignInNeeded) return { kind: "unauthorized" };
  if (error instanceof HostUnreachable) return { kind: error.isBrokenOff ? "broken" : "unreachable" };
  if (error instanceof Fault && error.code === "call_timeout") return { kind: "silence" };
  if (!(error instanceof UpstreamError)) throw error;
  return { kind: transport.kind === "stdio" && exchange.isOver ? "ended" : "unreadable" };
}

function rpcErrorOf(error: unknown): RpcErrorObject | undefined {
  if (error instanceof RpcError) return { code: error.code, message: error.message, data: error.data };
  return error instanceof StatusError ? error.rpc : undefined;
}
