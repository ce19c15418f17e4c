import { connect } from "node:net";
import { type Clock, systemClock } from "../../base/clock.ts";
import { isLoopback } from "../../base/host-port.ts";
import { UpstreamError } from "../errors.ts";
import type { OutgoingRequest, OutgoingText, ProtocolTerms, Transport } from "../transport.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { readOutput } from "./read-output.ts";
import type { ServerProcess } from "./start-process.ts";

interface LaunchHttpServerOptions {
  /** The URL at which the program should listen. */
  url: URL;
  start(signal: AbortSignal): Promise<ServerProcess>;
  clock: Clock;
  /** Timeout until the program listens. (ms) */
  waitMs: number;
  signal: AbortSignal;
  mask(text: string): string;
  /** Called with each line of its output, masked. */
  onOutput(line: string): void;
  onStderr(line: string): void;
}

/** A program that listens at its URL. */
interface LaunchedHttpServer {
  readonly child: ServerProcess;
  /** Aborts when the program ends, with the reason. */
  readonly ended: AbortSignal;
}

/** Interval between two checks whether the program listens. (ms) */
const LOOK_MS = 50;
const CONNECT_MS = 1000;
/** How long to wait for remaining output after the program ended. (ms) */
const LAST_WORDS_MS = 200;

/**
 * Starts a program and waits until it listens at its URL (reference 4.2, `launcher_wait_timeout`).
 *
 * @throws UpstreamError if it ends before, does not listen in time, or another program listens there already; the
 *   program is then ended
 */
export async function launchHttpServer(options: LaunchHttpServerOptions): Promise<LaunchedHttpServer> {
  const { url, clock, waitMs, signal } = options;
  const at = placeOf(url);
  // Another program that already listens there must not receive the server's credentials.
  if (await answers(at))
    throw new UpstreamError(
      `another program already listens at ${url.host}, so its command was not started; stop that program, or remove the command to use it`,
    );
  signal.throwIfAborted();
  const child = await options.start(signal);
  const ended = endOf(child, options);
  const late = new AbortController();
  const cancel = clock.after(waitMs, () =>
    late.abort(
      new UpstreamError(
        `its program did not listen at ${url.host} within ${waitMs / 1000} s; if it needs longer, raise launcher_wait_timeout`,
      ),
    ),
  );
  const over = AbortSignal.any([signal, ended, late.signal]);
  try {
    while (!(await answers(at))) await systemClock.sleep(LOOK_MS, over);
    over.throwIfAborted();
    return { child, ended };
  } catch (error) {
    await child.end();
    throw over.aborted ? over.reason : error;
  } finally {
    cancel();
  }
}

/** Wraps a transport so that closing it also ends the program. */
export function withServerProcess(inner: Transport, child: ServerProcess): Transport {
  return new LaunchedTransport(inner, child);
}

class LaunchedTransport implements Transport {
  private readonly inner: Transport;
  private readonly child: ServerProcess;
  private ending: Promise<void> | undefined;

  constructor(inner: Transport, child: ServerProcess) {
    this.inner = inner;
    this.child = child;
  }

  get kind() {
    return this.inner.kind;
  }
  get pid() {
    return this.child.pid;
  }
  get generation() {
    return this.inner.generation ?? 0;
  }
  get hearing() {
    return this.inner.hearing;
  }
  send(text: OutgoingText, request?: OutgoingRequest): void {
    this.inner.send(text, request);
  }
  forget(id: number): void {
    this.inner.forget(id);
  }
  agree(terms: ProtocolTerms): void {
    this.inner.agree(terms);
  }
  listen(): Promise<boolean> {
    return this.inner.listen();
  }
  close(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    const farewell = this.inner.close();
    await waitAtMost(systemClock, FAREWELL_MS, farewell);
    await this.child.end();
    await farewell;
  }
}

/** Timeout of the request that ends the session, before the program itself is ended. (ms) */
const FAREWELL_MS = 300;

interface Place {
  host: string;
  port: number;
}

/** @throws UpstreamError if the URL is not on this machine */
function placeOf(url: URL): Place {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!isLoopback(host)) throw new UpstreamError(urlMismatchText(url.host));
  return { host, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)) };
}

/** Returns the message for a URL that is not possible together with a command. */
export const urlMismatchText = (host: string) =>
  `with a command its url must lead to this machine (127.0.0.1, ::1 or localhost), not to ${host}; take one of the two out`;

function answers({ host, port }: Place): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    const end = (answered: boolean) => {
      socket.destroy();
      done(answered);
    };
    socket.setTimeout(CONNECT_MS);
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

/** Copies the program's output to its log, and reports its end with the last lines. */
function endOf(child: ServerProcess, { mask, onOutput, onStderr }: LaunchHttpServerOptions): AbortSignal {
  const ended = new AbortController();
  readOutput(child.stdout, { mask, onLine: onOutput });
  const last = readOutput(child.stderr, { mask, onLine: onStderr });
  // The program may end during a write; its end already reports that.
  child.stdin.on("error", () => {});
  child.onEnd((how) => {
    const tell = () => {
      const words = last();
      ended.abort(
        new UpstreamError(`its process ${how}${words ? `: ${words}` : ""}`, { errorClass: "process_exited" }),
      );
    };
    // A descendant may keep the pipes open, so the wait for remaining output is limited.
    const stop = systemClock.after(LAST_WORDS_MS, tell);
    child.onSilent(() => {
      stop();
      tell();
    });
  });
  return ended.signal;
}
