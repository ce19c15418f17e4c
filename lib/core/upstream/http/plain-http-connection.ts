import { connect, type Socket } from "node:net";
import type { OutgoingText } from "../transport.ts";
import { type ResponseHeaders, ResponseParser, type ResponseReceiver } from "./response-parser.ts";

/** A request to a known origin. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path and query. */
  readonly path: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent only for methods other than POST. */
  readonly body?: OutgoingText;
}

/** Controls the response to one request. */
export interface ResponseControl {
  /** Ends the request and its connection; its handler gets this error. */
  abort(reason: Error): void;
  /** Stops the delivery of the body until `resume`. */
  pause(): void;
  resume(): void;
}

/** Receives the response to one request, or its error. The names are those of undici. */
export interface ResponseHandler {
  onRequestStart(control: ResponseControl): void;
  onResponseStart(control: ResponseControl, status: number, headers: ResponseHeaders): void;
  /** @param chunk valid until `onResponseEnd` returns */
  onResponseData?(control: ResponseControl, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(control: ResponseControl | undefined, error: Error): void;
}

/** The parts of its pool that a connection uses. */
export interface PlainHttpConnectionOwner {
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs: number;
  /** Called when the connection can take the next request. */
  freed(connection: PlainHttpConnection): void;
  /** Called once, when the connection is closed. */
  closed(connection: PlainHttpConnection): void;
}

/** Number of bytes read at once. A connection keeps so much memory, also while it waits for an event of the server. */
const READ_BYTES = 8 * 1024;
/** Time without traffic after which the system probes the connection, the same as in undici. (ms) */
const TCP_KEEP_ALIVE_MS = 60_000;

/** How long an idle connection is kept if the server does not say how long it keeps it. (ms) */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 60_000;
/** An idle connection is closed this long before the server would close it, so that no request meets that moment. (ms) */
const KEEP_ALIVE_MARGIN_MS = 2000;

/** An unencrypted connection that serves one request after the other. */
export class PlainHttpConnection implements ResponseReceiver, ResponseControl {
  /** Times of `performance.now()`: when its last response ended, and when it must not be used any more. */
  idleSince = 0;
  usableUntil = 0;
  private readonly owner: PlainHttpConnectionOwner;
  private readonly socket: Socket;
  private readonly parser = new ResponseParser(this);
  private readonly connectTimer: NodeJS.Timeout;
  private handler: ResponseHandler | undefined;
  /** Bytes that arrived before a pause. */
  private rest: Buffer | undefined;
  isClosed = false;

  constructor(owner: PlainHttpConnectionOwner) {
    this.owner = owner;
    // With its own buffer, the socket makes no object per read; otherwise Node makes a buffer of 64 KB for each.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const onRead = (count: number) => {
      this.received(buffer.subarray(0, count));
      return true;
    };
    this.socket = connect({
      host: owner.host,
      port: owner.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      onread: { buffer, callback: onRead },
    });
    const late = () => this.close(withCode(`no connection in ${owner.connectTimeoutMs} ms`, "UND_ERR_CONNECT_TIMEOUT"));
    this.connectTimer = setTimeout(late, owner.connectTimeoutMs).unref();
    this.socket
      .once("connect", () => clearTimeout(this.connectTimer))
      .on("end", () => this.ended())
      .on("error", (error) => this.close(error))
      .on("close", () => this.close(otherSideClosed()));
  }

  /**
   * Sends a request. The connection must be free.
   *
   * @param head the request line and the headers, in latin1, each with its line end
   */
  send(head: string, body: OutgoingText | undefined, handler: ResponseHandler): void {
    const { socket } = this;
    this.handler = handler;
    this.parser.next();
    socket.ref();
    handler.onRequestStart(this);
    if (this.isClosed) return;
    if (body === undefined) {
      socket.write(`${head}\r\n`, "latin1");
      return;
    }
    const sizeBytes = typeof body === "string" ? Buffer.byteLength(body) : body.sizeBytes;
    const begun = `${head}content-length: ${sizeBytes}\r\n\r\n`;
    // A text of ASCII characters needs no encoding, and one write is less work than two.
    if (typeof body === "string" && sizeBytes === body.length) {
      socket.write(begun + body, "latin1");
      return;
    }
    socket.cork();
    socket.write(begun, "latin1");
    for (const piece of typeof body === "string" ? [body] : body.pieces) socket.write(piece);
    socket.uncork();
  }

  /** Closes the connection; its request, if there is one, fails with the error. */
  close(error: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.connectTimer);
    this.socket.destroy();
    const { handler } = this;
    this.handler = undefined;
    this.owner.closed(this);
    handler?.onResponseError(this, error);
  }

  abort(reason: Error): void {
    this.close(reason);
  }

  pause(): void {
    this.parser.isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.parser.isPaused || this.isClosed) return;
    this.parser.isPaused = false;
    const { rest = NOTHING } = this;
    this.rest = undefined;
    this.received(rest);
    if (!this.parser.isPaused) this.socket.resume();
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.handler?.onResponseStart(this, status, headers);
  }

  onBody(chunk: Buffer, isLast: boolean): void {
    // The memory of the chunk is used again for the next read.
    this.handler?.onResponseData?.(this, isLast ? chunk : Buffer.from(chunk));
  }

  onEnd(): void {
    const { handler } = this;
    this.handler = undefined;
    handler?.onResponseEnd();
  }

  private received(bytes: Buffer): void {
    if (this.isClosed) return;
    // Bytes that belong to no request could be taken for the response to the next one.
    if (!this.handler) {
      this.close(otherSideClosed());
      return;
    }
    try {
      const rest = this.parser.feed(bytes);
      if (this.isClosed) return;
      if (this.handler) {
        if (rest) this.rest = Buffer.from(rest);
      } else if (rest || !this.parser.keepsAlive) this.close(otherSideClosed());
      else this.free();
    } catch (error) {
      this.close(error as Error);
    }
  }

  private free(): void {
    const { keepAliveMs } = this.parser;
    const idleMs = keepAliveMs === undefined ? IDLE_MS : Math.min(keepAliveMs - KEEP_ALIVE_MARGIN_MS, MAX_IDLE_MS);
    // A server that answers before it has the whole request may never read the rest.
    if (idleMs <= 0 || this.socket.writableLength > 0) {
      this.close(otherSideClosed());
      return;
    }
    this.idleSince = performance.now();
    this.usableUntil = this.idleSince + idleMs;
    this.socket.unref();
    this.owner.freed(this);
  }

  private ended(): void {
    if (this.handler) this.parser.close();
    this.close(otherSideClosed());
  }
}

const NOTHING = Buffer.alloc(0);

function otherSideClosed(): Error {
  return withCode("other side closed", "UND_ERR_SOCKET");
}

/** Makes an error with a code of undici, so that errors of both clients are explained alike (`explainHttpError`). */
export function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
