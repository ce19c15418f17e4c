import { Fault } from "../base/fault.ts";
import { createLimiter } from "../base/limiter.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import type { ConnectionState, ConnectionStatus } from "../schema/connection-status.ts";
import type { ServerChange } from "../schema/event.ts";
import { abortable } from "./abortable.ts";
import { type ActiveConnection, activateConnection, listingFailureText } from "./active-connection.ts";
import { CallSlots } from "./call-slots.ts";
import { type AttemptHooks, createConnectionAttempts } from "./connection-attempts.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { createConnectionLifecycle } from "./connection-lifecycle.ts";
import type { OpenChannel } from "./open.ts";
import { OwnerLane } from "./owner-lane.ts";
import { createRequests } from "./protocol/sender.ts";
import { askableCapabilities, serverConcurrency, serverTimings } from "./settings.ts";
import { limitLineRate } from "./stdio/throttle.ts";
import { launchDefinition } from "./target.ts";
import { createUpstreamMessages } from "./upstream-messages.ts";
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
  const { config, clock, events, log, serverLogs, credentials, launcher } = around;
  const { name } = initial;
  const slots = new CallSlots(createLimiter({ scope: "server", server: name }, clock), around.global, clock);
  const fault = limitLineRate(clock, FAULT_BOUND, (line) => serverLogs.write(name, "warn", `protocol: ${line}`));
  const lane = new OwnerLane(name, clock);
  const messages = createUpstreamMessages({
    clock,
    server: name,
    owner: around.owner,
    logging: around.logging,
    active: () => running,
    mask: (text) => mask(text),
    write: (line) => serverLogs.write(name, "warn", line),
    fault,
  });
  if (around.askers.has(initial)) lane.turnOn();
  let server = initial;
  let wanted = false;
  let kept = shapeOf(initial);
  let running: ActiveConnection | undefined;

  /**
   * Returns the definition together with the general settings that affect how the server is started. If the result
   * changes, the server must be restarted.
   */
  function shapeOf(entry: ServerConfig): string {
    const surroundings = entry.command ? config.current().environment : undefined;
    return JSON.stringify([launcher.plan(entry), surroundings, askableCapabilities(entry), entry.scope]);
  }

  const attempts = createConnectionAttempts(
    around,
    () => server,
    () => wanted,
  );
  const { mask } = attempts;
  const times = () => serverTimings(config.current(), server);
  const life = createConnectionLifecycle({
    clock,
    random: around.random,
    attemptMs: () => {
      const { init, launch } = times();
      const ms = isLaunchedHttpServer(server) ? init + launch : init;
      return launcher.plan(server).how === "container" ? Math.max(ms, CONTAINED_MS) : ms;
    },
    acquireStartSlot: async (signal) => {
      const isHere = await attempts.place(signal);
      return server.command && isHere ? around.startSlots.take(signal) : apart();
    },
    open: (signal) => attempts.open(signal, hooksOf()),
    ready: begin,
    gone: end,
    changed(state, reason) {
      const line = `${state}: ${shown(reason)}`;
      serverLogs.write(name, state === "Error" ? "error" : "info", line);
      log[LEVELS[state] ?? "debug"](`server "${name}" ${line}`, { server: name });
      events.publish("servers.changed", { server: name, reason: CHANGES[state] });
    },
    defect: (message) => log.error(`server "${name}": ${message}`, { server: name }),
  });

  /**
   * Makes the hooks for one attempt. If the channel ends before the handshake is complete, the attempt has failed;
   * afterwards, the connection is lost.
   */
  function hooksOf(): AttemptHooks {
    const hooks: AttemptHooks = {
      notification(method, params) {
        messages.notification(activeOf(hooks.opened), method, params);
        if (around.owner === undefined) around.placement?.notified(name, method, params);
      },
      closed(error) {
        hooks.dead = error;
        if (hooks.opened) life.lost(hooks.opened, error);
      },
      sessionLost(generation) {
        const active = activeOf(hooks.opened);
        if (active) log.catch(`renewing the session of "${name}"`, active.sender.renew(generation));
      },
      resumed() {
        const active = activeOf(hooks.opened);
        if (active) messages.missed(active);
      },
      fault: (line) => fault(mask(line)),
      logged: messages.logged,
      loggedForAll: messages.loggedForAll,
      askedOnSharedChannel() {
        lane.turnOn();
        around.askers.add(server);
      },
    };
    return hooks;
  }
  const activeOf = (opened: OpenChannel | undefined) => (running && running.opened === opened ? running : undefined);

  function begin(opened: OpenChannel): void {
    const active = activateConnection({
      server: name,
      opened,
      around,
      times,
      current: () => life.channel === opened,
      lost: (error) => life.lost(opened, error),
      renewed() {
        life.renewed(opened);
        if (running === active) messages.connected(active);
      },
      mask,
      maskTool: attempts.maskTool,
      capabilities: askableCapabilities(server),
    });
    running = active;
    messages.connected(active);
  }

  function end(opened: OpenChannel): void {
    const active = activeOf(opened);
    if (!active) return;
    active.stop();
    running = undefined;
    messages.disconnected();
  }

  /**
   * True if the connection waits only for a person who is signing in. It is computed for each call, so that it is
   * always current.
   */
  const signingIn = ({ state, authRequired }: ConnectionStatus) =>
    authRequired === true && state !== "Ready" && credentials?.status(name, around.owner).state === "pending";
  const shown = (error: string) => mask(error).slice(0, MAX_ERROR);
  const notReady = () => {
    const { state, lastError } = life.status();
    const reason = !wanted ? (server.enabled ? HELD : "it is disabled") : lastError && shown(lastError);
    return new Fault("server_not_ready", { server: name, state, ...(reason && { reason }) });
  };
  const connect = () => {
    // The status contains the outcome, and the next attempt is scheduled.
    life.start().catch(() => {});
  };

  const start = createRequests({
    slots,
    lane,
    clock,
    sender() {
      if (!running) throw notReady();
      return running.sender;
    },
  });

  const restart = async () => {
    await life.stop();
    if (wanted) await life.start();
  };

  return {
    name,
    connectsOnUse: around.connectsOnUse,
    load: () => slots.load(),
    status() {
      const status = life.status();
      const { state } = status;
      const listing = running?.listing.status();
      const lastError = listing?.error === undefined ? status.lastError : listingFailureText(listing.error);
      if (signingIn(status)) status.state = "Authenticating";
      // While the connection is wanted, the next attempt is already scheduled.
      else if (wanted && state === "Disconnected") status.state = "Connecting";
      if (state === "Ready" && credentials?.isSpent(name, around.owner)) status.authRequired = true;
      if (listing?.error !== undefined) status.errorClass = "listing_failed";
      if (listing) status.listing = listing.error === undefined ? listing : { ...listing, error: shown(listing.error) };
      if (lastError !== undefined) status.lastError = shown(lastError);
      const itemsError = running?.items.error();
      if (itemsError !== undefined) status.itemsError = shown(itemsError);
      const { badCertificate } = attempts.facts;
      if (badCertificate !== undefined) status.badCertificate = badCertificate;
      return status;
    },
    get capabilities() {
      return attempts.facts.capabilities;
    },
    start,
    request: (method, params, options) => new Promise((done, fail) => start(method, params, options, { done, fail })),
    onElicitationComplete: (id, act) => messages.elicitations.add(id, act),
    watch: messages.resources.watch,
    unwatch: messages.resources.unwatch,
    watchTask: messages.tasks.watch,
    mask,
    async restart(reason, signal) {
      if (!wanted) throw notReady();
      log.info(`server "${name}" is restarted: ${reason}`, { server: name });
      await abortable(restart(), signal).catch((error) => {
        throw error instanceof Fault ? error : notReady();
      });
    },
    async ensureReady(timeoutMs, signal) {
      if (life.channel) return;
      // If a sign-in is required, another attempt would fail as well.
      if (!wanted || life.status().authRequired) throw notReady();
      const late = new AbortController();
      const cancel = clock.after(timeoutMs, () => late.abort(notReady()));
      try {
        await abortable(abortable(life.start(), late.signal), signal);
      } catch (error) {
        throw error instanceof Fault ? error : notReady();
      } finally {
        cancel();
      }
    },
    async discover(reason) {
      if (!running) throw notReady();
      const { listing, items } = running;
      await listing.now(reason);
      await items.now(reason);
    },
    apply(next) {
      const shape = shapeOf(next);
      const renewed = launchDefinition(next) !== launchDefinition(server) || shape !== kept;
      kept = shape;
      const first = !wanted;
      server = next;
      slots.set(serverConcurrency(config.current(), next));
      wanted = next.enabled && next.held !== true;
      if (renewed) attempts.forgetTransport();
      if (!wanted) {
        if (!first) log.catch(`stopping "${name}"`, life.stop());
        messages.resources.end();
      } else if (first) {
        if (!around.connectsOnUse) connect();
      } else if (renewed) restart().catch(() => {});
      else running?.retime();
    },
    logLevelChanged: messages.logLevelChanged,
    retry(reason) {
      if (!wanted || life.channel) return;
      log.debug(`connecting to server "${name}" again: ${reason}`, { server: name });
      connect();
    },
    async stop(reason) {
      wanted = false;
      messages.resources.end();
      slots.refuse(new Fault("upstream_failed", { server: name, reason }));
      const last = running;
      await life.stop();
      await Promise.all([last?.listing.idle(), last?.items.idle()]);
    },
  };
}

/**
 * Attempts to connect to HTTP servers begin in different turns of the event loop, so that a thousand responses do not
 * arrive at once.
 */
const apart = () => nextLoopTurn("background").then(() => () => {});
