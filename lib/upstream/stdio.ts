import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { systemClock as clock } from "../base/clock.ts";
import { atMost } from "./at-most.ts";
import { UpstreamError } from "./failures.ts";
import type { Guard } from "./guard.ts";
import { Lines } from "./lines.ts";
import { boundedLines, Floodgate } from "./noise.ts";
import { MARKER } from "./process-table.ts";
import type { Target } from "./target.ts";
import type { Outgoing, Receiver, Transport } from "./transport.ts";
import { windowsCommand } from "./windows-command.ts";

export interface StdioOptions {
  server: string;
  target: Target;
  guard: Guard;
  receiver: Receiver;
  /** A line of its stderr, values of references masked. */
  onStderr(line: string): void;
}

// Processes live in the system's time, whatever clock the rest of the program runs by.
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** What a child may leave unread in our memory before further messages are refused. (bytes) */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;
const STDERR_LINE_BYTES = 64 * 1024;
const STDERR_BOUND = { lines: 200, windowMs: 1000 };
/** After its end, output of the child that is still on its way is waited for. (ms) */
const LAST_WORDS_MS = 200;
/** Many servers end by themselves when their input ends. (ms) */
const BY_ITSELF_MS = 300;

/**
 * Starts the command, without a shell, as leader of its own process group, and speaks lines of JSON over its pipes
 * (MCP, stdio). Resolves when the process runs; what it answers is another matter.
 *
 * @throws UpstreamError it could not be started
 */
export async function openStdio(options: StdioOptions): Promise<Transport> {
  const { guard, target, server } = options;
  const mark = await guard.mark();
  const child = start(target, mark);
  await started(child, target.command);
  const pid = child.pid ?? 0;
  guard.add(pid, server);
  return new Stdio(options, child, pid, mark);
}

function start(target: Target, mark: string): Child {
  const env = { ...target.env, [MARKER]: mark };
  const windows = process.platform === "win32";
  const plain = { command: target.command, args: [...target.args], verbatim: false };
  const { command, args, verbatim } = windows ? windowsCommand(target.command, target.args, env) : plain;
  return spawn(command, args, {
    env,
    ...(target.workingDir !== undefined && { cwd: target.workingDir }),
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that all it starts can be ended together. On Windows this would open a console.
    detached: !windows,
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
}

function started(child: Child, command: string): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done);
    child.on("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "not found; is it installed, and on the PATH?" : error.message;
      fail(new UpstreamError(`command ${JSON.stringify(command)}: ${reason}`));
    });
  });
}

class Stdio implements Transport {
  readonly kind = "stdio";
  readonly pid: number;
  private readonly options: StdioOptions;
  private readonly child: Child;
  private readonly mark: string;
  private readonly lastWords: string[] = [];
  private readonly exited: Promise<void>;
  private over = false;
  private ending: Promise<void> | undefined;

  constructor(options: StdioOptions, child: Child, pid: number, mark: string) {
    this.options = options;
    this.child = child;
    this.pid = pid;
    this.mark = mark;
    this.exited = new Promise((done) => child.once("exit", () => done()));
    this.readOutput();
    this.readErrors();
    child.stdin.on("error", () => this.lost("it does not read its input any more"));
    child.once("exit", (code, signal) => this.onExit(code, signal));
  }

  send(text: string, request?: Outgoing): void {
    const unread = this.child.stdin.writableLength;
    if (unread > 0 && unread + text.length > MOST_UNREAD_BYTES) {
      const reason = `it does not read its input (${unread} bytes wait for it)`;
      if (request) this.options.receiver.failed(request.id, new UpstreamError(reason));
      return;
    }
    this.child.stdin.write(`${text}\n`);
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
    this.child.stdin.end();
    await atMost(clock, BY_ITSELF_MS, this.exited);
    await this.options.guard.end(this.pid, this.mark);
    for (const pipe of this.child.stdio) pipe?.destroy();
  }

  private readOutput(): void {
    const { receiver } = this.options;
    const { stdout } = this.child;
    const gate = new Floodgate(clock, stdout);
    const lines = new Lines({
      line: (text) => {
        // Blank lines are no messages, and no faults either.
        if (text.trim() === "" || !receiver.message(text)) gate.tick();
      },
      tooLong: (head, tail, bytes) => receiver.tooLong(head, tail, bytes),
    });
    stdout.on("data", (chunk: Buffer) => lines.feed(chunk));
    stdout.on("end", () => {
      lines.end();
      clock.after(LAST_WORDS_MS, () => this.lost("it closed its output"));
    });
    stdout.on("error", () => this.lost("its output broke"));
  }

  private readErrors(): void {
    const { onStderr, target } = this.options;
    const { stderr } = this.child;
    const gate = new Floodgate(clock, stderr);
    const write = boundedLines(clock, STDERR_BOUND, onStderr);
    const line = (text: string) => {
      gate.tick();
      if (text.trim() === "") return;
      const masked = target.mask(text);
      write(masked);
      this.lastWords.push(masked.slice(0, 300));
      if (this.lastWords.length > 3) this.lastWords.shift();
    };
    const lines = new Lines({ line, tooLong: (head) => line(`${head}…`) }, STDERR_LINE_BYTES);
    stderr.on("data", (chunk: Buffer) => lines.feed(chunk));
    stderr.on("end", () => lines.end());
    stderr.on("error", () => {});
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    const tell = () => {
      const words = this.lastWords.join(" | ");
      this.lost(`its process ${how}${words ? `: ${words}` : ""}`);
    };
    // A descendant may hold the pipes open for ever.
    const stop = clock.after(LAST_WORDS_MS, tell);
    this.child.once("close", () => {
      stop();
      tell();
    });
  }

  private lost(reason: string): void {
    if (this.over) return;
    this.over = true;
    this.options.receiver.closed(new UpstreamError(reason));
  }
}
