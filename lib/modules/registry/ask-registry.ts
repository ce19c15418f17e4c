import type { App } from "../../core/app.ts";
import { withBudget } from "./budget.ts";
import { type Asked, type Known, known, learn } from "./cache.ts";
import type { Entry } from "./entry.ts";
import { Fault } from "./faults.ts";
import { fetchDocument, unusable } from "./fetch-document.ts";
import type { Found } from "./protocols/official.ts";
import { type Protocol, protocolOf } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";
import { checkedUrl, isLocal } from "./sources.ts";
import { newer } from "./version.ts";

/** Longest wait for all pages of an answer. (ms; reference 10.2) */
const BUDGET_MS = 45_000;
const MAX_PAGES = 20;
/** A page has a hundred; what sends more is not read to its end. */
const MAX_ITEMS = 2000;
/** An answer counts this long. (ms) */
const FRESH_MS = 3_600_000;

/** What is known of a registry after asking it. */
interface Consulted {
  readonly known: Known;
  /** The answer this is from; absent when it was never asked. */
  readonly asked?: Asked;
  /** Why it could not be asked now. */
  readonly failure?: Fault;
}

/**
 * Asks a registry unless its answer is less than an hour old. Where it cannot be asked, what is known stands.
 *
 * @param search what to look for; registries that cannot narrow their list give all of it
 * @throws Fault invalid_registry_url; the signal's reason
 */
export async function askRegistry(app: App, source: Source, search: string, signal: AbortSignal): Promise<Consulted> {
  const protocol = protocolOf(source.protocol);
  const local = isLocal(source);
  const question = protocol.searches && !local ? longestWord(search) : "";
  const before = await known(app, source);
  const last = before.asked.get(question);
  if (last && !local && !last.expired && app.clock.now() - last.at < FRESH_MS) return { known: before, asked: last };
  const builtIn = source.serversUrl.startsWith("builtin:");
  const list = builtIn ? new URL(source.serversUrl) : checkedUrl(app, source.serversUrl);
  try {
    const { found, complete, skipped } = await withBudget(app, BUDGET_MS, signal, (until) =>
      pages(app, source, protocol, protocol.first(list, question), until),
    );
    const asked = { at: app.clock.now(), complete, skipped };
    await learn(app, source, question, onePerName(found), asked);
    return { known: await known(app, source), asked };
  } catch (error) {
    signal.throwIfAborted();
    const failure =
      error instanceof Fault ? error : new Fault("registry_unavailable", { registry: source.id, reason: "too slow" });
    const any = last ?? [...before.asked.values()].sort((a, b) => b.at - a.at)[0];
    return { known: before, failure, ...(any && { asked: any }) };
  }
}

/** Registries compare the whole text with names, which hold no spaces; what fits all words is chosen here. */
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
  const seen = new Set<string>();
  let skipped = 0;
  let at: URL | undefined = first;
  while (at && seen.size < MAX_PAGES && !seen.has(at.href)) {
    seen.add(at.href);
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

/** Of several of one name the one the registry calls the latest, else the greatest version, else the first. */
function onePerName(found: readonly Found[]): Entry[] {
  const chosen = new Map<string, Found>();
  for (const one of found) {
    const other = chosen.get(one.entry.id);
    if (!other || (!other.latest && (one.latest || newer(one.entry.version, other.entry.version))))
      chosen.set(one.entry.id, one);
  }
  return [...chosen.values()].map(({ entry }) => entry);
}
