import * as v from "valibot";
import { pageMembers } from "./list-page.ts";
import { ToolEntry } from "./tool-entry.ts";

const count = v.exactOptional(v.number());

/** Number of tools that match a search but may not be shown, by reason. */
export const HiddenCounts = v.object({
  quarantined: count,
  pending_approval: count,
  changed: count,
  disabled: count,
  permission_denied: count,
  filtered: count,
});
export type HiddenCounts = v.InferOutput<typeof HiddenCounts>;

/** The matches of a search for tools (spec 000 §4.3). */
export const ToolSearch = v.object({
  query: v.string(),
  results: v.pipe(v.array(v.object({ tool: ToolEntry, score: v.number() })), v.description("best first")),
  ...pageMembers,
  limit: v.number(),
  offset: v.number(),
  has_more: v.pipe(
    v.boolean(),
    v.description("there are more matches; request them with `next_cursor` or a higher offset"),
  ),
  withheld: v.pipe(v.exactOptional(HiddenCounts), v.description("number of hidden matches, by reason")),
  notice: v.pipe(v.exactOptional(v.string()), v.description("the hidden matches and the remedy, in words")),
});
export type ToolSearch = v.InferOutput<typeof ToolSearch>;
