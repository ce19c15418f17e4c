import type { Dispatcher } from "undici";
import { systemClock } from "../base/clock.ts";
import { type EventHandler, EventStream } from "./event-stream.ts";
import { SignInNeeded, StatusError, UpstreamError } from "./failures.ts";
import { explain, type HttpHost, openHost } from "./http-host.ts";
import { Floodgate } from "./noise.ts";
import type { Target } from "./target.ts";
import type { Outgoing, Receiver, Terms, Transport } from "./transport.ts";

export interface SseOptions {
  target: Target;
  receiver: Receiver;
  signal: AbortSignal;
}

/**
 * HTTP+SSE (MCP 2024-11-05): one stream brings everything, beginning with the address that messages are posted to.
 * Resolves when that address is known.
 */
export async function openSse({ target, receiver, signal }: SseOptions): Promise<Transport> {
  const host = await openHost(target);
  signal.throwIfAborted();
  const transport = new Sse(host, receiver);
  const stop = () => void transport.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await transport.opened;
    return transport;
  } catch (error) {
    await transport.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

class Sse implements Transport, Dispatcher.DispatchHandler, EventHandler {
  readonly kind = "sse";
  readonly opened: Promise<void>;
  readonly host: HttpHost;
  readonly receiver: Receiver;
  private readonly stream = new EventStream(this);
  private headers: Record<string, string>;
  private endpoint: string | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private gate: Floodgate | undefined;
  private over = false;
  private settle: { done: () => void; fail: (error: Error) => void } | undefined;

  constructor(host: HttpHost, receiver: Receiver) {
    this.host = host;
    this.receiver = receiver;
    this.headers = { ...host.headers, "content-type": "application/json" };
    this.opened = new Promise((done, fail) => {
      this.settle = { done, fail };
    });
    const headers = { ...host.headers, accept: "text/event-stream" };
    host.pool.dispatch({ method: "GET", path: host.path, headers }, this);
  }

  send(text: string, request?: Outgoing): void {
    if (this.endpoint === undefined) return;
    const delivery = new Delivery(this, request);
    this.host.pool.dispatch({ method: "POST", path: this.endpoint, headers: this.headers, body: text }, delivery);
  }

  forget(): void {}

  agree(terms: Terms): void {
    this.headers = { ...this.headers, "mcp-protocol-version": terms.protocolVersion };
  }

  async listen(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.over = true;
    this.settle?.fail(new UpstreamError("the attempt was given up"));
    this.controller?.abort(new Error("closed"));
    await this.host.pool.destroy();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.gate = new Floodgate(systemClock, controller);
    if (this.over) controller.abort(new Error("closed"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status === 200 && String(headers["content-type"] ?? "").startsWith("text/event-stream")) return;
    this.lost(refusal(status, headers, "its answer is no event stream"));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.over) this.stream.feed(chunk);
  }

  onResponseEnd(): void {
    this.lost(new UpstreamError("it closed its stream"));
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.lost(explain(error, this.host.url));
  }

  event(name: string, data: string): void {
    if (name === "endpoint") this.meet(data);
    else if (name === "message" && !this.receiver.message(data)) this.gate?.tick();
  }

  tooLong(head: string, tail: string, bytes: number): void {
    this.receiver.tooLong(head, tail, bytes);
  }

  /** Messages may hold credentials, so they only go to the origin that was configured. */
  private meet(address: string): void {
    if (!URL.canParse(address, this.host.url.href)) {
      this.lost(new UpstreamError("it announced an endpoint that is no URL"));
      return;
    }
    const to = new URL(address, this.host.url);
    if (to.origin !== this.host.url.origin) {
      this.lost(new UpstreamError(`it announced an endpoint on another origin (${to.origin}), which is not used`));
      return;
    }
    this.endpoint = to.pathname + to.search;
    this.settle?.done();
  }

  private lost(error: Error): void {
    if (this.over) return;
    this.over = true;
    this.settle?.fail(error);
    this.controller?.abort(error);
    this.receiver.closed(error);
  }
}

/** How long a server may take to accept a message; what it answers comes later. (ms) */
const DELIVERY_MS = 30_000;

/** One posted message; its answer comes on the stream, so only a refusal matters. */
class Delivery implements Dispatcher.DispatchHandler {
  private readonly sse: Sse;
  private readonly request: Outgoing | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(sse: Sse, request: Outgoing | undefined) {
    this.sse = sse;
    this.request = request;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.timer = setTimeout(
      () => controller.abort(new UpstreamError("it does not take our messages")),
      DELIVERY_MS,
    ).unref();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 300) this.fail(refusal(status, headers, ""));
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    clearTimeout(this.timer);
    this.fail(error instanceof UpstreamError ? error : explain(error, this.sse.host.url));
  }

  private fail(error: Error): void {
    if (this.request) this.sse.receiver.failed(this.request.id, error);
    else this.sse.receiver.fault(`a notification was not taken: ${error.message}`);
  }
}

function refusal(status: number, headers: Record<string, string | string[] | undefined>, text: string): Error {
  const challenge = headers["www-authenticate"];
  if (status === 401) return new SignInNeeded(challenge === undefined ? undefined : String(challenge));
  return new StatusError(status, undefined, text);
}
