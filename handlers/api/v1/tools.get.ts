import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { ToolEntry } from "#lib/shape/tool-entry.ts";
import { overview } from "#lib/tools/overview.ts";

/** Every tool of every configured server, whatever keeps it from being used (spec 000 §2.5). */
export default endpoint("GET /api/v1/tools", {
  summary: "List every tool",
  access: "read",
  data: v.object({
    tools: v.array(ToolEntry),
    stats: v.object({
      total: v.number(),
      enabled: v.number(),
      disabled: v.number(),
      pending_approval: v.number(),
    }),
    partial: v.pipe(v.boolean(), v.description("some server could not be read")),
    failed_servers: v.array(v.string()),
  }),
  run: ({ app, caller, signal }) => overview(app, caller, signal),
});
