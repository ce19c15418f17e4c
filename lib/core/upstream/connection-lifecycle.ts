import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { ConnectionState, ConnectionStatus, FailureCause } from "../schema/connection-status.ts";
import { backoffMs, signInRetryMs } from "./backoff.ts";
import { certificateFaultOf, errorClassOf, MissingSecret, SignInNeeded, UpstreamError } from "./errors.ts";
import { failureCause } from "./failure-cause.ts";
import type { OpenChannel } from "./open.ts";
import { isTransitionAllowed } from "./transitions.ts";
import { waitAtMost } from "./wait-at-most.ts";

export interface ConnectionLifecycleOptions {
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
export interface ConnectionLifecycle {
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
  return new Lifecycle(options);
}

/** A class, because there is one for each server: as closures, its functions would take 1.3 KB for each server. */
class Lifecycle implements ConnectionLifecycle {
  channel: OpenChannel | undefined = undefined;
  private readonly options: ConnectionLifecycleOptions;
  private state: ConnectionState = "Disconnected";
  private since: number;
  private failure: Error | undefined = undefined;
  /** Determined once per failure, because each call reads the status. */
  private cause: FailureCause | undefined = undefined;
  private attempts = 0;
  private shortLives = 0;
  private reconnects = 0;
  private everReady = false;
  private connectedAt: number | undefined = undefined;
  private nextAttemptAt: number | undefined = undefined;
  private signInRejectedAt: number | undefined = undefined;
  private attempt: { promise: Promise<void>; stop: (reason: Error) => void } | undefined = undefined;
  private closing: Promise<unknown> = Promise.resolve();
  private cancelRetry: (() => void) | undefined = undefined;

  constructor(options: ConnectionLifecycleOptions) {
    this.options = options;
    this.since = options.clock.now();
  }

  // Called for each tool call. Members are set one by one, because a spread would make calls measurably slower.
  status(): MutableStatus {
    const { failure, channel, state, since, attempts, reconnects } = this;
    const status: MutableStatus = { state, since, attempts, reconnects };
    if (failure) {
      status.lastError = failure.message;
      status.errorClass = errorClassOf(failure);
      if (this.cause !== undefined) status.failureCause = this.cause;
      const certificateFault = certificateFaultOf(failure);
      if (certificateFault) status.certificateFault = certificateFault;
    }
    if (failure instanceof MissingSecret) status.missingSecret = failure.reference;
    if (failure instanceof SignInNeeded) status.authRequired = true;
    if (this.signInRejectedAt !== undefined) status.signInRejectedAt = this.signInRejectedAt;
    if (this.connectedAt !== undefined) status.connectedAt = this.connectedAt;
    if (this.nextAttemptAt !== undefined) status.nextAttemptAt = this.nextAttemptAt;
    if (channel) addGreeting(status, channel);
    return status;
  }

  start(): Promise<void> {
    if (this.channel) return Promise.resolve();
    if (this.attempt) return this.attempt.promise;
    this.forgetRetry();
    const { options } = this;
    const control = new AbortController();
    let stopped = false;
    const ms = options.attemptMs();
    const late = new UpstreamError(`it was not ready within ${ms / 1000} s; if it needs longer, raise init_timeout`, {
      errorClass: "timed_out",
    });
    const run = async () => {
      let endTurn = () => {};
      let cancelLate = () => {};
      try {
        await this.closed();
        endTurn = await options.acquireStartSlot(control.signal);
        cancelLate = options.clock.after(ms, () => control.abort(late));
        control.signal.throwIfAborted();
        const opened = await this.within(control.signal);
        this.attempt = undefined;
        this.succeeded(opened);
      } catch (error) {
        this.attempt = undefined;
        const reason = control.signal.aborted ? (control.signal.reason as Error) : asError(error);
        if (!stopped) this.failed(reason);
        throw reason;
      } finally {
        cancelLate();
        endTurn();
      }
    };
    this.move("Connecting", "connecting");
    const promise = run();
    promise.catch(() => {});
    this.attempt = {
      promise,
      stop: (reason) => {
        stopped = true;
        control.abort(reason);
      },
    };
    return promise;
  }

  lost(opened: OpenChannel, error: Error): void {
    if (this.channel !== opened) return;
    const { options } = this;
    this.shortLives = options.clock.now() - this.since < SHORT_LIFE_MS ? this.shortLives + 1 : 0;
    this.drop(error);
    this.failure = error;
    this.cause = failureCause(error);
    if (error instanceof SignInNeeded) this.signInRejectedAt = options.clock.now();
    this.retryIn(
      error instanceof SignInNeeded ? signInRetryMs(1) : backoffMs(Math.max(1, this.shortLives), options.random()),
    );
    this.move("Error", error.message);
  }

  renewed(opened: OpenChannel): void {
    if (this.channel !== opened) return;
    this.reconnects++;
    this.connectedAt = this.options.clock.now();
  }

  async stop(): Promise<void> {
    this.forgetRetry();
    const reason = new UpstreamError("it was stopped");
    this.attempt?.stop(reason);
    this.attempt = undefined;
    this.drop(reason);
    this.attempts = 0;
    this.shortLives = 0;
    this.signInRejectedAt = undefined;
    this.failure = undefined;
    this.cause = undefined;
    if (this.state !== "Disconnected") this.move("Disconnected", "stopped");
    await this.closed();
  }

  private move(to: ConnectionState, reason: string): void {
    const { state, options } = this;
    if (!isTransitionAllowed(state, to)) {
      options.defect(`connection state may not move from ${state} to ${to} (${reason})`);
      return;
    }
    this.state = to;
    this.since = options.clock.now();
    options.changed(to, reason);
  }

  private forgetRetry(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    this.nextAttemptAt = undefined;
  }

  private retryIn(ms: number): void {
    const { clock } = this.options;
    this.forgetRetry();
    this.nextAttemptAt = clock.now() + ms;
    this.cancelRetry = clock.after(ms, () => void this.start().catch(() => {}));
  }

  private failed(error: Error): void {
    this.attempts++;
    this.failure = error;
    this.cause = failureCause(error);
    this.retryIn(
      error instanceof SignInNeeded
        ? signInRetryMs(this.attempts)
        : backoffMs(this.attempts + this.shortLives, this.options.random()),
    );
    this.move("Error", error.message);
  }

  private succeeded(opened: OpenChannel): void {
    this.channel = opened;
    this.attempts = 0;
    this.failure = undefined;
    this.cause = undefined;
    this.connectedAt = this.options.clock.now();
    if (this.everReady) this.reconnects++;
    this.everReady = true;
    this.move("Ready", "connected");
    this.options.ready(opened);
  }

  /**
   * Ends the attempt when the signal aborts, even if `open` does not. A channel that `open` returns later is closed,
   * and the next attempt waits for that.
   */
  private within(signal: AbortSignal): Promise<OpenChannel> {
    return new Promise((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      const opening = this.options.open(signal);
      opening.then(done, fail);
      this.closing = opening.then(
        (opened) => (signal.aborted ? opened.transport.close() : undefined),
        () => {},
      );
    });
  }

  private closed(): Promise<unknown> {
    return waitAtMost(this.options.clock, CLOSE_MS, this.closing);
  }

  private drop(error: Error): void {
    const opened = this.channel;
    if (!opened) return;
    this.channel = undefined;
    this.options.gone(opened);
    opened.exchange.end(error);
    this.closing = opened.transport.close();
  }
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
