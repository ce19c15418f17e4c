import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type App, part } from "../../core/app.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { ITEM_WORDS, type ItemRow } from "../../core/schema/item.ts";
import type { Difference } from "../../core/schema/lock-verification.ts";
import type { ToolRow } from "../../core/schema/tool.ts";
import { launchDefinition } from "../../core/upstream/target.ts";
import { serverDrift, toolDrift } from "./compare.ts";
import { type LockDocument, readLock } from "./document.ts";
import { itemDrift } from "./item-drift.ts";
import { LOCKED_MEMBERS, lockedItemOf } from "./item-lock.ts";
import { startOf, toolOf } from "./server-lock.ts";

/** The enforced lock file as last read, or why it could not be read. */
interface Enforced {
  readonly allow: readonly string[];
  lock: LockDocument | undefined;
  problem: string;
  /** Identifies the file's state, to detect a change. */
  mark: string;
  checkedAt: number;
  /** Results by definition, so that each definition is compared once. */
  readonly known: Map<string, string>;
}

/** How long the state of the file is cached (ms). */
const FRESH_MS = 2000;
/** Maximum number of cached results. */
const MAX_KNOWN = 20_000;

/** The lock file that is enforced at present. */
const state = part<{ last: { enforced: Enforced; settings: object } | undefined }>("enforcedLock", () => ({
  last: undefined,
}));

/**
 * Compares a tool, prompt, resource or template with the enforced lock file (`lock.enforce`).
 *
 * @returns the reason for a rejection; undefined if it does not differ, or in a tolerated way. With an unreadable lock
 *   file, everything is rejected.
 */
export function lockViolation(
  app: Pick<App, "config" | "clock" | "log" | "part">,
  server: ServerConfig,
  tool: ToolRow | ItemRow,
): string | undefined {
  const settings = app.config.current().lock;
  if (!settings.enforce) return undefined;
  const enforced = current(app, settings);
  if (!enforced.lock) return `the lock file is enforced and cannot be read (${enforced.problem})`;
  const key = `${tool.id}\n${tool.hash}\n${launchDefinition(server)}${JSON.stringify([server.enabled_tools, server.disabled_tools])}`;
  const cached = enforced.known.get(key);
  if (cached !== undefined) return cached || undefined;
  const found = differences(enforced.lock, enforced.allow, server, tool);
  if (enforced.known.size >= MAX_KNOWN) enforced.known.clear();
  enforced.known.set(key, found);
  return found || undefined;
}

function differences(
  lock: LockDocument,
  allow: readonly string[],
  server: ServerConfig,
  tool: ToolRow | ItemRow,
): string {
  const entry = Object.hasOwn(lock.servers, server.name) ? lock.servers[server.name] : undefined;
  if (!entry) return "its server is not in the lock file";
  const { package: _, container: __, instructions: ___, ...locked } = entry;
  const refused = (found: readonly Difference[]) => found.find((difference) => !allow.includes(difference.class));
  const start = refused(serverDrift(locked, { start: startOf(server), tools: {} }));
  if (start) return `its server's definition differs from the lock file (${start.at})`;
  if ("kind" in tool) {
    const { noun } = ITEM_WORDS[tool.kind];
    const items = entry[LOCKED_MEMBERS[tool.kind]];
    // A file of an older release pins no items of this kind.
    if (!items) return "";
    const pinned = Object.hasOwn(items, tool.name) ? items[tool.name] : undefined;
    if (!pinned) return `the ${noun} is not in the lock file`;
    const drift = refused(itemDrift(pinned, lockedItemOf(tool)));
    return drift ? `the ${noun} differs from the lock file (${drift.class})` : "";
  }
  const pinned = Object.hasOwn(entry.tools, tool.name) ? entry.tools[tool.name] : undefined;
  if (!pinned) return "the tool is not in the lock file";
  const drift = refused(toolDrift(pinned, toolOf(tool)));
  return drift ? `the tool differs from the lock file (${drift.class})` : "";
}

function current(
  app: Pick<App, "config" | "clock" | "log" | "part">,
  settings: { path: string; allow: readonly string[] },
): Enforced {
  const now = app.clock.now();
  const memory = app.part(state);
  const { last } = memory;
  if (last && last.settings === settings && now - last.enforced.checkedAt < FRESH_MS) return last.enforced;
  const path = resolve(dirname(app.config.path), settings.path);
  const mark = markOf(path);
  if (last && last.settings === settings && last.enforced.mark === mark) {
    last.enforced.checkedAt = now;
    return last.enforced;
  }
  const enforced: Enforced = {
    allow: settings.allow,
    ...read(path),
    mark,
    checkedAt: now,
    known: new Map(),
  };
  if (!enforced.lock) app.log.error(`the lock file ${path} is enforced and cannot be read: ${enforced.problem}`);
  memory.last = { enforced, settings };
  return enforced;
}

function read(path: string): Pick<Enforced, "lock" | "problem"> {
  try {
    return { lock: readLock(readFileSync(path, "utf8")), problem: "" };
  } catch (error) {
    const missing = (error as { code?: unknown }).code === "ENOENT";
    const problem = error instanceof Fault ? reasonOf(error) : missing ? "it does not exist" : "it cannot be opened";
    return { lock: undefined, problem };
  }
}

function markOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "";
  }
}
