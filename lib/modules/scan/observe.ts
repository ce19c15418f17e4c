import { createHash } from "node:crypto";
import type { App } from "../../core/app.ts";
import { canonicalJson } from "../../core/base/canonical.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Difference } from "../../core/schema/lock-verification.ts";
import { packageUnknown, serverDrift } from "../lock/compare.ts";
import { serverNow } from "../lock/current.ts";
import type { LockedServer } from "../lock/document.ts";
import { installedOf } from "../packages/installed.ts";
import { launchOf } from "../packages/launch.ts";
import { type Bounds, sourceFiles } from "./source-files.ts";

/** The state of a server at some moment, as far as it is visible without contacting it. */
export interface Observed {
  /** Excludes its tools, prompts, resources and templates, which have their own approvals. */
  readonly server: LockedServer;
  /** Digests of its program's files by path; absent if they are not on this machine, or too many. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Reads the current state of a server from this machine only. */
export async function observeServer(app: App, server: ServerConfig, signal: AbortSignal): Promise<Observed> {
  const { prompts: _, resources: __, resource_templates: ___, ...now } = await serverNow(app, server);
  const around = { workingDir: server.working_dir, home: app.boot.machine.home };
  const installed = await installedOf(launchOf(server), around);
  const files = installed && (await digests(installed.dir, signal));
  return { server: { ...now, tools: {} }, ...(files && { files }) };
}

/** Limits for reading files (bytes); a program is often one large file. */
const BOUNDS: Bounds = { mostBytes: 128 * 1024 * 1024, largest: 16 * 1024 * 1024 };

async function digests(dir: string, signal: AbortSignal): Promise<Record<string, string> | undefined> {
  const progress = { complete: true };
  const found = new Map<string, string>();
  for await (const { path, text } of sourceFiles(dir, signal, progress, BOUNDS))
    found.set(path, createHash("sha256").update(text).digest("hex").slice(0, 32));
  return progress.complete ? Object.fromEntries(found) : undefined;
}

/** The differences, and the facts that were known before and are unknown now. Pure. */
export function compareObserved(before: Observed, now: Observed): { differences: Difference[]; unverified: string[] } {
  const differences = serverDrift(before.server, now.server);
  const moved = before.server.package?.version !== now.server.package?.version;
  // A different version has different files.
  if (!moved && before.files && now.files) differences.push(...filesDrift(before.files, now.files));
  const problems = before.files && !now.files ? ["the files of its program were not found on this machine"] : [];
  return { differences, unverified: [...packageUnknown(before.server, now.server), ...problems] };
}

/** Maximum number of names in a message. */
const MAX_NAMES = 5;

function filesDrift(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): Difference[] {
  const of = (files: typeof now, path: string) => (Object.hasOwn(files, path) ? files[path] : undefined);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const other = paths.filter((path) => of(before, path) !== of(now, path));
  if (other.length === 0) return [];
  const count = (test: (path: string) => boolean) => other.filter(test).length;
  const removed = count((path) => of(now, path) === undefined);
  const added = count((path) => of(before, path) === undefined);
  const changes = [
    [other.length - removed - added, "changed"],
    [added, "new"],
    [removed, "removed"],
  ].flatMap(([n, word]) => (n ? [`${n} ${word}`] : []));
  const named = `${other.slice(0, MAX_NAMES).join(", ")}${other.length > MAX_NAMES ? ", …" : ""}`;
  return [{ at: "files", class: "capability", what: `files of the program: ${changes.join(", ")} (${named})` }];
}

/** Adds facts that were unknown before to the baseline; adds nothing if the server's start changed. */
export function completeBaseline(before: Observed, now: Observed): Observed {
  if (canonicalJson(before.server.start) !== canonicalJson(now.server.start)) return before;
  const { server, files } = before;
  const container = server.container ?? now.server.container;
  return {
    server: {
      ...now.server,
      ...server,
      ...(now.server.package && { package: { ...now.server.package, ...server.package } }),
      ...(container && { container: { ...now.server.container, ...container } }),
    },
    ...((files ?? now.files) && { files: files ?? now.files! }),
  };
}
