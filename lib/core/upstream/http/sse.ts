import { systemClock } from "../../base/clock.ts";
import { reasonOf } from "../../base/fault.ts";
import { SignInNeeded, UpstreamError } from "../errors.ts";
import { OutputThrottle } from "../stdio/throttle.ts";
import type { UpstreamTarget } from "../target.ts";
import type { OutgoingRequest, OutgoingText, ProtocolTerms, Transport, TransportReceiver } from "../transport.ts";
import { type EventStreamHandler, EventStreamReader } from "./event-stream-reader.ts";
import { explainHttpError, type HttpHost, openHttpHost, withAuthorization } from "./http-host.ts";
import type { ResponseControl, ResponseHandler } from "./plain-http-connection.ts";
import { SseDelivery } from "./sse-delivery.ts";
import { challengeIn, type Headers, type Mending, sseRefusal } from "./sse-refusal.ts";

interface SseOptions {
  target: UpstreamTarget;
  receiver: TransportReceiver;
  signal: AbortSignal;
}

/**
 * Opens a connection over HTTP+SSE (MCP 2024-11-05): one stream carries all messages of the server, and its first event
 * names the URL to which messages are posted. Resolves when that URL is known.
 */
export async function openSse({ target, receiver, signal }: SseOptions): Promise<Transport> {
  const host = await openHttpHost(target);
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

class Sse implements Transport, ResponseHandler, EventStreamHandler {
  readonly kind = "sse";
  readonly opened: Promise<void>;
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  private readonly stream = new EventStreamReader(this);
  private headers: Record<string, string>;
  private endpoint: string | undefined;
  private controller: ResponseControl | undefined;
  private gate: OutputThrottle | undefined;
  private over = false;
  private shown: string | undefined;
  private isLast = false;
  private mending: Mending | undefined;
  private settle: { done: () => void; fail: (error: Error) => void } | undefined;

  constructor(host: HttpHost, receiver: TransportReceiver) {
    this.host = host;
    this.receiver = receiver;
    this.headers = { ...host.headers, "content-type": "application/json" };
    this.opened = new Promise((done, fail) => {
      this.settle = { done, fail };
    });
    this.ask(false);
  }

  /** Opens the stream. @param last if true, a rejection is final */
  private ask(last: boolean): void {
    const { host } = this;
    this.isLast = last;
    withAuthorization(
      host,
      (authorization) => {
        this.shown = authorization;
        const shown = authorization === undefined ? {} : { authorization };
        const headers = { ...host.headers, ...shown, accept: "text/event-stream" };
        if (!this.over) host.dispatch({ method: "GET", path: host.path, headers }, this);
      },
      (error) => this.lost(error),
    );
  }

  send(text: OutgoingText, request?: OutgoingRequest): void {
    if (this.endpoint === undefined) return;
    new SseDelivery(this, this.endpoint, text, request).start();
  }

  /** Returns the headers of a posted message. */
  headersWith(authorization: string | undefined): Record<string, string> {
    return authorization === undefined ? this.headers : { ...this.headers, authorization };
  }

  forget(): void {}

  agree(terms: ProtocolTerms): void {
    this.headers = { ...this.headers, "mcp-protocol-version": terms.protocolVersion };
  }

  async listen(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.over = true;
    this.settle?.fail(new UpstreamError("the attempt was cancelled"));
    this.controller?.abort(new Error("closed"));
    await this.host.destroy();
  }

  onRequestStart(controller: ResponseControl): void {
    this.controller = controller;
    this.gate = new OutputThrottle(systemClock, controller);
    if (this.over) controller.abort(new Error("closed"));
  }

  onResponseStart(_controller: ResponseControl, status: number, headers: Headers): void {
    if (status === 200 && String(headers["content-type"] ?? "").startsWith("text/event-stream")) return;
    const { bearer } = this.host;
    if (status === 401 && bearer && !this.isLast) {
      this.mending = { bearer, challenge: challengeIn(headers) };
      return;
    }
    this.lost(sseRefusal(status, headers, "its response is not an event stream", bearer));
  }

  onResponseData(_controller: ResponseControl, chunk: Buffer): void {
    if (!this.over && !this.mending) this.stream.feed(chunk);
  }

  onResponseEnd(): void {
    if (this.mending) this.mend(this.mending);
    else this.lost(new UpstreamError("it closed its stream"));
  }

  onResponseError(_controller: ResponseControl | undefined, error: Error): void {
    if (this.mending) this.mend(this.mending);
    else this.lost(explainHttpError(error, this.host));
  }

  /** Opens the stream again with another authorization, if there is one. */
  private mend({ bearer, challenge }: Mending): void {
    this.mending = undefined;
    bearer.handleRefusal(this.shown, challenge).then(
      (again) => (again ? this.ask(true) : this.lost(new SignInNeeded())),
      (error: unknown) => this.lost(new UpstreamError(reasonOf(error), { cause: error })),
    );
  }

  event(name: string, data: string): void {
    if (name === "endpoint") this.meet(data);
    else if (name === "message") this.read(data);
  }

  tooLong(head: string, tail: string, bytes: number): void {
    this.receiver.tooLong(head, tail, bytes);
  }

  private read(data: string): void {
    const read = this.receiver.message(data);
    if (!read) this.gate?.tick();
    else if (read !== true) this.gate?.holdUntil(read);
  }

  /** Sets the URL for messages. It must be on the configured origin, because messages may contain credentials. */
  private meet(address: string): void {
    if (!URL.canParse(address, this.host.url.href)) {
      this.lost(new UpstreamError("it named an endpoint that is not a URL"));
      return;
    }
    const to = new URL(address, this.host.url);
    if (to.origin !== this.host.url.origin) {
      this.lost(
        new UpstreamError(`it named an endpoint on another origin (${to.origin}), which the proxy does not use`),
      );
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
