import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { LogLine } from "../../log/server-file.ts";
import { isServerWithheld } from "../../policy/disclosure.ts";
import type { Caller } from "../../schema/caller.ts";
import { scrubLine } from "../../secrets/mask/lines.ts";
import { find } from "./find.ts";
import { reviewOf } from "./review-of.ts";

/** Least first. */
export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

/** Among how many of the latest lines those of a level are looked for. */
const SEARCHED = 10_000;

/**
 * The last lines of a server's log, oldest first, without credentials (spec 000 §2.9).
 *
 * @param least lines of lower levels are left out, and do not count
 * @throws Fault server_not_found; admin_required for users of the multi-user edition, since what a server logs is about
 *   everybody's calls; log_withheld while the server waits for review
 */
export async function logs(
  app: App,
  name: string,
  count: number,
  caller: Caller,
  least: Level = "debug",
): Promise<LogLine[]> {
  find(app, name, caller);
  if (caller.user && caller.tier !== "admin") throw new Fault("admin_required");
  if (isServerWithheld(reviewOf(app, name), caller)) throw new Fault("log_withheld", { server: name });
  const lines = await app.serverLogs.tail(name, least === "debug" ? count : SEARCHED);
  const rank = LEVELS.indexOf(least);
  const wanted = lines.filter(({ level }) => rank === 0 || LEVELS.indexOf(level as Level) >= rank);
  return wanted.slice(-count).map((line) => ({ ...line, message: scrubLine(line.message) }));
}
