import * as v from "valibot";
import { tool } from "#lib/core/mcp/tool.ts";
import { isManagementOffered } from "#lib/modules/manage/manage.ts";
import { search } from "#lib/modules/registry/search.ts";

const LIMIT = 10;
const MAX_LIMIT = 50;

export default tool("search_servers", {
  title: "Search registries for servers",
  description:
    "Searches one registry for MCP servers that can be added to this proxy. Add one by its id with upstream_servers, operation add_from_registry; pass all its required_inputs in env_json.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  searchHint: "find MCP servers to add in registries",
  offered: isManagementOffered,
  input: v.object({
    registry: v.pipe(v.string(), v.description("id of a registry, such as official")),
    search: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description("words that the name or description must contain")),
    ),
    tag: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description("only servers with this tag, such as npm or remote")),
    ),
    limit: v.optional(
      v.pipe(
        v.number(),
        v.check(
          (n) => Number.isInteger(n) && n >= 1 && n <= MAX_LIMIT,
          `must be a whole number from 1 to ${MAX_LIMIT}`,
        ),
        v.description(`maximum number of servers, up to ${MAX_LIMIT} (default ${LIMIT})`),
      ),
    ),
  }),
  run: ({ app, caller, signal, input: { registry, search: searchText, tag, limit = LIMIT } }) =>
    search(app, registry, { search: searchText, tag, limit }, caller, signal),
});
