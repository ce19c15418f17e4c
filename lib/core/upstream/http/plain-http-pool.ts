import type { OutgoingText } from "../transport.ts";
import {
  type HttpRequest,
  PlainHttpConnection,
  type PlainHttpConnectionOwner,
  type ResponseHandler,
  withCode,
} from "./plain-http-connection.ts";

interface WaitingRequest {
  readonly head: string;
  readonly body: OutgoingText | undefined;
  readonly handler: ResponseHandler;
}

interface PlainHttpPoolOptions {
  /** Maximum number of connections; each carries one request at a time. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
}

/**
 * Sends requests to one origin over unencrypted connections that stay open for a while. It does what undici does, for
 * such requests only, in less than half the time: a call to a server in the same machine or network consists mostly of
 * that. Without connections it takes hardly any memory.
 */
export class PlainHttpPool implements PlainHttpConnectionOwner {
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs: number;
  private readonly origin: string;
  private readonly most: number;
  private readonly open: PlainHttpConnection[] = [];
  /** Connections without a request; the one used last is at the end and is used next. */
  private readonly idle: PlainHttpConnection[] = [];
  private readonly waiting: WaitingRequest[] = [];
  private sweep: NodeJS.Timeout | undefined;
  private isDestroyed = false;
  /** The head of the last POST request, and from what it was made: most requests of a server have the same. */
  private head = "";
  private headPath = "";
  private headFields: HttpRequest["headers"] | undefined;

  constructor(url: URL, { connections, connectTimeoutMs }: PlainHttpPoolOptions) {
    this.host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
    this.port = Number(url.port || 80);
    this.origin = url.host;
    this.most = connections;
    this.connectTimeoutMs = connectTimeoutMs;
  }

  /** @param request the same object of headers must always have the same members */
  dispatch(request: HttpRequest, handler: ResponseHandler): void {
    let head: string;
    try {
      if (this.isDestroyed) throw destroyed();
      head = this.headOf(request);
    } catch (error) {
      handler.onResponseError(undefined, error as Error);
      return;
    }
    this.sendOrWait({ head, body: request.body, handler });
  }

  private sendOrWait(post: WaitingRequest): void {
    const now = performance.now();
    const connection = this.take(now);
    if (!connection) this.waiting.push(post);
    else if (connection.idleSince === 0 || now - connection.idleSince < FRESH_MS) send(connection, post);
    // The server may have closed it meanwhile, which the next turn of the event loop shows. A request that is lost with
    // its connection cannot be repeated, because the server may have executed it.
    else setImmediate(() => (connection.isClosed ? this.dispatchAgain(post) : send(connection, post)));
  }

  private dispatchAgain(post: WaitingRequest): void {
    if (this.isDestroyed) post.handler.onResponseError(undefined, destroyed());
    else this.sendOrWait(post);
  }

  /** Closes all connections; their requests and later ones fail. */
  destroy(): void {
    this.isDestroyed = true;
    const error = destroyed();
    for (const { handler } of this.waiting.splice(0)) handler.onResponseError(undefined, error);
    for (const connection of [...this.open]) connection.close(error);
  }

  freed(connection: PlainHttpConnection): void {
    const next = this.waiting.shift();
    if (next) {
      send(connection, next);
      return;
    }
    this.idle.push(connection);
    this.sweepLater();
  }

  closed(connection: PlainHttpConnection): void {
    remove(this.open, connection);
    remove(this.idle, connection);
    const next = this.isDestroyed ? undefined : this.waiting.shift();
    if (next) send(this.opened(), next);
  }

  /** Returns a connection for a request; undefined if the request must wait for one. */
  private take(now: number): PlainHttpConnection | undefined {
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (connection.usableUntil > now) return connection;
      connection.close(destroyed());
    }
    return this.open.length < this.most ? this.opened() : undefined;
  }

  private opened(): PlainHttpConnection {
    const connection = new PlainHttpConnection(this);
    this.open.push(connection);
    return connection;
  }

  /** One timer closes all connections that are idle for too long. */
  private sweepLater(): void {
    this.sweep ??= setTimeout(() => {
      this.sweep = undefined;
      const now = performance.now();
      for (const connection of this.idle.filter(({ usableUntil }) => usableUntil <= now)) connection.close(destroyed());
      if (this.idle.length > 0) this.sweepLater();
    }, SWEEP_MS).unref();
  }

  private headOf({ method, path, headers }: HttpRequest): string {
    if (method !== "POST") return requestHead(method, path, this.origin, headers);
    if (path !== this.headPath || headers !== this.headFields) {
      this.head = requestHead(method, path, this.origin, headers);
      this.headPath = path;
      this.headFields = headers;
    }
    return this.head;
  }
}

const SWEEP_MS = 1000;
/** An open connection that was idle for a shorter time is used at once. (ms) */
const FRESH_MS = 50;

function remove(from: PlainHttpConnection[], connection: PlainHttpConnection): void {
  const at = from.indexOf(connection);
  if (at >= 0) from.splice(at, 1);
}

function send(connection: PlainHttpConnection, { head, body, handler }: WaitingRequest): void {
  connection.send(head, body, handler);
}

const TOKEN = /^[!#$%&'*+.^_`|~\da-zA-Z-]+$/;
/** Control characters in a header would begin another header, or another request. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^\/[\x21-\xff]*$/;

/** Returns the request line and the headers of a request. @throws Error if a part is not valid */
export function requestHead(
  method: HttpRequest["method"],
  path: string,
  host: string,
  headers: HttpRequest["headers"],
): string {
  if (!PATH.test(path)) throw new Error("invalid request path");
  const lines = [`${method} ${path} HTTP/1.1`];
  if (headers.host === undefined) lines.push(`host: ${host}`);
  lines.push("connection: keep-alive");
  for (const name in headers) {
    const value = headers[name]!;
    if (!TOKEN.test(name) || !FIELD_VALUE.test(value)) throw new Error(`invalid ${name} header`);
    lines.push(`${name}: ${value}`);
  }
  // The pool keeps the head. Additions would make it a tree of its parts, which takes three times the memory.
  lines.push("");
  return lines.join("\r\n");
}

function destroyed(): Error {
  return withCode("The client is destroyed", "UND_ERR_DESTROYED");
}
