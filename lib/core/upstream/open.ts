import type { Clock } from "../base/clock.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import { errorClassOf, SignInNeeded, StatusError, UpstreamError } from "./errors.ts";
import { openSse } from "./http/sse.ts";
import { openStreamableHttp } from "./http/streamable-http.ts";
import { type Negotiated, type NegotiationStart, NewProcessNeeded, negotiateVersion } from "./negotiate-version.ts";
import { Exchange } from "./protocol/exchange.ts";
import type { ExchangeHooks } from "./protocol/exchange-hooks.ts";
import type { ClientInfo, HandshakeResult, ProtocolChannel } from "./protocol/protocol-family.ts";
import { launchHttpServer, withServerProcess } from "./stdio/launch-http-server.ts";
import type { ServerProcess } from "./stdio/start-process.ts";
import { openStdio } from "./stdio/stdio.ts";
import type { UpstreamTarget } from "./target.ts";
import type { Transport, TransportReceiver } from "./transport.ts";

interface OpenUpstreamOptions {
  server: string;
  target: UpstreamTarget;
  client: ClientInfo;
  clock: Clock;
  /** Starts the program of a target. @throws UpstreamError */
  start(target: UpstreamTarget, signal: AbortSignal): Promise<ServerProcess>;
  /** Set if another replica runs the program: connects to that replica instead. */
  elsewhere?: (receiver: TransportReceiver, signal: AbortSignal) => Promise<Transport>;
  hooks: ExchangeHooks;
  onStderr(line: string): void;
  /** Called with each line that a launched HTTP server writes to its output. */
  onOutput(line: string): void;
  /** Timeout until such a program listens. */
  launchMs: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** The transport that worked last time; it is tried first. */
  remembered: Transport["kind"] | undefined;
  /** The client capabilities that the proxy declares: the questions that the upstream may ask. */
  capabilities: McpObject;
  /** How to open the conversation. */
  begin: NegotiationStart;
  /** Called before a second process is started, with the first request to it. */
  onSpoilt(next: "initialize" | "discover"): void;
}

/** A channel with an open conversation. */
export interface OpenChannel extends ProtocolChannel, Negotiated {}

/** Statuses with which an older server rejects streamable HTTP. (MCP, backwards compatibility) */
const NOT_STREAMABLE = new Set([400, 404, 405]);

/**
 * Connects to an upstream, starting its program first if it has one, and opens the conversation.
 *
 * @throws UpstreamError, Fault call_timeout, RpcError; everything is then closed and ended
 */
export async function openUpstream(options: OpenUpstreamOptions): Promise<OpenChannel> {
  const { target, start, clock, launchMs, signal, onOutput, onStderr } = options;
  const { url, command, mask } = target;
  if (options.elsewhere) return openBy("stdio", options);
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
 * Opens the conversation over the first of the target's transports that works.
 *
 * @throws UpstreamError, Fault call_timeout, RpcError; everything is then closed
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

/** Opens the conversation, in a second process if the handshake made the first one unusable. */
async function openBy(kind: Transport["kind"], options: OpenUpstreamOptions): Promise<OpenChannel> {
  try {
    return await openLine(kind, options.begin, options);
  } catch (error) {
    if (!(error instanceof NewProcessNeeded)) throw error;
    options.onSpoilt(error.start);
    return await openLine(kind, error.start, options);
  }
}

async function openLine(
  kind: Transport["kind"],
  start: NegotiationStart,
  options: OpenUpstreamOptions,
): Promise<OpenChannel> {
  const { server, clock, client, capabilities, timeoutMs, signal, hooks } = options;
  const exchange = new Exchange(server, clock, hooks);
  // An end during the handshake is a failure of the handshake, which may continue in another process.
  exchange.isOpening = true;
  const transport = await carrier(kind, exchange, options);
  const line = { exchange, transport };
  exchange.attach(transport);
  try {
    signal.throwIfAborted();
    const done = await negotiateVersion(line, { client, capabilities, timeoutMs, signal, start });
    exchange.isOpening = false;
    exchange.throwIfOver();
    return { ...line, ...done, handshake: maskGreeting(done.handshake, options.target.mask) };
  } catch (error) {
    exchange.end(new UpstreamError("the attempt was cancelled"));
    await transport.close();
    if (error instanceof RpcError)
      throw new UpstreamError(`it refused the handshake: ${error.message}`, {
        cause: error,
        errorClass: "handshake_failed",
      });
    throw error;
  }
}

/** Masks the texts with which a server describes itself, because every caller may see them. */
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

async function carrier(kind: Transport["kind"], receiver: Exchange, options: OpenUpstreamOptions): Promise<Transport> {
  const { target, start, clock, signal, onStderr } = options;
  if (options.elsewhere) return options.elsewhere(receiver, signal);
  if (kind === "stdio") return openStdio(await start(target, signal), { receiver, mask: target.mask, onStderr });
  if (kind === "sse") return openSse({ target, receiver, signal });
  return openStreamableHttp({ target, clock, receiver });
}
