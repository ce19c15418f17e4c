import { systemClock as clock } from "../../base/clock.ts";
import { LineOutbox } from "../../base/line-outbox.ts";
import type { ErrorClass } from "../../schema/connection-status.ts";
import { UpstreamError } from "../errors.ts";
import type { OutgoingRequest, OutgoingText, Transport, TransportReceiver } from "../transport.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { LineSplitter } from "./line-splitter.ts";
import { readOutput } from "./read-output.ts";
import type { ServerProcess } from "./start-process.ts";
import { OutputThrottle } from "./throttle.ts";

interface StdioOptions {
  receiver: TransportReceiver;
  /** Replaces the values of references in its standard error. */
  mask(text: string): string;
  /** Called with each line of its standard error, masked. */
  onStderr(line: string): void;
}

// Processes run in real time, so the clock of the system is used even in tests with a manual clock.

/** Maximum number of bytes that may wait for a child process that does not read; further messages are rejected. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** How long to wait for remaining output after the process has ended. (ms) */
const LAST_WORDS_MS = 200;
/** The pipes of a program that ends break before it exits; how long to wait for its exit code, which says more. (ms) */
const EXIT_MS = 1000;
/** How long to wait until a server ends by itself after its input was closed, which many do. (ms) */
const BY_ITSELF_MS = 300;

/** Opens a transport over the pipes of a running server (MCP, stdio): one JSON message per line. */
export const openStdio = (child: ServerProcess, options: StdioOptions): Transport => new Stdio(child, options);

class Stdio implements Transport {
  readonly kind = "stdio";
  private readonly options: StdioOptions;
  private readonly child: ServerProcess;
  private readonly outbox: LineOutbox;
  private readonly lastWords: () => string;
  private readonly exited: Promise<void>;
  private over = false;
  private ending: Promise<void> | undefined;

  constructor(child: ServerProcess, options: StdioOptions) {
    this.options = options;
    this.child = child;
    this.outbox = new LineOutbox(child.stdin);
    this.exited = new Promise((done) => child.onEnd(() => done()));
    this.readOutput();
    this.lastWords = readOutput(child.stderr, { mask: options.mask, onLine: options.onStderr });
    child.stdin.on("error", () => this.broken("it no longer reads its input"));
    this.onExit();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(text: OutgoingText, request?: OutgoingRequest): void {
    const unread = this.child.stdin.writableLength + this.outbox.waiting;
    const size = typeof text === "string" ? text.length : text.sizeBytes;
    if (unread > 0 && unread + size > MAX_UNREAD_BYTES) {
      const reason = `it does not read its input (${unread} bytes pending)`;
      if (request) this.options.receiver.failed(request.id, new UpstreamError(reason));
      return;
    }
    if (typeof text === "string") {
      this.outbox.write(`${text}\n`);
      return;
    }
    for (const piece of text.pieces) this.outbox.write(piece);
    this.outbox.write("\n");
  }

  forget(): void {}

  agree(): void {}

  async listen(): Promise<boolean> {
    return true;
  }

  close(): Promise<void> {
    this.over = true;
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.outbox.end();
    await waitAtMost(clock, BY_ITSELF_MS, this.exited);
    await this.child.end();
  }

  private readOutput(): void {
    const { receiver } = this.options;
    const { stdout } = this.child;
    const gate = new OutputThrottle(clock, stdout);
    let first = true;
    const lines = new LineSplitter({
      line: (line) => {
        // Programs on Windows may begin their output with a byte order mark.
        const text = first && line.startsWith("\uFEFF") ? line.slice(1) : line;
        first = false;
        // Blank lines are not messages, but not errors either.
        const read = text.trim() !== "" && receiver.message(text);
        if (!read) gate.tick();
        else if (read !== true) gate.holdUntil(read);
      },
      tooLong: (head, tail, bytes) => receiver.tooLong(head, tail, bytes),
    });
    stdout.on("data", (chunk: Buffer) => lines.feed(chunk));
    stdout.on("end", () => {
      lines.end();
      this.broken("it closed its output");
    });
    stdout.on("error", () => this.broken("reading its output failed"));
  }

  private onExit(): void {
    let end = "ended";
    const tell = () => {
      const words = this.lastWords();
      this.lost(`its process ${end}${words ? `: ${words}` : ""}`, "process_exited");
    };
    this.child.onEnd((how) => {
      end = how;
      // A descendant may keep the pipes open, so the wait for remaining output is limited.
      const stop = clock.after(LAST_WORDS_MS, tell);
      this.child.onSilent(() => {
        stop();
        tell();
      });
    });
  }

  /** Reports a broken pipe, unless the program exits in time. */
  private broken(reason: string): void {
    clock.after(EXIT_MS, () => this.lost(reason));
  }

  private lost(reason: string, errorClass?: ErrorClass): void {
    if (this.over) return;
    this.over = true;
    this.options.receiver.closed(new UpstreamError(reason, { ...(errorClass && { errorClass }) }));
  }
}
