import { certificateFaultIn } from "../base/egress/certificate-fault.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { OwnerLost, SignInNeeded, StatusError, UpstreamError } from "./errors.ts";
import { HostUnreachable } from "./http/http-host.ts";
import { type OpenChannel, openUpstream } from "./open.ts";
import type { Placement } from "./process-placement.ts";
import type { ExchangeHooks } from "./protocol/exchange-hooks.ts";
import { askableCapabilities, serverTimings } from "./settings.ts";
import { startProcess } from "./stdio/start-process.ts";
import { resolveTarget } from "./target.ts";
import type { Transport } from "./transport.ts";

/** The callbacks of one attempt to connect and of the channel that it opened, and how far the attempt has come. */
export interface AttemptHooks extends ExchangeHooks {
  /** The channel; set when the handshake is complete. */
  opened?: OpenChannel | undefined;
  /** Why the channel ended; set even if it ended before the handshake was complete. */
  dead?: Error | undefined;
}

/** The connection whose attempts are made. */
export interface ConnectionAttemptsOwner {
  readonly around: ConnectionContext;
  /** The server's current entry in the configuration. */
  readonly server: ServerConfig;
  /** False after the server was disabled, held or removed. */
  readonly isWanted: boolean;
}

interface AttemptFacts {
  capabilities: ServerCapabilities | undefined;
  /** The line in which the server's process reported a rejected certificate. */
  badCertificate: ConnectionStatus["badCertificate"];
}

/** Maximum length of an error message of an upstream. (characters) */
const MAX_ERROR = 1000;

/** The first request to a server, by the protocol family that it used last. */
const STARTS = { "2025": "initialize", "2026": "discover" } as const;

/** Lines for the server's log when the proxy starts the server a second time in one attempt. */
const SPOILT = {
  initialize: "it does not go on after server/discover; it is started again and gets initialize first",
  discover: "it answered server/discover late; it is started again to be spoken to in protocol version 2026-07-28",
};

const LEASE_LOST = "this replica lost the lease for its process, so another replica takes it over";

/** Makes the attempts to connect to one server and stores what the proxy learned from them. */
export class ConnectionAttempts {
  /** Facts from the last attempt. The object stays the same, because every call of a tool reads it. */
  readonly facts: AttemptFacts = { capabilities: undefined, badCertificate: undefined };
  private readonly owner: ConnectionAttemptsOwner;
  private hide: (text: string) => string = unchanged;
  private hideInTool: (text: string) => string = unchanged;
  private remembered: Transport["kind"] | undefined = undefined;
  /** True if the probe ended the process of the last attempt, and the second process failed as well. */
  private spoiltByProbe = false;
  private placement: Placement | undefined = undefined;

  constructor(owner: ConnectionAttemptsOwner) {
    this.owner = owner;
  }

  /** Replaces the secrets of the definition that was used last in a text. */
  mask(text: string): string {
    return this.hide(text);
  }

  /** Like `mask`, for the texts of a tool or another item. */
  maskTool(text: string): string {
    return this.hideInTool(text);
  }

  /** Call when the definition has changed: the next attempt must determine the transport again. */
  forgetTransport(): void {
    this.remembered = undefined;
  }

  /**
   * Decides where the process of the next attempt runs, if replicas share processes.
   *
   * @returns false if another replica runs it
   * @throws UpstreamError
   */
  async place(signal: AbortSignal): Promise<boolean> {
    const { around, server } = this.owner;
    // The process of a single user's connection runs where the user calls it.
    const isShared = server.command && around.owner === undefined;
    this.placement = isShared ? await around.placement?.place(server, signal) : undefined;
    return this.placement?.where !== "elsewhere";
  }

  /**
   * Makes one attempt where `place` has decided. The right to run the process ends with the process.
   *
   * @throws UpstreamError, Fault, RpcError; everything that the attempt opened is then closed
   */
  async open(signal: AbortSignal, hooks: AttemptHooks): Promise<OpenChannel> {
    const placed = this.placement;
    this.placement = undefined;
    if (placed?.where !== "here") return this.openAt(placed, signal, hooks);
    const { lease, release } = placed;
    const closed = hooks.closed.bind(hooks);
    // A process that the watchdog killed may be seen to end before the lease is.
    hooks.closed = (error) => closed(lease.isHeld() ? error : new OwnerLost(LEASE_LOST));
    try {
      const opened = await this.openAt(placed, signal, hooks);
      const end = () => closed(new OwnerLost(LEASE_LOST));
      lease.lost.addEventListener("abort", end, { once: true });
      const { transport } = opened;
      const close = transport.close.bind(transport);
      let closing: Promise<void> | undefined;
      transport.close = () => {
        lease.lost.removeEventListener("abort", end);
        closing ??= close().then(release);
        return closing;
      };
      if (lease.lost.aborted) end();
      return opened;
    } catch (error) {
      await release();
      throw error;
    }
  }

  private async openAt(placed: Placement | undefined, signal: AbortSignal, hooks: AttemptHooks): Promise<OpenChannel> {
    const { around, server: entry } = this.owner;
    const { config, clock, serverLogs, credentials, launcher, versions } = around;
    const { facts } = this;
    const { name } = entry;
    const surroundings = { env: around.env, inheritance: config.current().environment };
    const bearerFor = credentials && ((url: URL) => credentials.bearer(name, url, around.owner));
    const target = await resolveTarget(entry, around.secrets, surroundings, bearerFor);
    this.hide = target.mask;
    this.hideInTool = target.maskTool;
    // The fault of the last attempt stands until this one has ended; otherwise it would disappear during each attempt.
    let badCertificate: AttemptFacts["badCertificate"];
    const known = versions.get(entry);
    const times = serverTimings(config.current(), entry);
    let restarted = false;
    const opened = await openUpstream({
      server: name,
      target,
      client: around.client,
      capabilities: askableCapabilities(entry),
      clock,
      start: async (to, until) => {
        this.checkReach(entry);
        return launcher.start({
          server: entry,
          target: to,
          signal: until,
          onLine: (line) => serverLogs.write(name, "info", target.mask(line)),
          plain: (what) => startProcess(name, what, around.guard, placed?.where === "here" ? placed.lease : undefined),
        });
      },
      ...(placed?.where === "elsewhere" && { elsewhere: placed.connect }),
      hooks,
      onStderr(line) {
        serverLogs.write(name, "info", `stderr: ${line}`);
        const fault = certificateFaultIn(line);
        if (fault) facts.badCertificate = badCertificate = { fault, line: line.slice(0, MAX_ERROR) };
      },
      onOutput: (line) => serverLogs.write(name, "info", `stdout: ${line}`),
      launchMs: times.launch,
      timeoutMs: times.firstInit,
      signal,
      remembered: this.remembered,
      begin: known ? STARTS[known] : this.spoiltByProbe ? "initialize" : "probe",
      onSpoilt(next) {
        serverLogs.write(name, "info", SPOILT[next]);
        if (next === "discover") versions.learnModern(entry);
        else restarted = true;
      },
    }).catch((error) => {
      facts.badCertificate = badCertificate;
      this.spoiltByProbe = restarted;
      if (known && this.owner.isWanted && !isPassing(error)) versions.forget(name);
      throw error;
    });
    if (hooks.dead) {
      await opened.transport.close();
      throw hooks.dead;
    }
    hooks.opened = opened;
    facts.badCertificate = badCertificate;
    facts.capabilities = opened.handshake.capabilities;
    this.remembered = opened.transport.kind;
    // If the probe had failed before, the second process may have been slow for another reason, so its version is not
    // remembered.
    versions.learn(entry, this.spoiltByProbe ? { ...opened, remember: "no" } : opened);
    this.spoiltByProbe = false;
    opened.late?.then((accepted) => accepted && versions.forget(name));
    return opened;
  }

  /** Rejects a server that would listen in an isolated network, because the proxy could not reach its port. */
  private checkReach(server: ServerConfig): void {
    const plan = this.owner.around.launcher.plan(server);
    if (!isLaunchedHttpServer(server) || plan.how === "plain" || plan.network === "host") return;
    throw new UpstreamError(
      `its url is a port of this machine, which it cannot open from a ${plan.how} of its own; let it share the network ` +
        "(isolation.network_mode: host), or set its isolation.enabled_override to false",
    );
  }
}

const unchanged = (text: string) => text;

/** True if a failure may be transient, so that it says nothing about the protocol version. */
function isPassing(error: unknown): boolean {
  if (error instanceof HostUnreachable || error instanceof SignInNeeded) return true;
  return error instanceof StatusError && (error.status >= 500 || PASSING.has(error.status));
}
const PASSING = new Set([403, 408, 425, 429]);
