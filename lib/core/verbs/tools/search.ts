import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { SearchHit } from "../../catalog/catalog.ts";
import { reasonsFor } from "../../gateway/tool-snapshot.ts";
import type { Reason } from "../../policy/reasons.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import { type ChoosePage, wholeList } from "../../schema/list-page.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolSearch } from "../../schema/tool-search.ts";
import { callCountsFor } from "./call-counts.ts";
import { toolEntriesOf } from "./entry.ts";
import { countHidden, hiddenNotice } from "./hidden-counts.ts";

/** The requested page of the matches, and the signal that aborts the request. */
interface ToolSearchOptions {
  limit: number;
  /** Number of best matches to skip. */
  offset: number;
  choose?: ChoosePage;
  signal?: AbortSignal;
}

/** Number of hidden matches that are still counted after the requested page is complete. */
const FURTHER = 200;

/** Reasons that hide all tools of a server from search. */
const SERVER_LEVEL: readonly (Reason | undefined)[] = [
  "server_not_configured",
  "server_not_in_scope",
  "server_quarantined",
  "server_disabled",
];

/**
 * Searches tools by words, best matches first (spec 000 §4.3). Administrators also find tools that wait for approval or
 * are blocked, with their status. Tools of quarantined and disabled servers are hidden from everybody, as in the MCP
 * search, and counted.
 *
 * @throws Fault cancelled when the caller has disconnected
 */
export async function searchTools(
  app: App,
  query: string,
  options: ToolSearchOptions,
  caller: Caller,
): Promise<Omit<ToolSearch, "query" | "limit" | "offset">> {
  const { choose = wholeList, signal } = options;
  const shown = shownTo(app, caller);
  const found = await app.catalog.ranked(query, (server) => inScope(caller.scope, server));
  const total = await countShown(found.rows(), shown, signal);
  const { rows, ...page } = await choose({
    rows: shownHits(found, shown),
    total,
    id: ({ row }) => row.id,
    value: () => undefined,
  });
  const tools = await toolEntriesOf(
    app,
    rows.map(({ row }) => row),
    { caller, callsOf: await callCountsFor(app, caller, signal) },
    signal,
  );
  const withheld = countHidden(await hiddenAmongBest(found, shown, options));
  const notice = hiddenNotice(withheld, total);
  return {
    ...page,
    has_more: page.next_cursor !== undefined,
    results: rows.map(({ score }, i) => ({ tool: tools[i]!, score: Math.round(score * 1e4) / 1e4 })),
    ...(notice && { withheld, notice }),
  };
}

/** Whether a match is shown, and why not, if the reason may be counted. */
type Shown = (row: ToolRow) => { isShown: boolean; reason: Reason | undefined };

function shownTo(app: App, caller: Caller): Shown {
  const reasonOf = reasonsFor(app, caller);
  if (caller.tier !== "admin")
    return (row) => {
      const reason = reasonOf(row);
      return { isShown: reason === undefined, reason };
    };
  // Reasons that hide a tool from administrators are the same for all tools of a server.
  const servers = new Map<string, ReturnType<Shown>>();
  return (row) => {
    let shown = servers.get(row.server);
    if (!shown) {
      const reason = reasonOf(row);
      shown = { isShown: !SERVER_LEVEL.includes(reason), reason };
      servers.set(row.server, shown);
    }
    return shown;
  };
}

async function countShown(rows: Iterable<ToolRow>, shown: Shown, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  const pause = loopShare();
  for (const row of rows) {
    if (shown(row).isShown) count++;
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return count;
}

/** Returns why some of the best matches are hidden. */
async function hiddenAmongBest(
  found: Iterable<SearchHit>,
  shown: Shown,
  { limit, offset, signal }: ToolSearchOptions,
): Promise<Reason[]> {
  const maxResults = offset + limit + 1;
  const reasons: Reason[] = [];
  let matches = 0;
  let further = 0;
  const pause = loopShare();
  for (const { row } of found) {
    const { isShown, reason } = shown(row);
    if (matches >= maxResults && ++further > FURTHER) break;
    if (isShown) matches++;
    else if (reason && reasons.length < maxResults) reasons.push(reason);
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return reasons;
}

function* shownHits(found: Iterable<SearchHit>, shown: Shown): Generator<SearchHit> {
  for (const hit of found) if (shown(hit.row).isShown) yield hit;
}
