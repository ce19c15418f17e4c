import type { App } from "../../core/app.ts";
import { withBudget } from "./budget.ts";
import { type Asked, cachedEntries, type Known, learn } from "./cache.ts";
import type { Entry } from "./entry.ts";
import { Fault } from "./faults.ts";
import { fetchDocument, unusable } from "./fetch-document.ts";
import type { Found } from "./protocols/official.ts";
import { type Protocol, protocolOf } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";
import { checkedUrl, isLocal } from "./sources.ts";
import { newer } from "./version.ts";

/** Timeout for all pages of a response (ms; reference 10.2). */
const BUDGET_MS = 45_000;
const MAX_PAGES = 20;
/** Maximum number of items that are read; a page has a hundred. */
const MAX_ITEMS = 2000;
/** How long a response is cached (ms). */
const FRESH_MS = 3_600_000;

/** The known entries of a registry after a request. */
interface Consulted {
  readonly known: Known;
  /** The response that the entries come from; absent if the registry was never requested. */
  readonly asked?: Asked;
  /** Why the current request failed. */
  readonly failure?: Fault;
}

/**
 * Requests a registry's list unless the cached response is less than an hour old. If the request fails, the cached
 * entries are returned.
 *
 * @param search the search text; registries that cannot filter return the complete list
 * @throws Fault invalid_registry_url; the signal's reason
 */
export async function askRegistry(app: App, source: Source, search: string, signal: AbortSignal): Promise<Consulted> {
  const protocol = protocolOf(source.protocol);
  const local = isLocal(source);
  const question = protocol.searches && !local ? longestWord(search) : "";
  const before = await cachedEntries(app, source);
  const last = before.asked.get(question);
  if (last && !local && !last.expired && app.clock.now() - last.at < FRESH_MS) return { known: before, asked: last };
  const builtIn = source.serversUrl.startsWith("builtin:");
  const list = builtIn ? new URL(source.serversUrl) : checkedUrl(app, source.serversUrl);
  try {
    const { found, complete, skipped } = await withBudget(app, BUDGET_MS, signal, (until) =>
      pages(app, source, protocol, protocol.first(list, question), until),
    );
    const lookup = { at: app.clock.now(), complete, skipped };
    await learn(app, source, question, onePerName(found), lookup);
    return { known: await cachedEntries(app, source), asked: lookup };
  } catch (error) {
    signal.throwIfAborted();
    const failure =
      error instanceof Fault ? error : new Fault("registry_unavailable", { registry: source.id, reason: "too slow" });
    const any = last ?? [...before.asked.values()].sort((a, b) => b.at - a.at)[0];
    return { known: before, failure, ...(any && { asked: any }) };
  }
}

/**
 * The longest word of the search. Registries compare the complete text with names, which contain no spaces; the proxy
 * then filters by all words.
 */
function longestWord(search: string): string {
  const words = search.trim().toLowerCase().slice(0, 200).split(/\s+/);
  return words.reduce((a, b) => (b.length > a.length ? b : a), "");
}

interface Pages {
  found: Found[];
  complete: boolean;
  skipped: number;
}

async function pages(app: App, source: Source, protocol: Protocol, first: URL, signal: AbortSignal): Promise<Pages> {
  const found: Found[] = [];
  const visited = new Set<string>();
  let skipped = 0;
  let at: URL | undefined = first;
  while (at && visited.size < MAX_PAGES && !visited.has(at.href)) {
    visited.add(at.href);
    const page: unknown = await fetchDocument(app, source, at, signal);
    const items = protocol.items(page);
    if (!items) throw unusable(source, "its response has no list of servers");
    for (const item of items.slice(0, MAX_ITEMS)) {
      const one = protocol.read(item);
      if (one) found.push(one);
      else skipped++;
    }
    const next: URL | undefined = items.length === 0 ? undefined : protocol.next(page, at);
    if (next && next.origin !== first.origin) throw unusable(source, `its next page is on another host, ${next.host}`);
    at = next && first.protocol !== "file:" ? next : undefined;
  }
  return { found, complete: at === undefined, skipped };
}

/**
 * Selects one entry per name: the one that the registry marks as latest, otherwise the highest version, otherwise the
 * first.
 */
function onePerName(found: readonly Found[]): Entry[] {
  const chosen = new Map<string, Found>();
  for (const one of found) {
    const other = chosen.get(one.entry.id);
    if (!other || (!other.latest && (one.latest || newer(one.entry.version, other.entry.version))))
      chosen.set(one.entry.id, one);
  }
  return [...chosen.values()].map(({ entry }) => entry);
}
