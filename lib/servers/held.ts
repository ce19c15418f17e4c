import type { Config, ServerConfig } from "../config/schema.ts";
import { planOf } from "../isolation/plan.ts";
import { maskArgs } from "../redact/args.ts";
import { REFERENCE } from "../redact/reference.ts";
import { runsOther } from "./merge.ts";

/** What a connection shows to whatever is at its other end. */
const SHOWN = ["args", "env", "headers", "url", "oauth"] as const;
const ANY_REFERENCE = new RegExp(REFERENCE);

/**
 * Whether a definition that came over MCP could send away what its author does not know: a reference to a secret, or
 * credentials that stood there before and would now be shown to something else. Since a quarantined server is connected
 * to for review, such a one waits for the review first.
 *
 * @param before what stood there; absent for a new server
 */
export function leadsAway(before: ServerConfig | undefined, next: ServerConfig): boolean {
  if (before && !runsOther(before, next)) return before.held === true;
  if (SHOWN.some((member) => ANY_REFERENCE.test(JSON.stringify(next[member]) ?? ""))) return true;
  if (before === undefined) return false;
  const secret = maskArgs(before.args ?? []).flatMap((masked, at) =>
    masked === before.args![at] ? [] : before.args![at]!,
  );
  return [before.env, before.headers, before.oauth].some(holds) || secret.some((arg) => next.args?.includes(arg));
}

/**
 * Whether a definition that came over MCP says itself how far its program is kept apart from this machine, where all
 * programs are or this one was: run without, otherwise than they, or with a folder or network of its own. It would be
 * started before anybody has looked at it.
 */
export function loosens(
  before: ServerConfig | undefined,
  next: ServerConfig,
  settings: Config["docker_isolation"],
): boolean {
  const isApart = (server: Pick<ServerConfig, "command" | "isolation">) => planOf(server, settings).how !== "plain";
  if (!next.command || !(isApart({ command: "any" }) || (before !== undefined && isApart(before)))) return false;
  const { mode, network_mode, extra_args, working_dir } = next.isolation ?? {};
  const own = [next.working_dir, working_dir, network_mode, extra_args?.join("")].some(Boolean);
  return !isApart(next) || own || (mode !== undefined && mode !== settings.mode);
}

/** Whoever lifts a quarantine lifts the hold. */
export function released(server: ServerConfig): ServerConfig {
  const { held: _, ...free } = server;
  return free;
}

const holds = (member: object | undefined) => member !== undefined && Object.keys(member).length > 0;
