import type { Readable, Writable } from "node:stream";
import { systemClock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { RPC, type RpcErrorObject, type RpcId } from "../../core/schema/mcp.ts";
import { waitAtMost } from "../../core/upstream/wait-at-most.ts";
import { keepAliveAgent } from "../open-request.ts";
import { errorFor, errorText, refusalIn } from "./bridge-error.ts";
import { createBridgeLink } from "./bridge-link.ts";
import { createBridgeSession } from "./bridge-session.ts";
import { createClientOutput } from "./client-output.ts";
import type { BridgeTarget } from "./post-message.ts";
import { MAX_LINE_BYTES, readLines } from "./read-lines.ts";
import { type BridgeMessage, isResponseTo, readMessage } from "./read-message.ts";
import { createStatelessHeaders } from "./stateless-headers.ts";

interface BridgeOptions {
  readonly target: BridgeTarget;
  readonly input: Readable;
  readonly output: Writable;
  /** Writes one line to the log of the client. */
  note(text: string): void;
  /** Ends the bridge at once. */
  readonly signal: AbortSignal;
  /** How long a message waits for a proxy that is not running (ms). */
  readonly graceMs?: number;
}

const GRACE_MS = 5000;

/** How long requests may still be answered after the end of the input (ms). */
const DRAIN_MS = 5000;

/** Timeout for a notification or a response; later messages wait for it (ms). */
const NOTIFY_MS = 10_000;

/** Maximum number of requests that wait for a response; further ones are rejected. */
const MAX_PENDING = 1000;

/** One message of the client that waits for responses. */
interface Pending {
  readonly abort: AbortController;
  readonly method: string | undefined;
  readonly done: Promise<void>;
}

/**
 * Forwards MCP messages between a program's standard streams and the proxy's HTTP endpoint, for all protocol versions.
 * Every request gets exactly one response, from the proxy or an error with the reason. After a restart of the proxy,
 * the bridge opens the client's session again, and the client continues to use it.
 *
 * @returns whether the proxy accepted any message, or no request was sent
 */
export async function runBridge(options: BridgeOptions): Promise<boolean> {
  const { target, input, note, graceMs = GRACE_MS } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const agent = await keepAliveAgent(target.to);
  const link = createBridgeLink({ ...target, agent }, { note, graceMs });
  const out = createClientOutput(options.output, signal);
  const session = createBridgeSession({ link, out, note, signal });
  const stateless = createStatelessHeaders();
  const pending = new Map<RpcId, Pending>();
  let hasAsked = false;

  const post = (message: BridgeMessage, until: AbortSignal, receive: (text: string) => void) => {
    const headers = message.isStateless ? stateless.of(message) : session.headers();
    return link.send({ method: "POST", headers, body: message.text, signal: until, receive, pace: out.pace });
  };

  const fail = (ids: Iterable<RpcId>, error: RpcErrorObject) => {
    for (const id of ids) out.write(errorText(id, error));
  };

  /** Sends requests and forwards everything that is received until each has a response. */
  const exchange = async (message: BridgeMessage, until: AbortSignal) => {
    const open = new Set(message.ids);
    const receive = (text: string) => {
      // A batch gets one response.
      const answered = text.startsWith("[") ? [...open] : [...open].filter((id) => isResponseTo(text, id));
      for (const id of answered) open.delete(id);
      if (answered.length > 0 && message.isStateless) stateless.learn(message, text);
      out.write(text);
    };
    const usedId = message.isStateless ? undefined : session.id;
    try {
      let response = await post(message, until, receive);
      if (usedId !== undefined && response.status === 404 && refusalIn(response).code === RPC.sessionNotFound) {
        // The proxy was restarted and has done nothing with the request.
        await session.reopen(usedId);
        response = await post(message, until, receive);
      }
      if (response.status === 200 && !message.isStateless) session.remember(message);
      if (!until.aborted) fail(open, refusalIn(response));
    } catch (error) {
      if (!until.aborted) fail(open, errorFor(error));
    }
  };

  const begin = (message: BridgeMessage) => {
    const { ids, method } = message;
    hasAsked = true;
    if (pending.size >= MAX_PENDING) return fail(ids, TOO_MANY);
    const abort = new AbortController();
    const done = exchange(message, AbortSignal.any([signal, abort.signal])).finally(() => {
      for (const id of ids) if (pending.get(id)?.abort === abort) pending.delete(id);
    });
    for (const id of ids) pending.set(id, { abort, method, done });
  };

  /** Sends a notification or response and waits until the proxy has it, so that it arrives before the next message. */
  const notify = async (message: BridgeMessage) => {
    const what = message.method ?? "a response";
    const until = AbortSignal.any([signal, AbortSignal.timeout(NOTIFY_MS)]);
    try {
      const response = await post(message, until, out.write);
      if (response.status >= 400) note(`the proxy rejected ${what}: ${refusalIn(response).message}`);
    } catch (error) {
      if (!signal.aborted) note(`${what} was lost: ${reasonOf(error)}`);
    }
  };

  const take = async (line: string) => {
    await out.pace();
    let message: BridgeMessage;
    try {
      message = readMessage(line);
    } catch (error) {
      return out.write(errorText(null, { code: RPC.parse, message: `Parse error: ${reasonOf(error)}` }));
    }
    const { method, ids, params } = message;
    // The proxy treats a closed connection as the cancellation of its request; unlike a message, this cannot overtake
    // the request.
    if (method === "notifications/cancelled") return pending.get(params.requestId as RpcId)?.abort.abort();
    if (ids.length === 0) return notify(message);
    if (method !== "initialize") return begin(message);
    hasAsked = true;
    await session.initialize(message, ids[0]!);
  };

  await readLines(input, { take, tooLong: () => out.write(errorText(null, TOO_LONG)), signal });
  // A subscription does not end by itself.
  for (const { abort, method } of pending.values()) if (method === "subscriptions/listen") abort.abort();
  const answers = Promise.allSettled([...pending.values()].map(({ done }) => done));
  if (!signal.aborted) await waitAtMost(systemClock, DRAIN_MS, answers);
  await session.close();
  ended.abort();
  await answers;
  agent.destroy();
  if (!options.signal.aborted) await waitAtMost(systemClock, DRAIN_MS, out.written());
  return !hasAsked || link.wasReached;
}

const TOO_MANY: RpcErrorObject = {
  code: RPC.internal,
  message: `more than ${MAX_PENDING} requests wait for answers; send this one again later`,
};

const TOO_LONG: RpcErrorObject = {
  code: RPC.parse,
  message: `Parse error: a message must have at most ${MAX_LINE_BYTES} bytes`,
};
