import type { Clock } from "../../base/clock.ts";
import { TransientMap } from "../../base/transient-map.ts";
import type { UpstreamTarget } from "../target.ts";
import type { OutgoingRequest, OutgoingText, ProtocolTerms, Transport, TransportReceiver } from "../transport.ts";
import { type HttpHost, openHttpHost, withAuthorization } from "./http-host.ts";
import { OutgoingPost, type OutgoingPostOwner } from "./outgoing-post.ts";
import { ServerStream, type ServerStreamOwner } from "./server-stream.ts";

interface StreamableHttpOptions {
  target: UpstreamTarget;
  clock: Clock;
  receiver: TransportReceiver;
}

/** Timeout of the request that ends the session. (ms) */
const FAREWELL_MS = 1500;
/** Wait before the rest of an interrupted response is requested, unless the server specifies one. (ms) */
const RESUME_MS = 500;

/** Opens a connection over streamable HTTP (MCP 2025-03-26 and later). Nothing is sent before the first message. */
export async function openStreamableHttp(options: StreamableHttpOptions): Promise<Transport> {
  return new Http(options, await openHttpHost(options.target));
}

class Http implements Transport, OutgoingPostOwner, ServerStreamOwner {
  readonly kind = "http";
  readonly host: HttpHost;
  readonly receiver: TransportReceiver;
  readonly clock: Clock;
  generation = 0;
  private readonly posts = new TransientMap<number, OutgoingPost>();
  private opening: Record<string, string>;
  private shown: string | undefined;
  private usual: Record<string, string>;
  private terms: ProtocolTerms | undefined;
  private sessionId: string | undefined;
  private stream: ServerStream | undefined;
  private closing: Promise<void> | undefined;
  /** Resolves when `listen` is called; made if somebody waits for it. */
  private listening: Promise<void> | undefined;
  private listens: (() => void) | undefined;

  constructor({ clock, receiver }: StreamableHttpOptions, host: HttpHost) {
    this.host = host;
    this.clock = clock;
    this.receiver = receiver;
    this.opening = {
      ...this.host.headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    this.usual = this.opening;
  }

  send(text: OutgoingText, request?: OutgoingRequest): void {
    const post = new OutgoingPost(this, text, request);
    if (request) this.posts.set(request.id, post);
    this.dispatch(post);
  }

  dispatch(post: OutgoingPost): void {
    // Most servers need no sign-in, so no promise is made for them on the call path.
    if (!this.host.bearer) {
      this.dispatchWith(post, undefined);
      return;
    }
    withAuthorization(
      this.host,
      (authorization) => this.dispatchWith(post, authorization),
      (error) => post.broken(error),
    );
  }

  private dispatchWith(post: OutgoingPost, authorization: string | undefined): void {
    if (post.isOver) return;
    const { host } = this;
    const { path } = host;
    const { text: body, request, lastEventId } = post;
    post.shown = authorization;
    const headers = this.headers(authorization, request);
    if (lastEventId === undefined) host.dispatch({ method: "POST", path, headers, body }, post);
    else host.dispatch({ method: "GET", path, headers: { ...headers, "last-event-id": lastEventId } }, post);
  }

  forget(id: number): void {
    this.posts.get(id)?.abort();
  }

  agree(terms: ProtocolTerms): void {
    this.terms = terms;
    this.refresh();
  }

  listen(): Promise<boolean> {
    this.stream?.close();
    this.stream = new ServerStream(this);
    this.listens?.();
    return this.stream.offered;
  }

  get hearing(): Promise<unknown> | undefined {
    if (this.stream) return this.stream.opening;
    this.listening ??= new Promise((done) => {
      this.listens = done;
    });
    return this.listening.then(() => this.stream?.opening);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  headers(authorization: string | undefined, request?: OutgoingRequest): Record<string, string> {
    if (authorization !== this.shown) this.show(authorization);
    // `initialize` opens a new session, even if there is one already.
    if (request?.method === "initialize") return this.opening;
    const more = request && this.terms?.headers?.(request);
    return more ? { ...this.usual, ...more } : this.usual;
  }

  answered(request: OutgoingRequest | undefined, headers: Record<string, string | string[] | undefined>): void {
    if (request?.method !== "initialize") return;
    this.sessionId = sessionIn(headers);
    if (this.sessionId) this.generation++;
    this.refresh();
  }

  discovered(headers: Record<string, string | string[] | undefined>): void {
    const sessionId = sessionIn(headers);
    if (sessionId !== undefined) void this.farewell({ ...this.opening, "mcp-session-id": sessionId });
  }

  ended(post: OutgoingPost): void {
    if (post.request && this.posts.get(post.request.id) === post) this.posts.delete(post.request.id);
  }

  resume(request: OutgoingRequest, lastEventId: string, retryMs = RESUME_MS): void {
    const post = new OutgoingPost(this, "", request, lastEventId);
    this.posts.set(request.id, post);
    this.clock.after(retryMs, () => {
      if (!this.closing && this.receiver.awaits(request.id)) this.dispatch(post);
    });
  }

  /** Sets the authorization. The headers are built only when it changes, not for each request. */
  private show(authorization: string | undefined): void {
    const { authorization: _, ...rest } = this.opening;
    this.shown = authorization;
    this.opening = authorization === undefined ? { ...rest, ...this.host.headers } : { ...rest, authorization };
    this.refresh();
  }

  private refresh(): void {
    this.usual = { ...this.opening };
    if (this.terms) this.usual["mcp-protocol-version"] = this.terms.protocolVersion;
    if (this.sessionId) this.usual["mcp-session-id"] = this.sessionId;
  }

  private async end(): Promise<void> {
    this.stream?.close();
    for (const post of [...this.posts.values()]) post.abort();
    if (this.sessionId) await this.farewell(this.usual);
    await this.host.destroy();
  }

  /** Ends the session at the server. (MCP, streamable HTTP: DELETE) */
  private farewell(headers: Record<string, string>): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, FAREWELL_MS);
      const finished = () => {
        clearTimeout(timer);
        done();
      };
      const { host } = this;
      host.dispatch(
        { method: "DELETE", path: host.path, headers },
        { onRequestStart() {}, onResponseStart() {}, onResponseEnd: finished, onResponseError: finished },
      );
    });
  }
}

function sessionIn(headers: Record<string, string | string[] | undefined>): string | undefined {
  const given = headers["mcp-session-id"];
  return typeof given === "string" && given !== "" ? given : undefined;
}
