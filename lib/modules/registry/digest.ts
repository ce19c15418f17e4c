import type { App } from "../../core/app.ts";
import { withBudget } from "./budget.ts";
import type { Entry } from "./entry.ts";
import { fetchDocument } from "./fetch-document.ts";
import { exact, memberOf } from "./read.ts";
import type { Source } from "./source.ts";

const BUDGET_MS = 20_000;

/**
 * Adds the digest of the newest image to an entry of a list that does not name versions.
 *
 * @throws Fault registry_unavailable, registry_source_unusable
 */
export async function withDigest(app: App, source: Source, entry: Entry, signal: AbortSignal): Promise<Entry> {
  if (source.protocol !== "custom/docker") return entry;
  const list = new URL(source.serversUrl);
  const tag = new URL(`${list.pathname.replace(/\/*$/, "/")}${encodeURIComponent(entry.id)}/tags/latest`, list);
  const found = await withBudget(app, BUDGET_MS, signal, (until) => fetchDocument(app, source, tag, until));
  const digest = exact(memberOf(found, "digest"), 100) ?? exact(memberOf(firstImage(found), "digest"), 100);
  return digest === undefined ? entry : versioned(entry, digest);
}

/** Placeholder for the digest that is looked up when a server is added. */
const LATER = `sha256:${"0".repeat(64)}`;

/** Adds a placeholder digest, without a request, to show what would be run. */
export function withLaterDigest(source: Source, entry: Entry): Entry {
  return source.protocol === "custom/docker" ? versioned(entry, LATER) : entry;
}

/** Replaces the placeholder in a text by words that a reader understands. */
export const laterText = (text: string): string => text.replace(LATER, "sha256:<digest>");

function versioned(entry: Entry, version: string): Entry {
  return { ...entry, version, packages: entry.packages.map((one) => ({ ...one, version })) };
}

function firstImage(found: unknown): unknown {
  const images = memberOf(found, "images");
  return Array.isArray(images) ? images[0] : undefined;
}
