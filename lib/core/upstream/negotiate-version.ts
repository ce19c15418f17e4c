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
 * What to open a conversation with: `probe` when nothing is known, `initialize` or `discover` when the server was last
 * spoken to in that way.
 */
export type NegotiationStart = "probe" | "initialize" | "discover";

interface NegotiationOptions extends HandshakeOptions {
  readonly start: NegotiationStart;
}

/** A conversation that was opened, and how sure its protocol version is. */
export interface Negotiated {
  readonly handshake: HandshakeResult;
  /** For how long the same server may be assumed to speak this protocol version. */
  readonly remember: "week" | "hour" | "no";
  /** Resolves to true when the server accepts `server/discover` after the conversation was opened the older way. */
  readonly late?: Promise<boolean>;
}

/** The conversation has to be opened in a new process, because the probe or an earlier `initialize` spoilt this one. */
export class NewProcessNeeded extends UpstreamError {
  override readonly name = "NewProcessNeeded";
  readonly start: "initialize" | "discover";

  constructor(start: "initialize" | "discover", cause: unknown) {
    super(cause instanceof Error ? cause.message : "it answered late", { cause });
    this.start = start;
  }
}

/** Longest wait for the answer to the probe before `initialize` is tried as well. (ms) */
const SILENCE_MS = 5000;

/**
 * Opens a conversation in the newest protocol version that both sides speak. Servers of 2026-07-28 are recognised by
 * their answer to `server/discover`, which comes first; `probeVerdict` is the table of what every other answer means.
 *
 * @throws NewProcessNeeded only over stdio, and never where `start` is what it asked for
 * @throws UpstreamError, RpcError, Fault call_timeout
 * @see MCP 2026-07-28, basic/versioning, Backward Compatibility
 */
export async function negotiateVersion(channel: ProtocolChannel, options: NegotiationOptions): Promise<Negotiated> {
  const { kind } = channel.transport;
  if (kind === "sse") return { handshake: await protocol2025.handshake(channel, options), remember: "week" };
  if (options.start === "initialize") return initialize(channel, options);
  return kind === "stdio" ? overStdio(channel, options) : overHttp(channel, options);
}

/** The older way first, and the newer one only where the refusal suggests it. */
async function initialize(channel: ProtocolChannel, options: HandshakeOptions): Promise<Negotiated> {
  try {
    return { handshake: await protocol2025.handshake(channel, options), remember: "week" };
  } catch (error) {
    const refusal = rpcErrorOf(error);
    if (!refusal || !isModernRefusal(refusal)) throw error;
    const newer = await protocol2026.handshake(channel, options).catch((refused) => {
      // The first refusal decides whether the older HTTP+SSE is tried.
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
    // A process that ends in a conversation known to be of 2026-07-28 has another reason for it.
    if (verdict.action === "new process" && options.start === "probe")
      throw new NewProcessNeeded("initialize", failure);
    if (verdict.action !== "initialize" || (answer.kind === "silence" && options.start === "discover")) throw failure;
    const late = answer.kind === "silence" ? acceptedLate(answered) : undefined;
    return initializeAfterProbe(channel, options, { verdict, late });
  }
}

/** The answer to the probe, or `silence`; a server with a known protocol version gets all the time there is. */
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

/** Half of a short timeout is left for `initialize`. */
const silenceMs = ({ timeoutMs }: HandshakeOptions) => Math.min(SILENCE_MS, timeoutMs / 2);

/** Whether the answer, whenever it comes, is that of a server of 2026-07-28. */
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
 * @throws NewProcessNeeded the server was only slow to start: `initialize` may have bound its process to an older
 *   version, or was refused because the server knows none
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
    // Both answers may come in one piece.
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

/** Whether an older server may have gone wrong because of the probe: it refuses `initialize`, or has ended. */
const spoilt = ({ exchange }: ProtocolChannel, error: unknown) => rpcErrorOf(error) !== undefined || exchange.isOver;

const resultAnswer = ({ result }: { result: unknown }): ProbeAnswer => ({ kind: "result", result });

/** What a failed `server/discover` says. @throws the error itself where the attempt was cancelled */
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
