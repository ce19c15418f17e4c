import { Fault } from "../base/fault.ts";
import { createLimiter } from "../base/limiter.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import type { ConnectionState, ConnectionStatus } from "../schema/connection-status.ts";
import type { ServerChange } from "../schema/event.ts";
import { type ActiveConnection, activateConnection, listingFailureText } from "./active-connection.ts";
import { AwaitedElicitations } from "./awaited-elicitations.ts";
import { CallSlots } from "./call-slots.ts";
import { type AttemptHooks, createConnectionAttempts } from "./connection-attempts.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { createConnectionLifecycle } from "./connection-lifecycle.ts";
import { createLogIntake } from "./log-intake.ts";
import type { OpenChannel } from "./open.ts";
import { OwnerLane } from "./owner-lane.ts";
import { createRequests } from "./protocol/sender.ts";
import { createResourceWatches } from "./resource-watches.ts";
import { createServerLogLevel } from "./server-log-level.ts";
import { askableCapabilities, serverConcurrency, serverTimings } from "./settings.ts";
import { limitLineRate } from "./stdio/throttle.ts";
import { launchDefinition } from "./target.ts";
import { createTaskWatches } from "./task-watches.ts";
import type { Upstream } from "./upstreams.ts";

/**
 * One upstream and its connection, kept as its entry in the configuration says. A quarantined server is connected to
 * all the same, so that its tools are known and can be reviewed; that none is called is the gate's business.
 */
export interface UpstreamConnection extends Upstream {
  /** Takes its entry over: starts, stops, or connects anew when what it runs or reaches changed. */
  apply(server: ServerConfig): void;
  /** Clients want another log level. */
  logLevelChanged(): void;
  /** Tries at once instead of at the next appointed time; nothing when it is Ready or not wanted. */
  retry(reason: string): void;
  /** It is not configured any more, or the proxy stops; `reason` is what waiting callers are told. Resolves when everything of it is gone. */
  stop(reason: string): Promise<void>;
}

/** Lines of protocol faults kept in the server's log. */
const FAULT_BOUND = { lines: 20, windowMs: 10_000 };

/** From the first word to the engine to the open conversation; an image may have to be fetched (ms; reference 5.1). */
const CONTAINED_MS = 180_000;

const HELD = "it was changed over MCP; the proxy sends it no credentials until its quarantine is lifted";

/** Of an error that an upstream worded. (characters) */
const MAX_ERROR = 1000;

/** What an operator would want to know; the rest is detail. */
const LEVELS: Partial<Record<ConnectionState, "info" | "warn">> = { Ready: "info", Error: "warn" };

/** How each state is told to whoever follows the events. */
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
  const elicitations = new AwaitedElicitations();
  const watches = createResourceWatches({
    clock,
    fault: (line) => serverLogs.write(name, "warn", mask(line)),
  });
  const tasks = createTaskWatches({ clock });
  const takeLog = createLogIntake({ clock, mask: (text) => mask(text), fault: (line) => fault(line) });
  const logLevel = createServerLogLevel({
    send: () => (running && takesLogLevel(running) ? running.sender.send : undefined),
    wanted: () => around.logging.level,
    fault: (line) => fault(mask(line)),
  });
  if (around.askers.has(initial)) lane.turnOn();
  let server = initial;
  let wanted = false;
  let kept = shapeOf(initial);
  let running: ActiveConnection | undefined;

  /** What the general settings make of an entry where it is started; with another one it has to be started anew. */
  function shapeOf(entry: ServerConfig): string {
    const surroundings = entry.command ? config.current().environment : undefined;
    return JSON.stringify([launcher.plan(entry), surroundings, askableCapabilities(entry)]);
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
    acquireStartSlot: (signal) => (server.command ? around.startSlots.take(signal) : apart()),
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

  /** Before the conversation is open a death is the attempt's own failure; after that it is a loss. */
  function hooksOf(): AttemptHooks {
    const hooks: AttemptHooks = {
      notification(method, params) {
        if (method === "notifications/elicitation/complete") return elicitations.complete(params);
        if (method === "notifications/tasks" || method === "notifications/tasks/status") return tasks.notified(params);
        const one = mine(hooks.opened);
        if (method === "notifications/resources/updated") watches.notified(params);
        else if (method === "notifications/tools/list_changed") one?.listing.listChanged();
        else one?.items.notified(method);
      },
      closed(error) {
        hooks.dead = error;
        if (hooks.opened) life.lost(hooks.opened, error);
      },
      sessionLost(generation) {
        const one = mine(hooks.opened);
        if (one) log.catch(`renewing the session of "${name}"`, one.sender.renew(generation));
      },
      resumed() {
        const one = mine(hooks.opened);
        if (!one) return;
        one.listing.changed();
        one.items.changed();
        watches.missed();
      },
      fault: (line) => fault(mask(line)),
      logged: takeLog,
      loggedForAll(message) {
        around.logging.publish({ server: name, ...(around.owner !== undefined && { user: around.owner }), message });
      },
      askedOnSharedChannel() {
        lane.turnOn();
        around.askers.add(server);
      },
    };
    return hooks;
  }
  const mine = (opened: OpenChannel | undefined) => (running && running.opened === opened ? running : undefined);

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
        if (running === active) watchOver(active);
      },
      mask,
      maskTool: attempts.maskTool,
      capabilities: askableCapabilities(server),
    });
    running = active;
    watchOver(active);
  }

  function watchOver({ opened, sender }: ActiveConnection): void {
    const { family, capabilities } = opened.handshake;
    watches.connected({
      family: family.name,
      isOffered: capabilities.resources?.subscribe === true,
      send: sender.send,
    });
    tasks.connected({ family: family.name, send: sender.send });
    logLevel.changed();
  }

  function end(opened: OpenChannel): void {
    mine(opened)?.stop();
    if (!mine(opened)) return;
    running = undefined;
    watches.disconnected();
    tasks.disconnected();
  }

  /** It waits for nothing but a person who is signing in. What is, is asked each time, so that it cannot get stuck. */
  const signingIn = ({ state, authRequired }: ConnectionStatus) =>
    authRequired === true && state !== "Ready" && credentials?.status(name, around.owner).state === "pending";
  const shown = (error: string) => mask(error).slice(0, MAX_ERROR);
  const notReady = () => {
    const { state, lastError } = life.status();
    const reason = !wanted ? (server.enabled ? HELD : "it is disabled") : lastError && shown(lastError);
    return new Fault("server_not_ready", { server: name, state, ...(reason && { reason }) });
  };
  const start = () => {
    // The outcome is in the status, and the next attempt is appointed.
    life.start().catch(() => {});
  };

  const request = createRequests({
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
    status() {
      const status = life.status();
      const { state } = status;
      const listing = running?.listing.status();
      const lastError = listing?.error === undefined ? status.lastError : listingFailureText(listing.error);
      if (signingIn(status)) status.state = "Authenticating";
      // Between two connections of one that is wanted the next attempt is on its way.
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
    request,
    onElicitationComplete: (id, act) => elicitations.add(id, act),
    watch: watches.watch,
    unwatch: watches.unwatch,
    watchTask: tasks.watch,
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
      // Only a person can sign in; until then each call would be one more knock at that door.
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
        watches.end();
      } else if (first) {
        if (!around.connectsOnUse) start();
      } else if (renewed) restart().catch(() => {});
      else running?.retime();
    },
    logLevelChanged: logLevel.changed,
    retry(reason) {
      if (!wanted || life.channel) return;
      log.debug(`connecting to server "${name}" again: ${reason}`, { server: name });
      start();
    },
    async stop(reason) {
      wanted = false;
      watches.end();
      slots.refuse(new Fault("upstream_failed", { server: name, reason }));
      const last = running;
      await life.stop();
      await Promise.all([last?.listing.idle(), last?.items.idle()]);
    },
  };
}

/** Whether the level is a property of the connection; in the 2026 family each request has its own. */
function takesLogLevel({ opened }: ActiveConnection): boolean {
  const { family, capabilities } = opened.handshake;
  return family.name === "2025" && capabilities.logging === true;
}

/** A thousand addresses are connected to one after the other, so that their answers do not all come at once. */
const apart = () => nextLoopTurn("background").then(() => () => {});

/** The same promise, given up when the signal aborts. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason instanceof Fault ? signal.reason : new Fault("cancelled"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
