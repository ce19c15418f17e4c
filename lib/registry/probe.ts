import type { App } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { document, unusable } from "./ask.ts";
import { withBudget } from "./budget.ts";
import { OFFICIAL, protocolOf } from "./protocols/protocols.ts";
import type { Source } from "./sources.ts";

/** Longest wait for all places together. (ms) */
const BUDGET_MS = 12_000;

/**
 * Finds the list of a source that is to be added: at the address itself, or where registries have it.
 *
 * @returns the address of the list
 * @throws Fault registry_source_unusable that says what each place answered
 */
export async function probe(app: App, id: string, url: URL, signal: AbortSignal): Promise<string> {
  const protocol = protocolOf(OFFICIAL);
  const reasons: string[] = [];
  for (const place of places(url)) {
    const source: Source = {
      ...{ id, name: id, description: "", url: url.href, serversUrl: place, protocol: OFFICIAL, tags: [] },
      provenance: "custom",
    };
    try {
      const first = protocol.first(new URL(place), "");
      const page = await withBudget(app, BUDGET_MS, signal, (until) => document(app, source, first, until));
      if (protocol.items(page)) return place;
      reasons.push(`${place} answers JSON that is no list of servers`);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Fault ? String(error.facts.reason ?? error.message) : reasonOf(error);
      reasons.push(reason.includes(place) ? reason : `${place}: ${reason}`);
    }
  }
  throw unusable({ id }, reasons.join("; "));
}

function places(url: URL): string[] {
  if (url.protocol === "file:" || /\/servers\/?$/.test(url.pathname)) return [url.href];
  const base = url.href.replace(/\/+$/, "");
  return [`${base}/v0.1/servers`, `${base}/v0/servers`, url.href];
}
