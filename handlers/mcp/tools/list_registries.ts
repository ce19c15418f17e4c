import * as v from "valibot";
import { tool } from "#lib/core/mcp/tool.ts";
import { isManagementOffered } from "#lib/modules/manage/manage.ts";
import { listRegistries } from "#lib/modules/registry/list.ts";

export default tool("list_registries", {
  title: "List registries",
  description: "Lists the ids of the registries that search_servers can search.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  searchHint: "registries of MCP servers",
  offered: isManagementOffered,
  input: v.object({}),
  async run({ app, caller }) {
    const registries = await listRegistries(app, caller);
    return {
      registries: registries.map(({ id, name, description, tags, count }) => ({ id, name, description, tags, count })),
      total: registries.length,
    };
  },
});
