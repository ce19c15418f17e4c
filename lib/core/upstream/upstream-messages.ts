import type { Clock } from "../base/clock.ts";
import type { LogMessage } from "../schema/log-message.ts";
import type { ActiveConnection } from "./active-connection.ts";
import { AwaitedElicitations } from "./awaited-elicitations.ts";
import { createLogIntake } from "./log-intake.ts";
import type { ExchangeHooks } from "./protocol/exchange-hooks.ts";
import { createResourceWatches, type ResourceWatches } from "./resource-watches.ts";
import { createServerLogLevel } from "./server-log-level.ts";
import { createTaskWatches, type TaskWatches } from "./task-watches.ts";
import type { UpstreamLogging } from "./upstream-logging.ts";

interface UpstreamMessagesOptions {
  readonly clock: Clock;
  readonly server: string;
  /** Id of the user of a separate connection; undefined for the shared connection. */
  readonly owner: string | undefined;
  readonly logging: UpstreamLogging;
  /** The connection while it is open. */
  active(): ActiveConnection | undefined;
  mask(text: string): string;
  /** Writes a line to the server's log. */
  write(line: string): void;
  /** Writes a violation of the protocol to the server's log, with a limit on the number of lines. */
  fault(line: string): void;
}

/** Receives what an upstream sends without a request, and passes it on. It continues over reconnects. */
interface UpstreamMessages {
  readonly elicitations: AwaitedElicitations;
  readonly resources: ResourceWatches;
  readonly tasks: TaskWatches;
  /**
   * Handles a notification.
   *
   * @param active the connection that it came on; undefined if that is no longer open
   */
  notification: (active: ActiveConnection | undefined, ...sent: Parameters<ExchangeHooks["notification"]>) => void;
  /**
   * Call when notifications of this connection may have been missed: everything that they report is requested again.
   */
  missed(active: ActiveConnection): void;
  /** Checks and limits a log message; undefined if it is dropped. */
  logged: NonNullable<ExchangeHooks["logged"]>;
  /** Publishes a log message that belongs to no request. */
  loggedForAll(message: LogMessage): void;
  /** Sets the log level that clients request, if the connection has one. */
  logLevelChanged(): void;
  /** Call when the connection was opened or has a new session. */
  connected(active: ActiveConnection): void;
  disconnected(): void;
}

export function createUpstreamMessages(options: UpstreamMessagesOptions): UpstreamMessages {
  const { clock, server, owner, logging, active, mask, write, fault } = options;
  const elicitations = new AwaitedElicitations();
  const resources = createResourceWatches({ clock, fault: (line) => write(mask(line)) });
  const tasks = createTaskWatches({ clock });
  const logLevel = createServerLogLevel({
    send() {
      const current = active();
      return current && takesLogLevel(current) ? current.sender.send : undefined;
    },
    wanted: () => logging.level,
    fault: (line) => fault(mask(line)),
  });

  return {
    elicitations,
    resources,
    tasks,
    notification(from, method, params) {
      switch (method) {
        case "notifications/elicitation/complete":
          return elicitations.complete(params);
        case "notifications/tasks":
        case "notifications/tasks/status":
          return tasks.notified(params);
        case "notifications/resources/updated":
          return resources.notified(params);
        case "notifications/tools/list_changed":
          return from?.listing.listChanged();
        default:
          return from?.items.notified(method);
      }
    },
    missed({ listing, items }) {
      listing.changed();
      items.changed();
      resources.missed();
    },
    logged: createLogIntake({ clock, mask, fault }),
    loggedForAll: (message) => logging.publish({ server, ...(owner !== undefined && { user: owner }), message }),
    logLevelChanged: logLevel.changed,
    connected({ opened, sender: { send } }) {
      const { family, capabilities } = opened.handshake;
      resources.connected({ family: family.name, isOffered: capabilities.resources?.subscribe === true, send });
      tasks.connected({ family: family.name, send });
      logLevel.changed();
    },
    disconnected() {
      resources.disconnected();
      tasks.disconnected();
    },
  };
}

/** True if the log level is set for the connection; in 2026-07-28 each request has its own level. */
function takesLogLevel({ opened }: ActiveConnection): boolean {
  const { family, capabilities } = opened.handshake;
  return family.name === "2025" && capabilities.logging === true;
}
