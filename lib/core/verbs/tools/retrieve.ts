import type { App } from "../../app.ts";
import { type ToolSignature, toolSignature } from "../../catalog/signature.ts";
import { reasonsFor } from "../../gateway/tool-snapshot.ts";
import type { Reason } from "../../policy/reasons.ts";
import { inScope } from "../../policy/scope.ts";
import type { AnnotationPolicy } from "../../schema/annotation-policy.ts";
import type { Caller } from "../../schema/caller.ts";
import type { DescribedTool } from "../../schema/described-tool.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { HiddenCounts } from "../../schema/tool-search.ts";
import { waitAtMost } from "../../upstream/wait-at-most.ts";
import { describeRow } from "./describe.ts";
import { countHidden, hiddenAs, hiddenNotice } from "./hidden-counts.ts";

export interface RetrieveRequest {
  query: string;
  limit: number;
  detail: "full" | "compact";
  policy: AnnotationPolicy;
  /** Whether to list disabled tools as well, with name and reason. */
  includeDisabled: boolean;
}

/** A match with its full definition. */
type FullEntry = DescribedTool & { score: number };
type CompactEntry = ToolSignature & { id: string; score: number };

interface RetrievedTools {
  query: string;
  total: number;
  hint?: string;
  tools: (FullEntry | CompactEntry)[];
  withheld?: HiddenCounts;
  notice?: string;
  disabled?: { name: string; server: string; status: string }[];
}

const HINT =
  "sig lists parameters: * required, ~ simplified, (~) unknown. Before calling a tool whose entry is lossy, get its schema with describe_tool. Call tools with call_tool_read, call_tool_write or call_tool_destructive.";

/** Maximum time to wait for the first index after a start (ms). */
const INDEX_WAIT_MS = 2000;

/**
 * Searches tools by words, best matches first. Both forms of the result have the same order. A hidden match is only
 * counted, by its reason; a match out of the caller's scope is not even counted. Directly after a start, the search
 * waits briefly for the index, and the result says if the index is still incomplete.
 */
export async function retrieveTools(app: App, caller: Caller, request: RetrieveRequest): Promise<RetrievedTools> {
  const { query, limit, detail, policy } = request;
  if (!app.catalog.ready) await waitAtMost(app.clock, INDEX_WAIT_MS, app.catalog.indexed);
  const reasonOf = reasonsFor(app, caller, policy);
  const rejected: { row: ToolRow; reason: Reason }[] = [];
  const hits = await app.catalog.search(query, limit, {
    includesServer: (server) => inScope(caller.scope, server),
    isVisible: (row) => reasonOf(row) === undefined,
    onHidden(row) {
      const reason = reasonOf(row);
      if (reason) rejected.push({ row, reason });
    },
  });
  const withheld = countHidden(rejected.map((l) => l.reason));
  const notice = [app.catalog.ready ? "" : UNFINISHED, hiddenNotice(withheld, hits.length)].filter(Boolean).join(" ");
  const off = request.includeDisabled
    ? rejected.filter(({ reason }) => hiddenAs(reason) === "disabled").slice(0, limit)
    : [];
  return {
    query,
    total: hits.length,
    ...(detail === "compact" && { hint: HINT }),
    tools: hits.map(({ row, score }) => {
      const rounded = Math.round(score * 1e4) / 1e4;
      return detail === "compact"
        ? { id: row.id, score: rounded, ...toolSignature(row) }
        : { ...describeRow(row, caller.scope), score: rounded };
    }),
    ...(Object.keys(withheld).length > 0 && { withheld }),
    ...(notice && { notice }),
    ...(off.length > 0 && {
      disabled: off.map(({ row, reason }) => ({ name: row.id, server: row.server, status: reason })),
    }),
  };
}

const UNFINISHED = "The proxy is still indexing tools after its start; more tools may match in a moment.";
