import * as v from "valibot";
import { NewServer, ServerPatch } from "#lib/core/config/server-patch.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { isManagementOffered, manageServers, OPERATIONS } from "#lib/modules/manage/manage.ts";

const text = (description: string) => v.nullish(v.pipe(v.string(), v.description(description)));
const flag = (description: string) => v.nullish(v.pipe(v.boolean(), v.description(description)));

export default tool("upstream_servers", {
  title: "Manage servers",
  description:
    "Lists, adds, changes and removes the MCP servers behind this endpoint, and shows their logs. A new server, or one whose command, address, environment, headers or sign-in changes, is held: it does not start until an administrator confirms it outside of MCP, and then stays quarantined until an administrator releases it. In update and patch, omitted fields stay unchanged, maps and objects are merged, lists are replaced, and JSON null removes a field.",
  modes: ["retrieve_tools", "code_execution"],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  offered: isManagementOffered,
  // Every field of an entry by its own name, beside the text forms that any client can send.
  // `skip_quarantine` is another system's word, which has no effect over MCP.
  alsoTakes: [...Object.keys(NewServer.entries), ...Object.keys(ServerPatch.entries), "skip_quarantine"],
  input: v.looseObject({
    operation: v.picklist(OPERATIONS),
    name: text("server name; required by every operation except list and add_from_registry"),
    registry: text("add_from_registry: id of the registry, such as official"),
    id: text("add_from_registry: id of the server, from search_servers"),
    command: text("program to start, for a local server; with url, it must listen at that address"),
    args_json: text('its arguments as a JSON list, such as ["-y", "some-server"]'),
    env_json: text("environment variables as a JSON object"),
    working_dir: text("working directory of the program"),
    url: text("address, for a remote server"),
    headers_json: text("HTTP headers as a JSON object"),
    protocol: text("stdio, http, sse, streamable-http or auto"),
    enabled: flag("whether the proxy connects to it, unless it is held"),
    quarantined: flag("true quarantines the server: clients cannot call its tools"),
    isolation_json: text("container settings as a JSON object"),
    oauth_json: text("sign-in settings as a JSON object"),
    reconnect_on_use: flag("a call to the disconnected server first tries to connect once"),
    init_timeout: text("such as 30s"),
    launcher_wait_timeout: text("maximum time until a program with a url listens there, such as 30s"),
    call_tool_timeout: text("such as 2m"),
    lines: v.optional(v.pipe(v.unknown(), v.description("tail_log: number of lines, up to 500 (default 50)"))),
  }),
  run: ({ app, caller, origin, input, signal }) =>
    manageServers(app, { caller, origin }, input.operation, input, signal),
});
