import * as v from "valibot";
import { NewServer, ServerPatch } from "#lib/core/config/server-patch.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { fieldsWith } from "#lib/core/schema/server-config-fields.ts";
import { isManagementOffered, JSON_TEXT_FIELDS, manageServers, OPERATIONS } from "#lib/modules/manage/manage.ts";

const text = (description: string) => v.nullish(v.pipe(v.string(), v.description(description)));
const flag = (description: string) => v.nullish(v.pipe(v.boolean(), v.description(description)));

export default tool("upstream_servers", {
  title: "Manage servers",
  description:
    "Lists, adds, changes and removes the MCP servers behind this endpoint, and shows their logs. A new server, or one whose command, address, environment, headers or sign-in changes, is held: it does not start until an administrator confirms it outside of MCP, and then stays quarantined until an administrator releases it. In update and patch, omitted fields stay unchanged, maps and objects are merged, lists are replaced, and JSON null removes a field.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  searchHint: "list, add, change, remove MCP servers; logs of a server",
  offered: isManagementOffered,
  // Every field of an entry is also accepted under its own name, in addition to the JSON text forms. `skip_quarantine`
  // comes from another system and has no effect over MCP.
  alsoTakes: [...Object.keys(NewServer.entries), ...Object.keys(ServerPatch.entries), "skip_quarantine"],
  input: v.looseObject({
    operation: v.picklist(OPERATIONS),
    name: text("server name; required by every operation except list and add_from_registry"),
    registry: text("add_from_registry: id of the registry, such as official"),
    id: text("add_from_registry: id of the server, from search_servers"),
    ...fieldParameters(),
    lines: v.optional(v.pipe(v.unknown(), v.description("tail_log: number of lines, up to 500 (default 50)"))),
  }),
  run: ({ app, caller, origin, input, signal }) =>
    manageServers(app, { caller, origin }, input.operation, input, signal),
});

/** The fields of a server; those with several values as JSON text, which any client can send. */
function fieldParameters() {
  return Object.fromEntries(
    fieldsWith("tool").map(([name, { kind, tool }]) => [
      JSON_TEXT_FIELDS.includes(name) ? `${name}_json` : name,
      kind === "flag" ? flag(tool) : text(tool),
    ]),
  );
}
