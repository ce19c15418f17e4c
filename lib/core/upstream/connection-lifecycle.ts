import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { ConnectionState, ConnectionStatus, FailureCause } from "../schema/connection-status.ts";
import { backoffMs, signInRetryMs } from "./backoff.ts";
import { certificateFaultOf, errorClassOf, MissingSecret, SignInNeeded, UpstreamError } from "./errors.ts";
import { failureCause } from "./failure-cause.ts";
import type { OpenChannel } from "./open.ts";
import { isTransitionAllowed } from "./transitions.ts";
import { waitAtMost } from "./wait-at-most.ts";

interface ConnectionLifecycleOptions {
  clock: Clock;
  /** Returns a number from 0 to 1, for jitter. */
  random(): number;
  /** Waits until an attempt may begin. Returns a function to call when the attempt has ended. */
  acquireStartSlot(signal: AbortSignal): Promise<() => void>;
  /** Makes one attempt to connect. If it fails, it closes everything that it opened. */
  open(signal: AbortSignal): Promise<OpenChannel>;
  /** Returns the maximum time of one attempt (ms); called for each attempt. */
  attemptMs(): number;
  /** Called when the connection is open. */
  ready(opened: OpenChannel): void;
  /** Called when an open connection has ended. */
  gone(opened: OpenChannel): void;
  /** Called after each change of the state. */
  changed(state: ConnectionState, reason: string): void;
  /** Called for a change of state that is not allowed, and is therefore not made. */
  defect(message: string): void;
}

/** A status that is being built. */
type MutableStatus = { -readonly [K in keyof ConnectionStatus]: ConnectionStatus[K] };

/**
 * The states of one connection. There is only one attempt at a time; while the connection is wanted, each failure is
 * followed by another attempt.
 */
interface ConnectionLifecycle {
  /** Returns a new object for each call. */
  status(): MutableStatus;
  /** The open channel; undefined unless the state is Ready. */
  readonly channel: OpenChannel | undefined;
  /** Resolves when the connection is Ready. A running attempt is joined; otherwise one begins at once. */
  start(): Promise<void>;
  /** Call when the connection has ended, or no longer works. */
  lost(opened: OpenChannel, error: Error): void;
  /** Call when the connection got a new session without being lost. */
  renewed(opened: OpenChannel): void;
  /** Ends the connection, an attempt and the wait for the next one; resolves when everything is closed. */
  stop(): Promise<void>;
}

/** If a connection ends within this time, the server has not recovered, so the waits continue to grow. (ms) */
const SHORT_LIFE_MS = 30_000;
/** Maximum time that an attempt waits until the previous one is closed. (ms) */
const CLOSE_MS = 8000;

export function createConnectionLifecycle(options: ConnectionLifecycleOptions): ConnectionLifecycle {
  const { clock, open, attemptMs, ready, gone, changed, defect } = options;
  let state: ConnectionState = "Disconnected";
  let since = clock.now();
  let failure: Error | undefined;
  /** Determined once per failure, because each call reads the status. */
  let cause: FailureCause | undefined;
  let attempts = 0;
  let shortLives = 0;
  let reconnects = 0;
  let everReady = false;
  let connectedAt: number | undefined;
  let nextAttemptAt: number | undefined;
  let line: OpenChannel | undefined;
  let attempt: { promise: Promise<void>; stop: (reason: Error) => void } | undefined;
  let closing: Promise<unknown> = Promise.resolve();
  let cancelRetry = () => {};

  const move = (to: ConnectionState, reason: string) => {
    if (!isTransitionAllowed(state, to)) {
      defect(`connection state may not move from ${state} to ${to} (${reason})`);
      return;
    }
    state = to;
    since = clock.now();
    changed(to, reason);
  };
  const forgetRetry = () => {
    cancelRetry();
    cancelRetry = () => {};
    nextAttemptAt = undefined;
  };
  const retryIn = (ms: number) => {
    forgetRetry();
    nextAttemptAt = clock.now() + ms;
    cancelRetry = clock.after(ms, () => void start().catch(() => {}));
  };
  const failed = (error: Error) => {
    attempts++;
    failure = error;
    cause = failureCause(error);
    const ms =
      error instanceof SignInNeeded ? signInRetryMs(attempts) : backoffMs(attempts + shortLives, options.random());
    retryIn(ms);
    move("Error", error.message);
  };
  const succeeded = (opened: OpenChannel) => {
    line = opened;
    attempts = 0;
    failure = undefined;
    cause = undefined;
    connectedAt = clock.now();
    if (everReady) reconnects++;
    everReady = true;
    move("Ready", "connected");
    ready(opened);
  };

  /**
   * Ends the attempt when the signal aborts, even if `open` does not. A channel that `open` returns later is closed,
   * and the next attempt waits for that.
   */
  const within = (signal: AbortSignal) =>
    new Promise<OpenChannel>((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      const opening = open(signal);
      opening.then(done, fail);
      closing = opening.then(
        (opened) => (signal.aborted ? opened.transport.close() : undefined),
        () => {},
      );
    });
  const closed = () => waitAtMost(clock, CLOSE_MS, closing);

  const start = (): Promise<void> => {
    if (line) return Promise.resolve();
    if (attempt) return attempt.promise;
    forgetRetry();
    const control = new AbortController();
    let stopped = false;
    const ms = attemptMs();
    const late = new UpstreamError(`it was not ready within ${ms / 1000} s; if it needs longer, raise init_timeout`, {
      errorClass: "timed_out",
    });
    const run = async () => {
      let endTurn = () => {};
      let cancelLate = () => {};
      try {
        await closed();
        endTurn = await options.acquireStartSlot(control.signal);
        cancelLate = clock.after(ms, () => control.abort(late));
        control.signal.throwIfAborted();
        const opened = await within(control.signal);
        attempt = undefined;
        succeeded(opened);
      } catch (error) {
        attempt = undefined;
        const reason = control.signal.aborted ? (control.signal.reason as Error) : asError(error);
        if (!stopped) failed(reason);
        throw reason;
      } finally {
        cancelLate();
        endTurn();
      }
    };
    move("Connecting", "connecting");
    const promise = run();
    promise.catch(() => {});
    attempt = {
      promise,
      stop: (reason) => {
        stopped = true;
        control.abort(reason);
      },
    };
    return promise;
  };

  const drop = (error: Error) => {
    const opened = line;
    if (!opened) return;
    line = undefined;
    gone(opened);
    opened.exchange.end(error);
    closing = opened.transport.close();
  };

  return {
    get channel() {
      return line;
    },
    // Called for each tool call. Members are set one by one, because a spread would make calls measurably slower.
    status() {
      const status: MutableStatus = { state, since, attempts, reconnects };
      if (failure) {
        status.lastError = failure.message;
        status.errorClass = errorClassOf(failure);
        if (cause !== undefined) status.failureCause = cause;
        const certificateFault = certificateFaultOf(failure);
        if (certificateFault) status.certificateFault = certificateFault;
      }
      if (failure instanceof MissingSecret) status.missingSecret = failure.reference;
      if (failure instanceof SignInNeeded) status.authRequired = true;
      if (connectedAt !== undefined) status.connectedAt = connectedAt;
      if (nextAttemptAt !== undefined) status.nextAttemptAt = nextAttemptAt;
      if (line) addGreeting(status, line);
      return status;
    },
    start,
    lost(opened, error) {
      if (line !== opened) return;
      shortLives = clock.now() - since < SHORT_LIFE_MS ? shortLives + 1 : 0;
      drop(error);
      failure = error;
      cause = failureCause(error);
      retryIn(error instanceof SignInNeeded ? signInRetryMs(1) : backoffMs(Math.max(1, shortLives), options.random()));
      move("Error", error.message);
    },
    renewed(opened) {
      if (line !== opened) return;
      reconnects++;
      connectedAt = clock.now();
    },
    async stop() {
      forgetRetry();
      const reason = new UpstreamError("it was stopped");
      attempt?.stop(reason);
      attempt = undefined;
      drop(reason);
      attempts = 0;
      shortLives = 0;
      failure = undefined;
      cause = undefined;
      if (state !== "Disconnected") move("Disconnected", "stopped");
      await closed();
    },
  };
}

function addGreeting(status: MutableStatus, { handshake, transport }: OpenChannel): void {
  const { serverInfo, protocolVersion, instructions } = handshake;
  status.protocolVersion = protocolVersion;
  if (serverInfo) status.serverInfo = serverInfo;
  if (instructions !== undefined) status.instructions = instructions;
  if (transport.pid !== undefined) status.pid = transport.pid;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new UpstreamError(reasonOf(error));
}
