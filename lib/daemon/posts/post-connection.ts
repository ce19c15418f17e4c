import { isUtf8 } from "node:buffer";
import type { Socket } from "node:net";
import type { ReceivedPost } from "../../core/mcp/received-post.ts";
import { LISTENER_LIMITS } from "../listener-limits.ts";
import { HEAD_END, mayBecomePostHead, type PostHead, parsePostHead } from "./parse-post-head.ts";
import { PostResponse } from "./post-response.ts";

/** What the connections of a listener have in common. */
export interface PostConnectionOwner {
  /** True if clients are asked to close their connections. */
  readonly isRetired: boolean;
  /** Time after which a client that reads nothing of a pending response is disconnected (ms). */
  readonly stallTimeoutMs: number;
  /** True if a POST to this target, path and query, is answered here. */
  takes(target: string): boolean;
  answer(post: ReceivedPost): void;
  /** The time, as in the header `Date`. */
  date(): string;
  /** Called when a request begins to be answered. */
  opened(response: PostResponse): void;
  /** Called when its response was sent, or the connection was closed. */
  closed(response: PostResponse): void;
  /** Hands the connection over to `node:http`, which reads it from then on. */
  handOver(socket: Socket): void;
  /** Reports a request that ended too early, or never began, to the listener, as `node:http` does. */
  refuse(socket: Socket, code: "HPE_INVALID_EOF_STATE" | "ERR_HTTP_REQUEST_TIMEOUT"): void;
  /** Called if a client has taken nothing of what was sent to it for `stallTimeoutMs`. */
  stalled(socket: Socket): void;
  /** Called once, when the connection was closed or handed over. */
  left(connection: PostConnection): void;
}

/** How long the rest of a request may take before `node:http` reads it, with its own limits. (ms) */
const REST_TIMEOUT_MS = 1000;
/** Number of reads of one request after which `node:http` reads it. */
const MAX_READS = 16;
/** Number of unanswered requests of a connection after which no further one is read. */
const MAX_PIPELINED = 16;
/** Number of bytes after which nothing more is read while the connection waits for its responses. */
const MAX_REST_BYTES = 64 * 1024;

/**
 * Reads the requests of one connection as long as they are POSTs in the usual form (`parsePostHead`) that MCP endpoints
 * answer. With the first other request, the connection is handed over to `node:http`, together with the bytes that
 * belong to no answered request.
 */
export class PostConnection {
  /** True after its first request. */
  wasUsed = false;
  private readonly owner: PostConnectionOwner;
  private readonly socket: Socket;
  private readonly listeners: readonly [event: string, listener: (chunk: Buffer) => void][];
  /** Unanswered requests, oldest first. */
  private readonly responses: PostResponse[] = [];
  /** The last head. */
  private head: PostHead | undefined;
  /** Bytes that were read but not used yet. */
  private rest: Buffer | undefined;
  private reads = 0;
  private restTimer: NodeJS.Timeout | undefined;
  /** The time of `performance.now()` since which it waits for a request. */
  private waitsSince = performance.now();
  private isPaused = false;
  /** True if the connection is handed over when its responses are sent. */
  private isLeaving = false;
  private hasLeft = false;

  constructor(owner: PostConnectionOwner, socket: Socket) {
    this.owner = owner;
    this.socket = socket;
    this.listeners = [
      ["data", (chunk) => this.received(chunk)],
      ["drain", () => this.responses[0]?.emit("drain")],
      ["end", () => this.ended()],
      ["timeout", () => this.timedOut()],
      // It is followed by `close`.
      ["error", () => undefined],
      ["close", () => this.closed()],
    ];
    for (const [event, listener] of this.listeners) socket.on(event, listener);
    socket.setTimeout(owner.stallTimeoutMs);
  }

  get isRetired(): boolean {
    return this.owner.isRetired;
  }

  /** True if it waits for a request, of which nothing has arrived. */
  get isIdle(): boolean {
    return this.responses.length === 0 && this.rest === undefined;
  }

  get writableLength(): number {
    return this.socket.writableLength;
  }

  date(): string {
    return this.owner.date();
  }

  write(chunk: string | Buffer, encoding: BufferEncoding, finished?: () => void): boolean {
    return this.socket.write(chunk, encoding, finished);
  }

  cork(): void {
    const { socket } = this;
    if (socket.writableCorked > 0) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
  }

  /** Ends a connection that has waited too long: for its first request, or for the next one. */
  checkWait(now: number): void {
    if (!this.isIdle) return;
    const waitedMs = now - this.waitsSince;
    if (this.wasUsed) {
      if (waitedMs >= LISTENER_LIMITS.keepAliveTimeout) this.destroy();
    } else if (waitedMs >= LISTENER_LIMITS.headersTimeout) this.owner.refuse(this.socket, "ERR_HTTP_REQUEST_TIMEOUT");
  }

  destroy(): void {
    this.socket.destroy();
  }

  finished(response: PostResponse): void {
    this.responses.shift();
    this.owner.closed(response);
    if (response.closesConnection) {
      this.socket.destroySoon();
      return;
    }
    this.waitsSince = performance.now();
    this.responses[0]?.becomeFirst();
    if (this.isLeaving) this.leaveWhenAnswered();
    else if (this.isPaused) this.goOn();
  }

  private received(chunk: Buffer): void {
    let bytes = chunk;
    if (this.rest) {
      bytes = Buffer.concat([this.rest, chunk]);
      this.rest = undefined;
    }
    this.reads++;
    if (!this.isLeaving) this.read(bytes);
    else {
      this.rest = bytes;
      if (bytes.length > MAX_REST_BYTES || this.reads >= MAX_READS) this.pause();
    }
  }

  /** Begins to answer the requests in the bytes. */
  private read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.isClosing) {
      const head = this.readHead(bytes, at);
      const isIncomplete = !head || (head !== "other" && at + head.bytes.length + head.bodyBytes > bytes.length);
      if (head === "other" || (isIncomplete && this.reads >= MAX_READS)) {
        this.leave(bytes, at);
        return;
      }
      if (!head || isIncomplete) {
        this.waitForRest(bytes, at);
        return;
      }
      if (this.responses.length >= MAX_PIPELINED) {
        this.keep(bytes, at);
        this.pause();
        return;
      }
      const bodyAt = at + head.bytes.length;
      at = bodyAt + head.bodyBytes;
      this.take(head, bytes, bodyAt);
    }
  }

  /** @returns undefined if the head is not complete; `other` if `node:http` must read the request */
  private readHead(bytes: Buffer, at: number): PostHead | "other" | undefined {
    const { head } = this;
    if (head && bytes.length - at >= head.bytes.length && head.bytes.compare(bytes, at, at + head.bytes.length) === 0)
      return head;
    const end = bytes.indexOf(HEAD_END, at);
    const headBytes = bytes.subarray(at, end < 0 ? bytes.length : end + HEAD_END.length);
    if (!mayBecomePostHead(headBytes)) return "other";
    if (end < 0) return undefined;
    const parsed = parsePostHead(headBytes);
    if (!parsed || !this.owner.takes(parsed.target)) return "other";
    this.head = parsed;
    return parsed;
  }

  private take({ target, headers, bodyBytes }: PostHead, bytes: Buffer, bodyAt: number): void {
    this.reads = 0;
    this.wasUsed = true;
    clearTimeout(this.restTimer);
    this.restTimer = undefined;
    const bodyEnd = bodyAt + bodyBytes;
    const text = bytes.toString("utf8", bodyAt, bodyEnd);
    // In place of invalid bytes there is this character.
    const isMalformed = text.includes("\ufffd") && !isUtf8(bytes.subarray(bodyAt, bodyEnd));
    const response = new PostResponse(this, this.responses.length === 0);
    this.responses.push(response);
    this.owner.opened(response);
    this.owner.answer({
      target,
      headers,
      remote: this.socket.remoteAddress,
      text: isMalformed ? undefined : text,
      sizeBytes: bodyBytes,
      response,
    });
  }

  private waitForRest(bytes: Buffer, at: number): void {
    this.keep(bytes, at);
    this.restTimer ??= setTimeout(() => this.leave(this.rest ?? NOTHING, 0), REST_TIMEOUT_MS).unref();
  }

  private leave(bytes: Buffer, at: number): void {
    this.isLeaving = true;
    this.keep(bytes, at);
    this.leaveWhenAnswered();
  }

  private leaveWhenAnswered(): void {
    const { socket, rest = NOTHING } = this;
    if (this.responses.length > 0 || this.isClosing || socket.readableEnded) return;
    this.forget();
    for (const [event, listener] of this.listeners) socket.off(event, listener);
    // While it flows, it would drop the bytes that it gets back, or deliver them too early.
    socket.pause();
    if (rest.length > 0) socket.unshift(rest);
    this.owner.handOver(socket);
    socket.resume();
  }

  private goOn(): void {
    const { rest = NOTHING } = this;
    this.rest = undefined;
    this.isPaused = false;
    this.read(rest);
    if (!this.isPaused && !this.hasLeft) this.socket.resume();
  }

  private pause(): void {
    this.isPaused = true;
    this.socket.pause();
  }

  private keep(bytes: Buffer, at: number): void {
    this.rest = at === 0 ? bytes : bytes.subarray(at);
  }

  /** Called when nothing was read and nothing of a pending response was written for a while. */
  private timedOut(): void {
    const { owner, socket } = this;
    if (socket.writableLength > 0) owner.stalled(socket);
    else socket.setTimeout(owner.stallTimeoutMs);
  }

  private ended(): void {
    clearTimeout(this.restTimer);
    if (this.rest && !this.isLeaving && !this.isPaused) this.owner.refuse(this.socket, "HPE_INVALID_EOF_STATE");
    // A client that sends nothing more counts as disconnected.
    else this.socket.end();
  }

  private closed(): void {
    this.forget();
    for (const response of this.responses.splice(0)) {
      this.owner.closed(response);
      response.closed();
    }
  }

  private forget(): void {
    this.hasLeft = true;
    clearTimeout(this.restTimer);
    this.owner.left(this);
  }

  /** True if a response closes the connection, after which requests are ignored. */
  private get isClosing(): boolean {
    return this.hasLeft || this.socket.destroyed || this.socket.writableEnded;
  }
}

const NOTHING = Buffer.alloc(0);
