import * as v from "valibot";
import { OUTCOMES_KEY, outcomesNotice, serverOutcomes } from "#lib/core/gateway/server-outcomes.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { retrieveTools } from "#lib/core/verbs/tools/retrieve.ts";

/** Maximum number of entries in one response; more would fill a model's context. */
const MAX_LIMIT = 100;

export default tool("retrieve_tools", {
  title: "Find tools",
  description:
    "Finds tools of all connected MCP servers for a task, best match first. Describe the task in a few words, for example: list open pull requests. Each match has the tool's id (server:tool) and, in call_with, the tool to call it with.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  searchHint: "find tools of all connected MCP servers for a task",
  alwaysLoad: true,
  input: v.object({
    query: v.pipe(
      v.string(),
      v.check((q) => q.trim() !== "", "must not be empty"),
      v.maxLength(2000, "must have at most 2000 characters"),
      v.description("the task, in a few words"),
    ),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer("must be a whole number"),
        v.minValue(1, "must be at least 1"),
        v.description("maximum number of matches, up to 100 (default 15, configurable)"),
      ),
    ),
    detail: v.optional(
      v.pipe(
        v.picklist(["full", "compact"]),
        v.description("full entries with schemas, or one line each (default: set by the configuration)"),
      ),
    ),
    read_only_only: v.optional(v.pipe(v.boolean(), v.description("only tools declared read-only"))),
    exclude_destructive: v.optional(v.pipe(v.boolean(), v.description("only tools declared non-destructive"))),
    exclude_open_world: v.optional(v.pipe(v.boolean(), v.description("only tools declared closed-world"))),
    include_disabled: v.optional(v.pipe(v.boolean(), v.description("also name matches that are disabled"))),
  }),
  async run({ app, caller, mode, input }) {
    const { tools_limit, tool_response_mode } = app.config.current();
    const { query, limit = tools_limit, include_disabled, detail, ...policy } = input;
    const found = await retrieveTools(app, caller, {
      query,
      limit: Math.min(limit, MAX_LIMIT),
      // A script needs the schemas, and the code endpoint has no describe_tool to request them.
      detail: detail ?? (mode === "code_execution" ? "full" : tool_response_mode),
      policy: Object.fromEntries(Object.entries(policy).filter(([, on]) => on)),
      includeDisabled: include_disabled === true,
    });
    const outcomes = await serverOutcomes(app, caller);
    if (!outcomes) return found;
    const notice = [found.notice, outcomesNotice(outcomes)].filter(Boolean).join(" ");
    const text = JSON.stringify({ ...found, ...(notice && { notice }) });
    const result = { content: [{ type: "text", text }], _meta: { [OUTCOMES_KEY]: outcomes } };
    return { passthrough: { result, raw: JSON.stringify(result) } };
  },
});
