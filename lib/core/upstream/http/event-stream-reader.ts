import { type LineHandler, LineSplitter, MAX_UPSTREAM_MESSAGE_BYTES } from "../stdio/line-splitter.ts";

export interface EventStreamHandler {
  /** Called for each event; `name` is `message` by default. */
  event(name: string, data: string): void;
  /** Called when an event was too large and was skipped. */
  tooLong(head: string, tail: string, bytes: number): void;
}

/** Parses server-sent events (WHATWG HTML §9.2) from a byte stream. Lines end with LF or CRLF. */
export class EventStreamReader implements LineHandler {
  /** The last event id, for resuming. */
  lastEventId: string | undefined;
  /** The wait before resuming that the server requests (ms). */
  retryMs: number | undefined;
  private name = "message";
  private data: string | undefined;
  private size = 0;
  /** True if the current event is too large, so that the rest of it is skipped. */
  private tooMuch = false;
  private readonly to: EventStreamHandler;
  private readonly maxBytes: number;
  private readonly lines: LineSplitter;

  constructor(to: EventStreamHandler, maxBytes = MAX_UPSTREAM_MESSAGE_BYTES) {
    this.to = to;
    this.maxBytes = maxBytes;
    this.lines = new LineSplitter(this, maxBytes);
  }

  feed(chunk: Buffer): void {
    this.lines.feed(chunk);
  }

  line(text: string): void {
    if (text === "") {
      this.dispatch();
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
    if (field === "data") this.add(value);
    else if (field === "event") this.name = value;
    else if (field === "id") {
      if (!value.includes("\0")) this.lastEventId = value;
    } else if (field === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }

  tooLong(head: string, tail: string, bytes: number): void {
    this.data = undefined;
    this.tooMuch = true;
    this.to.tooLong(head, tail, bytes);
  }

  private add(value: string): void {
    if (this.tooMuch) return;
    this.size += value.length + 1;
    if (this.size > this.maxBytes) this.tooLong((this.data ?? "").slice(0, 256), value.slice(-256), this.size);
    else this.data = this.data === undefined ? value : `${this.data}\n${value}`;
  }

  private dispatch(): void {
    const { name, data } = this;
    this.reset();
    // An event without data has only an id or a retry time.
    if (data) this.to.event(name, data);
  }

  private reset(): void {
    this.name = "message";
    this.data = undefined;
    this.size = 0;
    this.tooMuch = false;
  }
}

const SPACE = 32;
