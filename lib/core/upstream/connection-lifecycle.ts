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
  /** 0 to 1, for jitter. */
  random(): number;
  /** Waits until an attempt may begin; the answer is called when it is over. */
  acquireStartSlot(signal: AbortSignal): Promise<() => void>;
  /** One attempt to connect; leaves nothing behind when it fails. */
  open(signal: AbortSignal): Promise<OpenChannel>;
  /** Longest time for one attempt (ms), asked anew each time. */
  attemptMs(): number;
  /** The connection stands. */
  ready(opened: OpenChannel): void;
  /** The connection that stood is gone. */
  gone(opened: OpenChannel): void;
  /** After each change of state. */
  changed(state: ConnectionState, reason: string): void;
  /** A move that the table forbids; it is not made. */
  defect(message: string): void;
}

/** A status while it is put together. */
type MutableStatus = { -readonly [K in keyof ConnectionStatus]: ConnectionStatus[K] };

/** The life of one connection: five states, one attempt at a time, and a next attempt for as long as it is wanted. */
interface ConnectionLifecycle {
  /** A new object each time. */
  status(): MutableStatus;
  /** While Ready. */
  readonly channel: OpenChannel | undefined;
  /** Ready, or an attempt to be: a running one is joined, one that is waited for begins now. */
  start(): Promise<void>;
  /** The connection broke, or is judged to be gone. */
  lost(opened: OpenChannel, error: Error): void;
  /** It got a new session without being lost. */
  renewed(opened: OpenChannel): void;
  /** Ends connection, attempt and waiting; resolves when everything is gone. */
  stop(): Promise<void>;
}

/** A connection that lived shorter than this did not really recover, so waits go on growing. (ms) */
const SHORT_LIFE_MS = 30_000;
/** Nothing is waited for longer than this before the next attempt. (ms) */
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

  /** Ends in time whatever `open` does; what it opens after that is closed again, and waited for by the next attempt. */
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
    // Each call asks for this. Members are set one by one: spreading what may be absent shows in the cost of a call.
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
