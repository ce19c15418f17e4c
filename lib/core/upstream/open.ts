import type { Clock } from "../base/clock.ts";
import { RPC, RpcError } from "../schema/mcp.ts";
import { SignInNeeded, StatusError, UpstreamError } from "./failures.ts";
import { openHttp } from "./http/http.ts";
import { openSse } from "./http/sse.ts";
import type { ClientInfo, Greeting, GreetOptions, Line } from "./protocol/era.ts";
import { era2025 } from "./protocol/era-2025.ts";
import { era2026 } from "./protocol/era-2026.ts";
import { Exchange, type ExchangeHooks } from "./protocol/exchange.ts";
import type { Child } from "./stdio/child.ts";
import { launch, withChild } from "./stdio/launch.ts";
import { openStdio } from "./stdio/stdio.ts";
import type { Target } from "./target.ts";
import type { Transport } from "./transport.ts";

export interface OpenOptions {
  server: string;
  target: Target;
  client: ClientInfo;
  clock: Clock;
  /** Starts the command of a target. @throws UpstreamError */
  start(target: Target, signal: AbortSignal): Promise<Child>;
  hooks: ExchangeHooks;
  onStderr(line: string): void;
  /** A line that a program with an address writes to its output. */
  onOutput(line: string): void;
  /** Longest wait for such a program to listen. */
  launchMs: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** The kind that worked last time is tried first. */
  remembered: Transport["kind"] | undefined;
}

/** A conversation that was opened. */
export interface Opened extends Line {
  readonly greeting: Greeting;
}

/** Statuses by which an older server says that it knows no streamable HTTP. (MCP, backwards compatibility) */
const NOT_STREAMABLE = new Set([400, 404, 405]);

/**
 * Connects to an upstream, whose program is started first where it has one, and opens the conversation.
 *
 * @throws UpstreamError, Fault call_timeout, RpcError; nothing is left open or running then
 */
export async function open(options: OpenOptions): Promise<Opened> {
  const { target, start, clock, launchMs, signal, onOutput, onStderr } = options;
  const { url, command, mask } = target;
  if (!url || command === "") return openAny(options);
  const started = (until: AbortSignal) => start(target, until);
  const { child, ended } = await launch({
    url,
    start: started,
    clock,
    waitMs: launchMs,
    signal,
    mask,
    onOutput,
    onStderr,
  });
  try {
    const opened = await openAny({ ...options, signal: AbortSignal.any([signal, ended]) });
    const gone = () => opened.exchange.closed(ended.reason as Error);
    if (ended.aborted) gone();
    else ended.addEventListener("abort", gone, { once: true });
    return { ...opened, transport: withChild(opened.transport, child) };
  } catch (error) {
    await child.end();
    throw ended.aborted ? ended.reason : error;
  }
}

/**
 * Opens the conversation by the first of the target's transports that works.
 *
 * @throws UpstreamError, Fault call_timeout, RpcError; nothing is left open then
 */
async function openAny(options: OpenOptions): Promise<Opened> {
  const { target, remembered } = options;
  const kinds = remembered && target.kinds.includes(remembered) ? [remembered] : target.kinds;
  const [first = "http", second] = kinds;
  try {
    return await openBy(first, options);
  } catch (error) {
    if (second === undefined || !(error instanceof StatusError) || !NOT_STREAMABLE.has(error.status)) throw error;
    try {
      return await openBy(second, options);
    } catch (older) {
      if (older instanceof SignInNeeded) throw older;
      throw new UpstreamError(`by streamable HTTP: ${error.message}; by HTTP+SSE: ${(older as Error).message}`, {
        cause: older,
      });
    }
  }
}

async function openBy(kind: Transport["kind"], options: OpenOptions): Promise<Opened> {
  const { server, clock, hooks, client, timeoutMs, signal } = options;
  const exchange = new Exchange(server, clock, hooks);
  const transport = await carrier(kind, exchange, options);
  const line = { exchange, transport };
  exchange.attach(transport);
  try {
    signal.throwIfAborted();
    const greeting = await greet(line, { client, timeoutMs, signal });
    return { ...line, greeting: maskGreeting(greeting, options.target.mask) };
  } catch (error) {
    exchange.end(new UpstreamError("the attempt was given up"));
    await transport.close();
    if (error instanceof RpcError)
      throw new UpstreamError(`it refused the handshake: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What a server says of itself, without the secrets of its definition: it is shown to every caller. */
function maskGreeting(greeting: Greeting, mask: (text: string) => string): Greeting {
  const { serverInfo, instructions } = greeting;
  return {
    ...greeting,
    serverInfo: serverInfo && {
      name: mask(serverInfo.name),
      version: mask(serverInfo.version),
      ...(serverInfo.title !== undefined && { title: mask(serverInfo.title) }),
    },
    instructions: instructions === undefined ? undefined : mask(instructions),
  };
}

/** What a server that knows no `initialize` says to it. (2026-07-28: unsupported revision; JSON-RPC: no such method) */
const NEWER_ONLY = new Set([-32022, RPC.methodNotFound]);

/**
 * The handshake of the older era first: whoever speaks both answers it, and some older servers end at anything else.
 * Only a refusal that looks like the newer era leads to that one.
 */
async function greet(line: Line, options: GreetOptions): Promise<Greeting> {
  try {
    return await era2025.greet(line, options);
  } catch (error) {
    const code = error instanceof StatusError ? error.rpc?.code : error instanceof RpcError ? error.code : undefined;
    if (code === undefined || !NEWER_ONLY.has(code)) throw error;
    return await era2026.greet(line, options).catch((newer) => {
      throw newer instanceof UpstreamError && !(newer instanceof StatusError) ? newer : error;
    });
  }
}

async function carrier(kind: Transport["kind"], receiver: Exchange, options: OpenOptions): Promise<Transport> {
  const { target, start, clock, signal, onStderr } = options;
  if (kind === "stdio") return openStdio(await start(target, signal), { receiver, mask: target.mask, onStderr });
  if (kind === "sse") return openSse({ target, receiver, signal });
  return openHttp({ target, clock, receiver });
}
