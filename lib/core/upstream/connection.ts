import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { createLimiter } from "../base/limiter.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import type { ConnectionState, ConnectionStatus } from "../schema/connection-status.ts";
import type { ServerChange } from "../schema/event.ts";
import type { LogMessage } from "../schema/log-message.ts";
import type { McpObject } from "../schema/mcp.ts";
import { abortable } from "./abortable.ts";
import { ActiveConnection, type ActiveConnectionOwner, listingFailureText } from "./active-connection.ts";
import { CallSlots } from "./call-slots.ts";
import { type AttemptHooks, ConnectionAttempts, type ConnectionAttemptsOwner } from "./connection-attempts.ts";
import type { ConnectionContext } from "./connection-context.ts";
import {
  type ConnectionLifecycle,
  type ConnectionLifecycleOptions,
  createConnectionLifecycle,
} from "./connection-lifecycle.ts";
import { OwnerLost } from "./errors.ts";
import type { OpenChannel } from "./open.ts";
import { OwnerLane } from "./owner-lane.ts";
import type { Sender } from "./protocol/sender.ts";
import { type RequestsOptions, startRequest } from "./protocol/start-request.ts";
import { askableCapabilities, serverConcurrency, serverTimings } from "./settings.ts";
import { limitLineRate } from "./stdio/throttle.ts";
import { launchDefinition } from "./target.ts";
import { UpstreamMessages, type UpstreamMessagesOwner } from "./upstream-messages.ts";
import type { Upstream } from "./upstreams.ts";

/**
 * One upstream and its connection, according to its entry in the configuration. The proxy also connects to a
 * quarantined server, so that a person can review its tools; the gateway rejects calls to it (`judgeCall`).
 */
export interface UpstreamConnection extends Upstream {
  /** Applies a new entry: starts or stops the connection, or reconnects if the command or address changed. */
  apply(server: ServerConfig): void;
  /** Called when the log level that clients request has changed. */
  logLevelChanged(): void;
  /** Connects at once instead of at the next scheduled time. Does nothing if it is Ready or not wanted. */
  retry(reason: string): void;
  /** True while calls run or wait, or clients are subscribed to resources or follow tasks. */
  isInUse(): boolean;
  /**
   * Ends the connection permanently, because the server was removed or the proxy stops. Resolves when everything is
   * closed.
   *
   * @param reason the error for waiting callers
   */
  stop(reason: string): Promise<void>;
}

/** Limit on lines about protocol violations in the server's log. */
const FAULT_BOUND = { lines: 20, windowMs: 10_000 };

/** Minimum timeout of an attempt that starts a container, because the engine may have to pull an image. (ms) */
const CONTAINED_MS = 180_000;

/** How long callers wait after the replica that ran the process was lost: longer than its lease. (ms) */
const MOVE_MS = 15_000;
/** Pause between two attempts to connect meanwhile. (ms) */
const MOVE_RETRY_MS = 200;

const HELD = "it was changed over MCP; the proxy sends it no credentials until its quarantine is lifted";

/** Maximum length of an error message of an upstream. (characters) */
const MAX_ERROR = 1000;

/** Log levels of the states that matter to operators; other states are logged at debug level. */
const LEVELS: Partial<Record<ConnectionState, "info" | "warn">> = { Ready: "info", Error: "warn" };

/** The event for each state. */
const CHANGES = {
  Disconnected: "server_disconnected",
  Connecting: "server_connecting",
  Authenticating: "server_authenticating",
  Ready: "server_connected",
  Error: "server_error",
} as const satisfies Record<ConnectionState, ServerChange>;

export function createUpstreamConnection(initial: ServerConfig, around: ConnectionContext): UpstreamConnection {
  return new Connection(initial, around);
}

/**
 * A class that is the options of its parts, because there is one for each server: as closures, its functions and theirs
 * would take 5 KB for each server.
 */
class Connection
  implements
    UpstreamConnection,
    ConnectionLifecycleOptions,
    ConnectionAttemptsOwner,
    ActiveConnectionOwner,
    UpstreamMessagesOwner,
    RequestsOptions
{
  readonly name: string;
  readonly connectsOnUse: boolean;
  readonly clock: Clock;
  readonly around: ConnectionContext;
  // Callers use these without their object.
  readonly mask: Upstream["mask"];
  readonly maskTool: ActiveConnectionOwner["maskTool"];
  readonly slots: CallSlots;
  readonly lane: OwnerLane;
  readonly messages: UpstreamMessages;
  server: ServerConfig;
  isWanted = false;
  running: ActiveConnection | undefined = undefined;
  private readonly attempts: ConnectionAttempts;
  private readonly life: ConnectionLifecycle;
  private kept: string;
  /** Until when another replica is expected to run the process. */
  private movesUntil = 0;
  private writeFault: ((line: string) => void) | undefined = undefined;

  constructor(initial: ServerConfig, around: ConnectionContext) {
    const { clock } = around;
    const { name } = initial;
    this.name = name;
    this.connectsOnUse = around.connectsOnUse;
    this.clock = clock;
    this.around = around;
    this.server = initial;
    this.slots = new CallSlots(createLimiter({ scope: "server", server: name }, clock), around.global, clock);
    this.lane = new OwnerLane(name, clock);
    const attempts = new ConnectionAttempts(this);
    this.attempts = attempts;
    this.mask = (text) => attempts.mask(text);
    this.maskTool = (text) => attempts.maskTool(text);
    this.messages = new UpstreamMessages(this);
    if (around.askers.has(initial)) this.lane.turnOn();
    this.kept = this.shapeOf(initial);
    this.life = createConnectionLifecycle(this);
  }

  get capabilities(): Upstream["capabilities"] {
    return this.attempts.facts.capabilities;
  }

  load() {
    return this.slots.load();
  }

  isMoving(): boolean {
    return this.movesUntil > 0 && this.clock.now() < this.movesUntil;
  }

  status(): ConnectionStatus {
    const { life, running, name, attempts } = this;
    const { credentials, owner } = this.around;
    const status = life.status();
    const { state } = status;
    const listing = running?.listing.status();
    const lastError = listing?.error === undefined ? status.lastError : listingFailureText(listing.error);
    if (this.isSigningIn(status)) status.state = "Authenticating";
    // While the connection is wanted, the next attempt is already scheduled.
    else if (this.isWanted && state === "Disconnected") status.state = "Connecting";
    if (state === "Ready" && credentials?.isSpent(name, owner)) status.authRequired = true;
    if (listing?.error !== undefined) status.errorClass = "listing_failed";
    if (listing)
      status.listing = listing.error === undefined ? listing : { ...listing, error: this.shown(listing.error) };
    if (lastError !== undefined) status.lastError = this.shown(lastError);
    const itemsError = running?.items.error();
    if (itemsError !== undefined) status.itemsError = this.shown(itemsError);
    const { badCertificate } = attempts.facts;
    if (badCertificate !== undefined) status.badCertificate = badCertificate;
    return status;
  }

  start(...request: Parameters<Upstream["start"]>): void {
    startRequest(this, ...request);
  }

  request(...[method, params, options]: Parameters<Upstream["request"]>): ReturnType<Upstream["request"]> {
    return new Promise((done, fail) => this.start(method, params, options, { done, fail }));
  }

  onElicitationComplete(id: string, act: () => void): void {
    this.messages.elicitations.add(id, act);
  }

  watch(...watched: Parameters<Upstream["watch"]>): Promise<void> {
    return this.messages.resources.watch(...watched);
  }

  unwatch(uri: string): void {
    this.messages.resources.unwatch(uri);
  }

  watchTask(...watched: Parameters<Upstream["watchTask"]>): Promise<() => void> {
    return this.messages.tasks.watch(...watched);
  }

  async restart(reason: string, signal?: AbortSignal): Promise<void> {
    const { name } = this;
    if (!this.isWanted) throw this.notReady();
    this.around.log.info(`server "${name}" is restarted: ${reason}`, { server: name });
    await abortable(this.startAnew(), signal).catch((error) => {
      throw error instanceof Fault ? error : this.notReady();
    });
  }

  async ensureReady(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const { life, clock } = this;
    if (life.channel) return;
    // If a sign-in is required, another attempt would fail as well.
    if (!this.isWanted || life.status().authRequired) throw this.notReady();
    const late = new AbortController();
    const cancel = clock.after(timeoutMs, () => late.abort(this.notReady()));
    try {
      const connecting = this.isMoving() ? this.followProcess(late.signal) : life.start();
      await abortable(abortable(connecting, late.signal), signal);
    } catch (error) {
      throw error instanceof Fault ? error : this.notReady();
    } finally {
      cancel();
    }
  }

  async discover(reason: string): Promise<void> {
    if (!this.running) throw this.notReady();
    const { listing, items } = this.running;
    await listing.now(reason);
    await items.now(reason);
  }

  apply(next: ServerConfig): void {
    const { around, life, name } = this;
    const shape = this.shapeOf(next);
    const renewed = launchDefinition(next) !== launchDefinition(this.server) || shape !== this.kept;
    this.kept = shape;
    const first = !this.isWanted;
    this.server = next;
    this.slots.set(serverConcurrency(around.config.current(), next));
    this.isWanted = next.enabled && next.held !== true;
    if (renewed) this.attempts.forgetTransport();
    if (!this.isWanted) {
      if (!first) around.log.catch(`stopping "${name}"`, life.stop());
      this.messages.resources.end();
    } else if (first) {
      if (!around.connectsOnUse) this.connect();
    } else if (renewed) this.startAnew().catch(() => {});
    else this.running?.retime();
  }

  logLevelChanged(): void {
    this.messages.logLevelChanged();
  }

  retry(reason: string): void {
    const { name } = this;
    if (!this.isWanted || this.life.channel) return;
    this.around.log.debug(`connecting to server "${name}" again: ${reason}`, { server: name });
    this.connect();
  }

  isInUse(): boolean {
    const { active, waiting } = this.load();
    const { resources, tasks } = this.messages;
    return active + waiting > 0 || resources.isWatching() || tasks.isWatching();
  }

  async stop(reason: string): Promise<void> {
    this.isWanted = false;
    this.messages.resources.end();
    this.slots.refuse(new Fault("upstream_failed", { server: this.name, reason }));
    const last = this.running;
    await this.life.stop();
    await Promise.all([last?.listing.idle(), last?.items.idle()]);
  }

  random(): number {
    return this.around.random();
  }

  attemptMs(): number {
    const { init, firstInit, launch } = this.times();
    const start = this.running ? init : firstInit;
    const ms = isLaunchedHttpServer(this.server) ? start + launch : start;
    return this.around.launcher.plan(this.server).how === "container" ? Math.max(ms, CONTAINED_MS) : ms;
  }

  async acquireStartSlot(signal: AbortSignal): Promise<() => void> {
    const isHere = await this.attempts.place(signal);
    return this.server.command && isHere ? this.around.startSlots.take(signal) : apart();
  }

  async open(signal: AbortSignal): Promise<OpenChannel> {
    try {
      return await this.attempts.open(signal, new ChannelHooks(this));
    } catch (error) {
      this.noteMove(error);
      throw error;
    }
  }

  ready(opened: OpenChannel): void {
    const active = new ActiveConnection(this, opened);
    this.running = active;
    this.movesUntil = 0;
    this.messages.connected(active);
  }

  gone(opened: OpenChannel): void {
    const active = this.activeOf(opened);
    if (!active) return;
    active.stop();
    this.running = undefined;
    this.messages.disconnected();
  }

  changed(state: ConnectionState, reason: string): void {
    const { around, name } = this;
    const line = `${state}: ${this.shown(reason)}`;
    around.serverLogs.write(name, state === "Error" ? "error" : "info", line);
    around.log[LEVELS[state] ?? "debug"](`server "${name}" ${line}`, { server: name });
    around.events.publish("servers.changed", { server: name, reason: CHANGES[state] });
  }

  defect(message: string): void {
    this.around.log.error(`server "${this.name}": ${message}`, { server: this.name });
  }

  isCurrent(opened: OpenChannel): boolean {
    return this.life.channel === opened;
  }

  lost(opened: OpenChannel, error: Error): void {
    this.life.lost(opened, error);
  }

  renewed(active: ActiveConnection): void {
    this.life.renewed(active.opened);
    if (this.running === active) this.messages.connected(active);
  }

  declaredCapabilities(): McpObject {
    return askableCapabilities(this.server);
  }

  fault(line: string): void {
    const { clock, around, name } = this;
    this.writeFault ??= limitLineRate(clock, FAULT_BOUND, (text) =>
      around.serverLogs.write(name, "warn", `protocol: ${text}`),
    );
    this.writeFault(line);
  }

  /** Separates the requests of different clients from now on, and after a restart. */
  separateAskers(): void {
    this.lane.turnOn();
    this.around.askers.add(this.server);
  }

  sender(): Sender {
    if (!this.running) throw this.notReady();
    return this.running.sender;
  }

  async afterMove(signal: AbortSignal | undefined): Promise<void> {
    // The connection is lost within the same turn.
    await undefined;
    await this.ensureReady(MOVE_MS, signal);
  }

  /**
   * Calls wait for the next owner of the process, also at a replica that never reached the one that was lost. Later
   * failures do not make the wait longer: if the owner lives and only this replica cannot reach it, calls fail.
   */
  noteMove(error: unknown): void {
    if (error instanceof OwnerLost && this.movesUntil === 0) this.movesUntil = this.clock.now() + MOVE_MS;
  }

  /** Connects to the next owner of the process. The former one may still be ending it, so attempts are repeated. */
  private async followProcess(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.life.start();
        return;
      } catch (error) {
        if (signal.aborted || !this.isMoving()) throw error;
      }
      await new Promise<void>((done) => void this.clock.after(MOVE_RETRY_MS, done));
    }
  }

  activeOf(opened: OpenChannel | undefined): ActiveConnection | undefined {
    return this.running && this.running.opened === opened ? this.running : undefined;
  }

  /**
   * Returns the definition together with the general settings that affect how the server is started. If the result
   * changes, the server must be restarted.
   */
  private shapeOf(entry: ServerConfig): string {
    const surroundings = entry.command ? this.around.config.current().environment : undefined;
    return JSON.stringify([this.around.launcher.plan(entry), surroundings, askableCapabilities(entry), entry.scope]);
  }

  times(): ReturnType<typeof serverTimings> {
    return serverTimings(this.around.config.current(), this.server);
  }

  /**
   * True if the connection waits only for a person who is signing in. It is computed for each call, so that it is
   * always current.
   */
  private isSigningIn({ state, authRequired }: ConnectionStatus): boolean {
    if (authRequired !== true || state === "Ready") return false;
    return this.around.credentials?.status(this.name, this.around.owner).state === "pending";
  }

  private shown(error: string): string {
    return this.mask(error).slice(0, MAX_ERROR);
  }

  private notReady(): Fault {
    const { state, lastError } = this.life.status();
    const reason = !this.isWanted
      ? this.server.enabled
        ? HELD
        : "it is disabled"
      : lastError && this.shown(lastError);
    return new Fault("server_not_ready", { server: this.name, state, ...(reason && { reason }) });
  }

  private connect(): void {
    // The status contains the outcome, and the next attempt is scheduled.
    this.life.start().catch(() => {});
  }

  private async startAnew(): Promise<void> {
    await this.life.stop();
    if (this.isWanted) await this.life.start();
  }
}

/**
 * The hooks of one attempt. If the channel ends before the handshake is complete, the attempt has failed; afterwards, the
 * connection is lost.
 */
class ChannelHooks implements AttemptHooks {
  opened: OpenChannel | undefined = undefined;
  dead: Error | undefined = undefined;
  private readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  notification(...[method, params]: Parameters<AttemptHooks["notification"]>): void {
    const { messages, around, name } = this.connection;
    messages.notification(this.active(), method, params);
    if (around.owner === undefined) around.placement?.notified(name, method, params);
  }

  closed(error: Error): void {
    this.dead = error;
    this.connection.noteMove(error);
    if (this.opened) this.connection.lost(this.opened, error);
  }

  sessionLost(generation: number): void {
    const { around, name } = this.connection;
    const active = this.active();
    if (active) around.log.catch(`renewing the session of "${name}"`, active.sender.renew(generation));
  }

  resumed(): void {
    const active = this.active();
    if (active) this.connection.messages.missed(active);
  }

  fault(line: string): void {
    this.connection.fault(this.connection.mask(line));
  }

  logged(...sent: Parameters<NonNullable<AttemptHooks["logged"]>>) {
    return this.connection.messages.logged(...sent);
  }

  loggedForAll(message: LogMessage): void {
    this.connection.messages.loggedForAll(message);
  }

  askedOnSharedChannel(): void {
    this.connection.separateAskers();
  }

  private active(): ActiveConnection | undefined {
    return this.connection.activeOf(this.opened);
  }
}

/**
 * Attempts to connect to HTTP servers begin in different turns of the event loop, so that a thousand responses do not
 * arrive at once.
 */
const apart = () => nextLoopTurn("background").then(() => () => {});
