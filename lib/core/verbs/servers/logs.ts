import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { ServerLogLine } from "../../log/server-log.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import { scrubLine } from "../../secrets/mask/lines.ts";
import { findServer } from "./find.ts";
import { serverReview } from "./review.ts";

/** The levels of a server's log, lowest first. */
export const SERVER_LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
type ServerLogLevel = (typeof SERVER_LOG_LEVELS)[number];

/** Number of latest lines in which lines of a level are searched. */
const SEARCHED = 10_000;

/**
 * Returns the last lines of a server's log, oldest first, without credentials (spec 000 §2.9).
 *
 * @param minimum minimum level; lines of lower levels are omitted and not counted
 * @throws Fault server_not_found
 * @throws Fault admin_required for users of the multi-user edition, because a server's log covers the calls of all
 *   users
 * @throws Fault log_withheld while the server waits for review
 */
export async function readServerLogs(
  app: App,
  name: string,
  count: number,
  caller: Caller,
  minimum: ServerLogLevel = "debug",
): Promise<ServerLogLine[]> {
  findServer(app, name, caller);
  if (caller.user && caller.tier !== "admin") throw new Fault("admin_required");
  if (isServerHidden(serverReview(app, name), caller)) throw new Fault("log_withheld", { server: name });
  const lines = await app.serverLogs.tail(name, minimum === "debug" ? count : SEARCHED);
  const rank = SERVER_LOG_LEVELS.indexOf(minimum);
  const matching = lines.filter(
    ({ level }) => rank === 0 || SERVER_LOG_LEVELS.indexOf(level as ServerLogLevel) >= rank,
  );
  return matching.slice(-count).map((line) => ({ ...line, message: scrubLine(line.message) }));
}
