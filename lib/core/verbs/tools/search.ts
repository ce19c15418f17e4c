import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { SearchHit } from "../../catalog/catalog.ts";
import { reasonsFor } from "../../gateway/tool-snapshot.ts";
import type { Reason } from "../../policy/reasons.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import { type ChoosePage, wholeList } from "../../schema/list-page.ts";
import type { ToolSearch } from "../../schema/tool-search.ts";
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
  const { choose = wholeList } = options;
  const { matches, left } = await matchesOf(app, query, options, caller);
  const { rows, ...page } = await choose({ rows: matches, id: ({ row }) => row.id, value: () => undefined });
  const tools = await toolEntriesOf(
    app,
    rows.map(({ row }) => row),
    caller,
    options.signal,
  );
  const withheld = countHidden(left);
  const notice = hiddenNotice(withheld, matches.length);
  return {
    ...page,
    has_more: page.next_cursor !== undefined,
    results: rows.map(({ score }, i) => ({ tool: tools[i]!, score: Math.round(score * 1e4) / 1e4 })),
    ...(notice && { withheld, notice }),
  };
}

/** Returns all visible matches, and why some of the best matches are hidden. */
async function matchesOf(app: App, query: string, { limit, offset, signal }: ToolSearchOptions, caller: Caller) {
  const reasonOf = reasonsFor(app, caller);
  const isShown = (reason: Reason | undefined) =>
    caller.tier === "admin" ? !SERVER_LEVEL.includes(reason) : reason === undefined;
  const maxResults = offset + limit + 1;
  const matches: SearchHit[] = [];
  const reasons: Reason[] = [];
  let further = 0;
  const pause = loopShare();
  for (const hit of app.catalog.ranked(query, (server) => inScope(caller.scope, server))) {
    const reason = reasonOf(hit.row);
    if (matches.length >= maxResults) further++;
    if (isShown(reason)) matches.push(hit);
    else if (reason && reasons.length < maxResults && further <= FURTHER) reasons.push(reason);
    await pause();
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return { matches, left: reasons };
}
