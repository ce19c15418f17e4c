/** Headers by lower-case name; a header that occurs several times is a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Receives the parts of one response. */
export interface ResponseReceiver {
  onHead(status: number, headers: ResponseHeaders): void;
  /** @param isLast whether `onEnd` follows at once */
  onBody(chunk: Buffer, isLast: boolean): void;
  onEnd(): void;
}

/** Maximum size of the head of a response, of its trailer, and of a line that begins a chunk. (bytes) */
const MAX_HEAD_BYTES = 16 * 1024;
/** Maximum number of interim responses (status 1xx) before the response. */
const MAX_INTERIM = 16;

/** The response violates HTTP/1.1. */
export class ResponseDefect extends Error {
  override readonly name = "ResponseDefect";

  constructor(reason: string) {
    super(`its response is not valid HTTP: ${reason}`);
  }
}

type State = "head" | "fixed" | "until close" | "chunk size" | "chunk" | "chunk end" | "trailer" | "complete";

/**
 * Parses the responses of one connection to POST requests (RFC 9112), one after the other. It accepts only what the
 * specification allows a server to send, because a lenient parser may disagree with an intermediary about where a
 * response ends.
 */
export class ResponseParser {
  /** False if the connection cannot be used after the response. */
  keepsAlive = false;
  /** How long the server keeps an idle connection open, if it says so. (ms) */
  keepAliveMs: number | undefined;
  /** True from the first byte of a response until its end. */
  isInside = false;
  /** While it is true, `feed` consumes nothing, and the end is not reported. */
  isPaused = false;
  private readonly to: ResponseReceiver;
  private state: State = "head";
  /** The beginning of a head or line whose end has not arrived. */
  private partial: Buffer | undefined;
  private leftBytes = 0;
  private trailerBytes = 0;
  private interim = 0;

  constructor(to: ResponseReceiver) {
    this.to = to;
  }

  /**
   * Reads the next bytes.
   *
   * @returns the bytes that were not consumed, because `isPaused` was set or because the response is complete
   * @throws ResponseDefect
   */
  feed(received: Buffer): Buffer | undefined {
    let bytes = received;
    if (this.state === "fixed" && this.leftBytes === 0 && !this.isPaused) this.complete();
    if (this.partial) {
      bytes = Buffer.concat([this.partial, received]);
      this.partial = undefined;
    }
    for (let at = 0; at < bytes.length; ) {
      if (this.isPaused || this.state === "complete") return bytes.subarray(at);
      const next = this.step(bytes, at);
      if (next === undefined) {
        if (bytes.length - at > MAX_HEAD_BYTES) throw new ResponseDefect("its head or a line in it is too long");
        this.partial = Buffer.from(bytes.subarray(at));
        return undefined;
      }
      at = next;
    }
    return undefined;
  }

  /** Prepares for the next response. */
  next(): void {
    this.state = "head";
    this.isInside = false;
    this.interim = 0;
    this.trailerBytes = 0;
  }

  /** Call when the connection has ended. @returns false if the response was cut off by that */
  close(): boolean {
    if (this.state !== "until close") return false;
    this.complete();
    return true;
  }

  /** @returns where the next part begins; undefined if this part is not complete */
  private step(bytes: Buffer, at: number): number | undefined {
    switch (this.state) {
      case "head":
        return this.readHead(bytes, at);
      case "fixed":
      case "chunk":
        return this.readFixed(bytes, at);
      case "until close":
        this.to.onBody(at === 0 ? bytes : bytes.subarray(at), false);
        return bytes.length;
      default:
        return this.readLine(bytes, at);
    }
  }

  private readHead(bytes: Buffer, at: number): number | undefined {
    this.isInside = true;
    const end = bytes.indexOf(HEAD_END, at);
    if (end < 0) return undefined;
    if (end - at > MAX_HEAD_BYTES) throw new ResponseDefect("its head is too long");
    const text = bytes.toString("latin1", at, end);
    const lineEnd = text.indexOf("\r\n");
    const statusLine = STATUS_LINE.exec(lineEnd < 0 ? text : text.slice(0, lineEnd));
    if (!statusLine) throw new ResponseDefect("it does not begin with a status line");
    const status = Number(statusLine[2]);
    if (status < 200) {
      if (status === 101 || ++this.interim > MAX_INTERIM) throw new ResponseDefect(`unexpected status ${status}`);
      return end + HEAD_END.length;
    }
    const headers = lineEnd < 0 ? {} : readHeaders(text, lineEnd + 2);
    this.frame(status, statusLine[1] === "1", headers);
    this.to.onHead(status, headers);
    if (this.state === "fixed" && this.leftBytes === 0) this.complete();
    return end + HEAD_END.length;
  }

  /** Determines where the body ends (RFC 9112 §6.3). */
  private frame(status: number, isNewer: boolean, headers: ResponseHeaders): void {
    const { "content-length": length, "transfer-encoding": encoding, connection, "keep-alive": keepAlive } = headers;
    const says = (token: string) =>
      String(connection ?? "")
        .toLowerCase()
        .includes(token);
    this.keepsAlive = isNewer ? !says("close") : says("keep-alive");
    this.keepAliveMs = keepAliveMs(keepAlive);
    if (encoding !== undefined) {
      if (!isNewer || length !== undefined || String(encoding).toLowerCase() !== "chunked")
        throw new ResponseDefect("its transfer-encoding is not valid");
      this.state = "chunk size";
    } else if (status === 204 || status === 304) {
      this.state = "fixed";
      this.leftBytes = 0;
    } else if (length !== undefined) {
      if (typeof length !== "string" || !/^\d{1,15}$/.test(length))
        throw new ResponseDefect("its content-length is not valid");
      this.state = "fixed";
      this.leftBytes = Number(length);
    } else {
      this.state = "until close";
      this.keepsAlive = false;
    }
  }

  private readFixed(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.leftBytes);
    this.leftBytes -= end - at;
    const isLast = this.leftBytes === 0 && this.state === "fixed";
    this.to.onBody(bytes.subarray(at, end), isLast);
    if (this.leftBytes === 0 && this.state === "chunk") this.state = "chunk end";
    else if (isLast && !this.isPaused) this.complete();
    return end;
  }

  /** Reads a line of the framing of chunks (RFC 9112 §7.1). Extensions and trailers are ignored. */
  private readLine(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(LINE_END, at);
    if (end < 0) return undefined;
    const line = bytes.toString("latin1", at, end);
    if (this.state === "chunk size") {
      const size = CHUNK_SIZE.exec(line);
      if (!size || line.length > MAX_HEAD_BYTES) throw new ResponseDefect("the size of a chunk is not valid");
      this.leftBytes = Number.parseInt(size[1]!, 16);
      this.state = this.leftBytes === 0 ? "trailer" : "chunk";
    } else if (this.state === "chunk end") {
      if (line !== "") throw new ResponseDefect("a chunk is longer than its size");
      this.state = "chunk size";
    } else {
      this.trailerBytes += line.length;
      if (this.trailerBytes > MAX_HEAD_BYTES) throw new ResponseDefect("its trailer is too long");
      if (line === "") this.complete();
    }
    return end + LINE_END.length;
  }

  private complete(): void {
    this.state = "complete";
    this.isInside = false;
    this.to.onEnd();
  }
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d{2})(?: |$)/;
const CHUNK_SIZE = /^([\da-f]{1,8})[ \t]*(?:;|$)/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\da-z-]+$/;
const INVALID_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;

/** Reads the header lines of a head. @throws ResponseDefect */
function readHeaders(text: string, from: number): ResponseHeaders {
  const headers: ResponseHeaders = {};
  for (let at = from; at < text.length; ) {
    const found = text.indexOf("\r\n", at);
    const end = found < 0 ? text.length : found;
    const colon = text.indexOf(":", at);
    if (colon < 0 || colon > end) throw new ResponseDefect("a header has no value");
    const name = text.slice(at, colon).toLowerCase();
    const value = text.slice(colon + 1, end).trim();
    if (!HEADER_NAME.test(name) || INVALID_VALUE.test(value)) throw new ResponseDefect("a header is not valid");
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = before === undefined ? value : [before, value].flat();
    at = end + 2;
  }
  return headers;
}

/** Returns the time in a `Keep-Alive` header. (ms) */
function keepAliveMs(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === "string" ? /(?:^|[\s,])timeout=(\d{1,6})/i.exec(header)?.[1] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
