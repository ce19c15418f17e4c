import type { App } from "../../core/app.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { withBudget } from "./budget.ts";
import { fetchDocument, unusable } from "./fetch-document.ts";
import { OFFICIAL, protocolOf } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";

/** Timeout for all places together (ms). */
const BUDGET_MS = 12_000;

/**
 * Finds the list of a new source: at the URL itself, or at the usual paths of registries.
 *
 * @returns the URL of the list
 * @throws Fault registry_source_unusable with the result of each place
 */
export async function probe(app: App, id: string, url: URL, signal: AbortSignal): Promise<string> {
  const protocol = protocolOf(OFFICIAL);
  /** Places by the reason of their failure. */
  const failed = new Map<string, string[]>();
  const found = await withBudget(app, BUDGET_MS, signal, async (until) => {
    for (const place of places(url)) {
      const source: Source = {
        ...{ id, name: id, description: "", url: url.href, serversUrl: place, protocol: OFFICIAL, tags: [] },
        provenance: "custom",
      };
      let reason = "returns JSON that is not a list of servers";
      try {
        const page = await fetchDocument(app, source, protocol.first(new URL(place), ""), until);
        if (protocol.items(page)) return place;
      } catch (error) {
        signal.throwIfAborted();
        reason = reasonIn(error, place);
      }
      failed.set(reason, [...(failed.get(reason) ?? []), place]);
    }
    return undefined;
  });
  if (found !== undefined) return found;
  throw unusable({ id }, [...failed].map(([reason, tried]) => `${tried.join(", ")}: ${reason}`).join("; "));
}

/** The reason of a failure, without the URL that precedes it. */
function reasonIn(error: unknown, place: string): string {
  const reason = error instanceof Fault ? String(error.facts.reason ?? error.message) : reasonOf(error);
  return reason.replace(place, "").replace(/^[\s:]+/, "");
}

function places(url: URL): string[] {
  if (url.protocol === "file:" || /\/servers\/?$/.test(url.pathname)) return [url.href];
  const base = url.href.replace(/\/+$/, "");
  return [`${base}/v0.1/servers`, `${base}/v0/servers`, url.href];
}
