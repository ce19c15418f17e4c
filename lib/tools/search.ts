import type { App } from "../app.ts";
import type { Reason } from "../gate/reasons.ts";
import { inScope } from "../gate/scope.ts";
import type { Caller } from "../shape/caller.ts";
import type { ToolEntry } from "../shape/tool-entry.ts";
import { entries } from "./entry.ts";
import { reasonsFor } from "./snapshot.ts";
import { noticeOf, type Withheld, withheldBy } from "./withheld.ts";

export interface Search {
  results: { tool: ToolEntry; score: number }[];
  /** There are matches after these. */
  has_more: boolean;
  withheld?: Withheld;
  notice?: string;
}

/** Which of the matches are wanted. */
export interface Page {
  limit: number;
  /** How many of the best are left out. */
  offset: number;
}

/** What keeps a whole server out of every search. */
const SERVER_LEVEL: readonly (Reason | undefined)[] = [
  "server_not_configured",
  "server_not_in_scope",
  "server_quarantined",
  "server_disabled",
];

/**
 * Tools that fit a few words, best first (spec 000 §4.3). An operator also finds the tools that wait for approval or are
 * blocked, with their status; servers that are quarantined or disabled are withheld from everybody, as in MCP search,
 * and what was withheld is counted.
 */
export function search(app: App, query: string, { limit, offset }: Page, caller: Caller): Search {
  const reasonOf = reasonsFor(app, caller);
  const left: Reason[] = [];
  const hits = app.catalog.search(query, offset + limit + 1, {
    within: (server) => inScope(caller.scope, server),
    allowed(row) {
      const reason = reasonOf(row);
      return caller.tier === "admin" ? !SERVER_LEVEL.includes(reason) : reason === undefined;
    },
    withheld(row) {
      const reason = reasonOf(row);
      if (reason) left.push(reason);
    },
  });
  const entry = entries(app, caller);
  const withheld = withheldBy(left);
  const notice = noticeOf(withheld, hits.length);
  const page = hits.slice(offset, offset + limit);
  return {
    has_more: hits.length > offset + limit,
    results: page.map(({ row, score }) => ({ tool: entry(row), score: Math.round(score * 1e4) / 1e4 })),
    ...(notice && { withheld, notice }),
  };
}
