import * as v from "valibot";
import { pageMembers } from "./list-page.ts";
import { ToolEntry } from "./tool-entry.ts";

/** Tools of all configured servers, with counts (spec 000 §2.5). */
export const ToolsOverview = v.object({
  tools: v.array(ToolEntry),
  ...pageMembers,
  stats: v.pipe(
    v.object({
      total: v.number(),
      enabled: v.number(),
      disabled: v.number(),
      pending_approval: v.number(),
    }),
    v.description("counts over all tools, regardless of the filters"),
  ),
  partial: v.pipe(v.boolean(), v.description("some server could not be read")),
  failed_servers: v.array(v.string()),
});
export type ToolsOverview = v.InferOutput<typeof ToolsOverview>;
