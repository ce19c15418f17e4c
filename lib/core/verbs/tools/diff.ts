import type { App } from "../../app.ts";
import { canonicalJson } from "../../base/canonical.ts";
import { escapeInvisible } from "../../base/excerpt.ts";
import { Fault } from "../../base/fault.ts";
import { isServerHidden, isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { ToolDiff } from "../../schema/tool-diff.ts";
import { findServer } from "../servers/find.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "./approval-word.ts";

/**
 * Compares the approved and the current definition of a tool. Without an approval the previous side is empty. Only
 * administrators get hashes (spec 000 §2.5).
 *
 * @throws Fault server_not_found, no_such_record
 */
export async function diffTool(app: App, server: string, tool: string, caller: Caller): Promise<ToolDiff> {
  findServer(app, server, caller);
  const row = app.store.approvals.get(server, tool);
  if (!row) throw new Fault("no_such_record", { what: "tool", id: `${server}:${tool}` });
  const operator = caller.tier === "admin";
  if (operator) await app.catalog.prepareScan(row.current, row.currentHash);
  const review = serverReview(app, server);
  const withheld = isToolHidden(row, review, caller);
  // The approved definition remains readable, unless the whole server waits for review or the tool was blocked.
  const isBeforeShown = !withheld || !(isServerHidden(review, caller) || row.disabled);
  const [before, now] = [texts(isBeforeShown ? row.approved : undefined), texts(withheld ? undefined : row.current)];
  return {
    server_name: server,
    tool_name: withheld ? escapeInvisible(tool) : tool,
    status: approvalWord(row.status),
    ...(withheld && { withheld }),
    approved_hash: operator ? (row.approvedHash ?? "") : "",
    current_hash: operator ? row.currentHash : "",
    previous_title: before.title,
    current_title: now.title,
    previous_description: before.description,
    current_description: now.description,
    previous_schema: before.schema,
    current_schema: now.schema,
    previous_output_schema: before.outputSchema,
    current_output_schema: now.outputSchema,
    previous_annotations: before.annotations,
    current_annotations: now.annotations,
    previous_icons: before.icons,
    current_icons: now.icons,
    previous_meta: before.meta,
    current_meta: now.meta,
    ...(operator && { scan: app.catalog.scan(server, row.current, row.currentHash) }),
  };
}

function texts(definition: ToolDefinition | undefined) {
  return {
    title: definition?.title ?? "",
    description: definition?.description ?? "",
    schema: json(definition?.inputSchema),
    outputSchema: json(definition?.outputSchema),
    annotations: json(definition?.annotations),
    icons: json(definition?.icons),
    meta: json(definition?._meta),
  };
}

/** Formats a value as canonical JSON, so that a different order of members is no difference. */
function json(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
