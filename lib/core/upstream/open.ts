import type { Clock } from "../base/clock.ts";
import { RPC, RpcError } from "../schema/mcp.ts";
import { errorClassOf, SignInNeeded, StatusError, UpstreamError } from "./errors.ts";
import { openSse } from "./http/sse.ts";
import { openStreamableHttp } from "./http/streamable-http.ts";
import { Exchange, type ExchangeHooks } from "./protocol/exchange.ts";
import { protocol2025 } from "./protocol/protocol-2025.ts";
import { protocol2026 } from "./protocol/protocol-2026.ts";
import type { ClientInfo, HandshakeOptions, HandshakeResult, ProtocolChannel } from "./protocol/protocol-family.ts";
import { launchHttpServer, withServerProcess } from "./stdio/launch-http-server.ts";
import type { ServerProcess } from "./stdio/server-process.ts";
import { openStdio } from "./stdio/stdio.ts";
import type { UpstreamTarget } from "./target.ts";
import type { Transport } from "./transport.ts";

export interface OpenUpstreamOptions {
  server: string;
  target: UpstreamTarget;
  client: ClientInfo;
  clock: Clock;
  /** Starts the command of a target. @throws UpstreamError */
  start(target: UpstreamTarget, signal: AbortSignal): Promise<ServerProcess>;
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
export interface OpenChannel extends ProtocolChannel {
  readonly handshake: HandshakeResult;
}

/** Statuses by which an older server says that it knows no streamable HTTP. (MCP, backwards compatibility) */
const NOT_STREAMABLE = new Set([400, 404, 405]);

/**
 * Connects to an upstream, whose program is started first where it has one, and opens the conversation.
 *
 * @throws UpstreamError, Fault call_timeout, RpcError; nothing is left open or running then
 */
export async function openUpstream(options: OpenUpstreamOptions): Promise<OpenChannel> {
  const { target, start, clock, launchMs, signal, onOutput, onStderr } = options;
  const { url, command, mask } = target;
  if (!url || command === "") return openAny(options);
  const started = (until: AbortSignal) => start(target, until);
  const { child, ended } = await launchHttpServer({
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
    return { ...opened, transport: withServerProcess(opened.transport, child) };
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
async function openAny(options: OpenUpstreamOptions): Promise<OpenChannel> {
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
        errorClass: errorClassOf(older),
      });
    }
  }
}

async function openBy(kind: Transport["kind"], options: OpenUpstreamOptions): Promise<OpenChannel> {
  const { server, clock, hooks, client, timeoutMs, signal } = options;
  const exchange = new Exchange(server, clock, hooks);
  const transport = await carrier(kind, exchange, options);
  const line = { exchange, transport };
  exchange.attach(transport);
  try {
    signal.throwIfAborted();
    const greeting = await greet(line, { client, timeoutMs, signal });
    return { ...line, handshake: maskGreeting(greeting, options.target.mask) };
  } catch (error) {
    exchange.end(new UpstreamError("the attempt was given up"));
    await transport.close();
    if (error instanceof RpcError)
      throw new UpstreamError(`it refused the handshake: ${error.message}`, {
        cause: error,
        errorClass: "handshake_failed",
      });
    throw error;
  }
}

/** What a server says of itself, without the secrets of its definition: it is shown to every caller. */
function maskGreeting(greeting: HandshakeResult, mask: (text: string) => string): HandshakeResult {
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
async function greet(line: ProtocolChannel, options: HandshakeOptions): Promise<HandshakeResult> {
  try {
    return await protocol2025.handshake(line, options);
  } catch (error) {
    const code = error instanceof StatusError ? error.rpc?.code : error instanceof RpcError ? error.code : undefined;
    if (code === undefined || !NEWER_ONLY.has(code)) throw error;
    return await protocol2026.handshake(line, options).catch((newer) => {
      throw newer instanceof UpstreamError && !(newer instanceof StatusError) ? newer : error;
    });
  }
}

async function carrier(kind: Transport["kind"], receiver: Exchange, options: OpenUpstreamOptions): Promise<Transport> {
  const { target, start, clock, signal, onStderr } = options;
  if (kind === "stdio") return openStdio(await start(target, signal), { receiver, mask: target.mask, onStderr });
  if (kind === "sse") return openSse({ target, receiver, signal });
  return openStreamableHttp({ target, clock, receiver });
}
