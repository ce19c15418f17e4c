import type { App } from "../../core/app.ts";
import { nearestWords } from "../../core/base/nearest.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { Fault } from "./faults.ts";

/** Longest name that is compared and quoted in messages (characters). */
const MAX_NAME = 128;

/**
 * Rejects `allowed_servers` if a name in it does not exist for this caller, because every call of the script to the
 * intended server would fail.
 *
 * @throws Fault code_options, with the same text for a server out of scope and one that does not exist
 */
export function checkAllowedServers(app: Pick<App, "config">, { scope }: Caller, allowed: readonly string[]): void {
  const reachable = app.config.current().mcpServers.flatMap(({ name }) => (inScope(scope, name) ? [name] : []));
  const names = new Set(reachable);
  const unknown = allowed.find((name) => !names.has(name));
  if (unknown === undefined) return;
  const [similar] = unknown.length <= MAX_NAME ? nearestWords(unknown, reachable, 1) : [];
  const shortName = unknown.slice(0, MAX_NAME);
  throw new Fault("code_options", {
    reason: `allowed_servers: unknown server "${shortName}"${similar === undefined ? "; list them with: proxy upstream list" : `; did you mean "${similar}"?`}`,
  });
}
