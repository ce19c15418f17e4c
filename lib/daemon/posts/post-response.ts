import { EventEmitter } from "node:events";
import { STATUS_CODES } from "node:http";
import type { McpResponse } from "../../core/mcp/received-post.ts";
import { LISTENER_LIMITS } from "../listener-limits.ts";

/** The connection of a response. */
interface ResponseConnection {
  /** True if clients are asked to close their connections. */
  readonly isRetired: boolean;
  readonly writableLength: number;
  /** The time, as in the header `Date`. */
  date(): string;
  /**
   * Writes at once.
   *
   * @param finished called when the operating system has everything
   * @returns false if the caller should wait for the event `drain` before it writes more
   */
  write(chunk: string | Buffer, encoding: BufferEncoding, finished?: () => void): boolean;
  /** Called when the operating system has the whole response. */
  finished(response: PostResponse): void;
  /** Joins what is written in this turn of the event loop. */
  cork(): void;
  destroy(): void;
}

/** Number of bytes that wait for an earlier response, from which on the writer should wait, too. */
const MAX_HELD_BYTES = 64 * 1024;

/**
 * The response to a POST, in the bytes that `node:http` would send. Responses of a connection are sent in the order of
 * their requests, so what is written too early is held back.
 */
export class PostResponse extends EventEmitter implements McpResponse {
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableFinished = false;
  /** True if no further request of the connection is read. */
  closesConnection = false;
  private head = "";
  private type = "";
  private isChunked = false;
  private isFirst: boolean;
  private held: [chunk: string | Buffer, encoding: BufferEncoding][] = [];
  private heldBytes = 0;
  private readonly connection: ResponseConnection;

  constructor(connection: ResponseConnection, isFirst: boolean) {
    super();
    this.connection = connection;
    this.isFirst = isFirst;
  }

  get writableLength(): number {
    return this.heldBytes + (this.isFirst ? this.connection.writableLength : 0);
  }

  /** True for an event stream. A shutdown does not wait for its end. */
  get staysOpen(): boolean {
    return this.type.startsWith("text/event-stream");
  }

  /** Only `content-type` is set so, and `writeHead` sets it again. */
  setHeader(name: string, value: string): this {
    if (name === "content-type") this.type = value;
    return this;
  }

  writeHead(status: number, headers: readonly string[]): this {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    this.isChunked = true;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!;
      const value = headers[i + 1]!;
      // A line break in a value would begin another header or another response.
      if (!FIELD_VALUE.test(value)) throw new TypeError(`invalid character in the header ${name}`);
      if (name === "content-length") this.isChunked = false;
      head += `${name}: ${value}\r\n`;
    }
    this.closesConnection = this.connection.isRetired;
    head += `Date: ${this.connection.date()}\r\n${this.closesConnection ? CLOSE : KEEP_ALIVE}`;
    if (this.isChunked) head += "Transfer-Encoding: chunked\r\n";
    this.head = `${head}\r\n`;
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    this.send("", "latin1");
  }

  write(chunk: string | Buffer): boolean {
    if (this.writableEnded || this.destroyed) return false;
    const sizeBytes = typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length;
    if (sizeBytes === 0) return true;
    if (!this.isChunked) return this.send(chunk, "utf8");
    if (this.isFirst) this.connection.cork();
    const size = `${sizeBytes.toString(16)}\r\n`;
    if (typeof chunk === "string") return this.send(`${size}${chunk}\r\n`, "utf8");
    this.send(size, "latin1");
    this.send(chunk, "utf8");
    return this.send("\r\n", "latin1");
  }

  end(text = "", encoding: BufferEncoding = "utf8"): this {
    if (this.writableEnded) return this;
    if (this.isChunked && text !== "") this.write(text);
    this.writableEnded = true;
    if (this.isChunked && this.isFirst) this.connection.cork();
    if (this.isChunked) this.send("0\r\n\r\n", "latin1");
    else this.send(text, encoding);
    if (this.isFirst) this.finishWhenWritten();
    return this;
  }

  destroy(): this {
    this.connection.destroy();
    return this;
  }

  /** Sends what was held back, because the responses before it are sent. */
  becomeFirst(): void {
    this.isFirst = true;
    const { held } = this;
    this.held = [];
    this.heldBytes = 0;
    for (const [chunk, encoding] of held) this.connection.write(chunk, encoding);
    if (this.writableEnded) this.finishWhenWritten();
    else if (held.length > 0) this.emit("drain");
  }

  /** The connection was closed. */
  closed(): void {
    this.destroyed = true;
    this.held = [];
    this.emit("close");
  }

  private send(chunk: string | Buffer, encoding: BufferEncoding): boolean {
    let text = chunk;
    if (this.head !== "") {
      if (typeof chunk === "string") text = this.head + chunk;
      else this.pass(this.head, "latin1");
      this.head = "";
    }
    return text.length === 0 || this.pass(text, encoding);
  }

  private pass(chunk: string | Buffer, encoding: BufferEncoding): boolean {
    if (this.destroyed) return false;
    if (this.isFirst) return this.connection.write(chunk, encoding);
    this.held.push([chunk, encoding]);
    this.heldBytes += chunk.length;
    return this.heldBytes < MAX_HELD_BYTES;
  }

  private finishWhenWritten(): void {
    if (this.connection.writableLength === 0) this.finish();
    else this.connection.write("", "latin1", () => this.finish());
  }

  private finish(): void {
    if (this.destroyed) return;
    this.writableFinished = true;
    this.emit("close");
    this.connection.finished(this);
  }
}

const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CLOSE = "Connection: close\r\n";

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${LISTENER_LIMITS.keepAliveTimeout / 1000}\r\n`;
