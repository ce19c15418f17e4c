import type { Clock } from "../base/clock.ts";
import type { LogMessage, MessageLevel } from "../schema/log-message.ts";
import type { ActiveConnection } from "./active-connection.ts";
import { AwaitedElicitations } from "./awaited-elicitations.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { LogIntake } from "./log-intake.ts";
import type { ExchangeHooks } from "./protocol/exchange-hooks.ts";
import type { Sender } from "./protocol/sender.ts";
import { createResourceWatches, type ResourceWatches, type ResourceWatchesOptions } from "./resource-watches.ts";
import { createServerLogLevel, type ServerLogLevelOptions } from "./server-log-level.ts";
import { createTaskWatches, type TaskWatches } from "./task-watches.ts";

/** The connection whose messages are received. */
export interface UpstreamMessagesOwner {
  readonly name: string;
  readonly clock: Clock;
  readonly around: ConnectionContext;
  /** The connection while it is open. */
  readonly running: ActiveConnection | undefined;
  readonly mask: (text: string) => string;
  /** Writes a violation of the protocol to the server's log, with a limit on the number of lines. */
  readonly fault: (line: string) => void;
}

/**
 * Receives what an upstream sends without a request, and passes it on. It continues over reconnects.
 *
 * A class that is the options of its parts, because there is one for each server: as closures, its functions and theirs
 * would take 2 KB for each server.
 */
export class UpstreamMessages implements ResourceWatchesOptions, ServerLogLevelOptions {
  readonly clock: Clock;
  readonly elicitations = new AwaitedElicitations();
  readonly resources: ResourceWatches;
  readonly tasks: TaskWatches;
  private readonly owner: UpstreamMessagesOwner;
  private readonly logLevel: ReturnType<typeof createServerLogLevel>;
  private logs: LogIntake | undefined = undefined;

  constructor(owner: UpstreamMessagesOwner) {
    this.clock = owner.clock;
    this.owner = owner;
    this.resources = createResourceWatches(this);
    this.tasks = createTaskWatches(this);
    this.logLevel = createServerLogLevel(this);
  }

  /**
   * Handles a notification.
   *
   * @param active the connection that it came on; undefined if that is no longer open
   */
  notification(active: ActiveConnection | undefined, ...sent: Parameters<ExchangeHooks["notification"]>): void {
    const [method, params] = sent;
    switch (method) {
      case "notifications/elicitation/complete":
        this.elicitations.complete(params);
        return;
      case "notifications/tasks":
      case "notifications/tasks/status":
        this.tasks.notified(params);
        return;
      case "notifications/resources/updated":
        this.resources.notified(params);
        return;
      case "notifications/tools/list_changed":
        active?.listing.listChanged();
        return;
      default:
        active?.items.notified(method);
    }
  }

  /** Call when notifications of this connection may have been missed: everything that they report is requested again. */
  missed({ listing, items }: ActiveConnection): void {
    listing.changed();
    items.changed();
    this.resources.missed();
  }

  /** Checks and limits a log message; undefined if it is dropped. */
  logged(...sent: Parameters<NonNullable<ExchangeHooks["logged"]>>): LogMessage | undefined {
    this.logs ??= new LogIntake(this.owner);
    return this.logs.take(...sent);
  }

  /** Publishes a log message that belongs to no request. */
  loggedForAll(message: LogMessage): void {
    const { name: server, around } = this.owner;
    around.logging.publish({ server, ...(around.owner !== undefined && { user: around.owner }), message });
  }

  /** Sets the log level that clients request, if the connection has one. */
  logLevelChanged(): void {
    this.logLevel.changed();
  }

  /** Call when the connection was opened or has a new session. */
  connected(active: ActiveConnection): void {
    this.resources.connected(active);
    this.tasks.connected(active);
    this.logLevel.changed();
  }

  disconnected(): void {
    this.resources.disconnected();
    this.tasks.disconnected();
  }

  subscriptionRefused(line: string): void {
    const { name, around, mask } = this.owner;
    around.serverLogs.write(name, "warn", mask(line));
  }

  levelSender(): Sender | undefined {
    const { running } = this.owner;
    return running && takesLogLevel(running) ? running.sender : undefined;
  }

  wantedLevel(): MessageLevel | undefined {
    return this.owner.around.logging.level;
  }

  levelRefused(line: string): void {
    this.owner.fault(this.owner.mask(line));
  }
}

/** True if the log level is set for the connection; in 2026-07-28 each request has its own level. */
function takesLogLevel({ opened }: ActiveConnection): boolean {
  const { family, capabilities } = opened.handshake;
  return family.name === "2025" && capabilities.logging === true;
}
