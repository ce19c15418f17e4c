import * as v from "valibot";
import { tool } from "#lib/core/mcp/tool.ts";
import { retrieve } from "#lib/core/verbs/tools/retrieve.ts";

/** Most entries of one answer; more would drown a model. */
const MAX_LIMIT = 100;

export default tool("retrieve_tools", {
  title: "Find tools",
  description:
    "Finds tools of all connected MCP servers by what you want to do, best match first. Ask in a few plain words, for example: list open pull requests. Each match names its tool (server:tool) and, in call_with, the tool to call it through.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: v.object({
    query: v.pipe(
      v.string(),
      v.check((q) => q.trim() !== "", "must not be empty"),
      v.maxLength(2000, "has at most 2000 characters"),
      v.description("what you want to do, in a few words"),
    ),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer("must be a whole number"),
        v.minValue(1, "must be at least 1"),
        v.description("most matches, 15 unless configured, up to 100"),
      ),
    ),
    detail: v.optional(
      v.pipe(
        v.picklist(["full", "compact"]),
        v.description("full entries with schemas, or one line each; the configuration decides when left out"),
      ),
    ),
    read_only_only: v.optional(v.pipe(v.boolean(), v.description("only tools declared read-only"))),
    exclude_destructive: v.optional(v.pipe(v.boolean(), v.description("only tools declared not destructive"))),
    exclude_open_world: v.optional(
      v.pipe(v.boolean(), v.description("only tools declared to stay within their own world")),
    ),
    include_disabled: v.optional(v.pipe(v.boolean(), v.description("name matches that are switched off, too"))),
  }),
  run({ app, caller, mode, input }) {
    const { tools_limit, tool_response_mode } = app.config.current();
    const { query, limit = tools_limit, include_disabled, detail, ...policy } = input;
    return retrieve(app, caller, {
      query,
      limit: Math.min(limit, MAX_LIMIT),
      // A script needs the schemas, and the code endpoint has no describe_tool to ask for them.
      detail: detail ?? (mode === "code_execution" ? "full" : tool_response_mode),
      policy: Object.fromEntries(Object.entries(policy).filter(([, on]) => on)),
      includeDisabled: include_disabled === true,
    });
  },
});
