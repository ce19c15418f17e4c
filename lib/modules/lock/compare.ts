import { canonicalJson } from "../../core/base/canonical.ts";
import { isFormerPin } from "../../core/catalog/pin.ts";
import type { Difference, Drift, Unverified } from "../../core/schema/lock-verification.ts";
import { joinTextLines, type LockDocument, type LockedServer, type LockedTool } from "./document.ts";
import { itemsDrift, uncoveredItems } from "./item-drift.ts";
import { sameText, schemaDrift } from "./schema-drift.ts";

/** Compares the lock file with the current state, server by server. Pure. */
export function compare(locked: LockDocument, now: LockDocument): { drifts: Drift[]; unverified: Unverified[] } {
  const drifts: Drift[] = [];
  const unverified: Unverified[] = [];
  for (const server of names(locked.servers, now.servers)) {
    const [before, after] = [ownMember(locked.servers, server), ownMember(now.servers, server)];
    if (!before) drifts.push({ server, at: "", class: "capability", what: "new server, not in the lock file" });
    else if (!after) drifts.push({ server, at: "", class: "narrowing", what: "the server was removed" });
    else {
      for (const difference of serverDrift(before, after)) drifts.push({ server, ...difference });
      if (Object.keys(before.tools).length > 0 && Object.keys(after.tools).length === 0) {
        unverified.push({ server, what: "its tools are unknown; check that it is connected" });
        continue;
      }
      for (const { tool, ...difference } of toolsDrift(before, after)) drifts.push({ server, tool, ...difference });
      for (const difference of itemsDrift(before, after)) drifts.push({ server, ...difference });
      unverified.push(...uncoveredItems(before, after).map((what) => ({ server, what })));
      unverified.push(...packageUnknown(before, after).map((what) => ({ server, what })));
      unverified.push(...uncovered(before, after).map((what) => ({ server, what })));
    }
  }
  return { drifts, unverified };
}

/** The differences in a server's start, package, container and instructions, without its tools. */
export function serverDrift(before: LockedServer, now: LockedServer): Difference[] {
  const found: Difference[] = names(before.start, now.start).flatMap((key) => {
    const [a, b] = [ownMember(before.start, key), ownMember(now.start, key)];
    if (json(a) === json(b)) return [];
    // The order of these names has no meaning, and fewer tools are a smaller risk.
    if (key === "enabled_tools" || key === "disabled_tools") return listDrift(key, a, b);
    return [{ at: `start.${key}`, class: "capability" as const, what: "its command or url changed" }];
  });
  for (const key of ["source", "name", "version", "integrity", "digest"] as const) {
    const [a, b] = [before.package?.[key], now.package?.[key]];
    if (a !== undefined && b !== undefined && a !== b)
      found.push({ at: `package.${key}`, class: "capability", what: `${a} → ${b}` });
  }
  found.push(...containerDrift(before.container, now.container));
  if (!before.package !== !now.package && json(before.start) === json(now.start))
    found.push({ at: "package", class: "capability", what: "the kind of its program changed" });
  if (!sameText(joinTextLines(before.instructions), joinTextLines(now.instructions)) && now.instructions !== undefined)
    found.push({ at: "instructions", class: "text", what: "the instructions changed" });
  return found;
}

/** A server that became isolated needs no review; one that is no longer isolated, or has another image, does. */
function containerDrift(before: LockedServer["container"], now: LockedServer["container"]): Difference[] {
  if (!before) return [];
  if (!now) return [{ at: "container", class: "capability", what: "it no longer runs in a container" }];
  return (["image", "digest"] as const).flatMap((key) => {
    const [a, b] = [before[key], now[key]];
    if (a === undefined || b === undefined || a === b) return [];
    return [{ at: `container.${key}`, class: "capability" as const, what: `${a} → ${b}` }];
  });
}

function listDrift(key: string, a: unknown, b: unknown): Difference[] {
  const [before, now] = [list(a), list(b)];
  if (json([...before].sort()) === json([...now].sort())) return [];
  const wide = key === "enabled_tools" ? now.some((n) => !before.includes(n)) : before.some((n) => !now.includes(n));
  const opened = key === "enabled_tools" && before.length > 0 && now.length === 0;
  const closed = key === "enabled_tools" && before.length === 0;
  const more = (wide && !closed) || opened;
  return [{ at: `start.${key}`, class: more ? "capability" : "narrowing", what: more ? "more tools" : "fewer tools" }];
}

/** Facts in the lock file that are unknown at present. */
export function packageUnknown(before: LockedServer, now: LockedServer): string[] {
  const missing = (["version", "integrity", "digest"] as const).filter(
    (key) => before.package?.[key] !== undefined && now.package?.[key] === undefined,
  );
  const image = before.container?.digest !== undefined && now.container && now.container.digest === undefined;
  return [
    ...missing.map((key) => `the ${key} of its package is not known on this machine`),
    ...(image ? ["the digest of the image it runs in is not known on this machine"] : []),
  ];
}

function toolsDrift(before: LockedServer, now: LockedServer): (Difference & { tool: string })[] {
  return names(before.tools, now.tools).flatMap((tool): (Difference & { tool: string })[] => {
    const [a, b] = [ownMember(before.tools, tool), ownMember(now.tools, tool)];
    if (!a) return [{ tool, at: "", class: "capability", what: "new tool, not in the lock file" }];
    if (!b) return [{ tool, at: "", class: "narrowing", what: "the tool was removed" }];
    return toolDrift(a, b).map((difference) => ({ tool, ...difference }));
  });
}

/** Icons and `_meta` of tools whose pin in the file is of version 1, which did not cover them. */
function uncovered(before: LockedServer, now: LockedServer): string[] {
  return names(before.tools, now.tools).flatMap((name) => {
    const [a, b] = [ownMember(before.tools, name), ownMember(now.tools, name)];
    if (!a || !isFormerPin(a.pin) || !(b?.icons || b?._meta)) return [];
    return [
      `the file has no icons and _meta of tool "${name}", because an older version wrote it; update it with: proxy lock`,
    ];
  });
}

/** `[hint, the value with the strongest promise]`. */
const HINTS = [
  ["readOnlyHint", true],
  ["destructiveHint", false],
  ["idempotentHint", true],
  ["openWorldHint", false],
] as const;

/** The differences in a tool's definition. */
export function toolDrift(before: LockedTool, now: LockedTool): Difference[] {
  if (before.pin === now.pin) return [];
  const found: Difference[] = [];
  if (!sameText(before.title, now.title)) found.push({ at: "title", class: "text", what: "the title changed" });
  if (!sameText(joinTextLines(before.description), joinTextLines(now.description)))
    found.push({ at: "description", class: "text", what: "the description changed" });
  found.push(...schemaDrift(before.inputSchema, now.inputSchema, "inputSchema"));
  if ((before.outputSchema === undefined) !== (now.outputSchema === undefined))
    found.push({
      at: "outputSchema",
      class: now.outputSchema ? "narrowing" : "widening",
      what: now.outputSchema ? "now declared" : "no longer declared",
    });
  else found.push(...schemaDrift(before.outputSchema, now.outputSchema, "outputSchema"));
  const [was, is] = [before.annotations ?? {}, now.annotations ?? {}];
  const hints = new Map<string, boolean>(HINTS);
  for (const key of names(was, is)) {
    const [a, b] = [ownMember(was, key), ownMember(is, key)];
    if (json(a) === json(b)) continue;
    const at = `annotations.${key}`;
    const promise = hints.get(key);
    // An absent hint promises nothing.
    if (promise === undefined) {
      if (!sameText(a, b)) found.push({ at, class: "text", what: "another annotation changed" });
    } else if (a === promise) found.push({ at, class: "capability", what: `promises less: ${a} → ${b ?? "nothing"}` });
    else if (b === promise) found.push({ at, class: "narrowing", what: `promises more: ${a ?? "nothing"} → ${b}` });
    else found.push({ at, class: "cosmetic", what: "states its default explicitly" });
  }
  // A pin of version 1 does not cover the members below.
  if (isFormerPin(before.pin)) return found;
  if (json(before.icons) !== json(now.icons)) found.push({ at: "icons", class: "text", what: "the icons changed" });
  found.push(...metaDrift(before._meta ?? {}, now._meta ?? {}));
  return found;
}

/** Compares `_meta`, on which clients may act, for example by showing a user interface that it names. */
function metaDrift(was: object, is: object): Difference[] {
  const [before, now] = [was, is] as Record<string, unknown>[];
  return names(was, is).flatMap((key): Difference[] => {
    if (json(ownMember(before!, key)) === json(ownMember(now!, key))) return [];
    return [{ at: `_meta.${key}`, class: "capability", what: "the metadata for clients changed" }];
  });
}

function names(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

/** An own property only: a tool may be called `constructor`. */
function ownMember<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function json(value: unknown): string {
  return value === undefined ? "-" : canonicalJson(value);
}
